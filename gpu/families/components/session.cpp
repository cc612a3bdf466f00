// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/families/components/problem.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace warplens::gpu::components {
namespace {

/// Pixels times passes after which propagation gives up: some seconds. A spiral of 8192 x 8192 would take hours.
constexpr std::uint64_t kMostOnGpu = std::uint64_t{1} << 39, kMostOnCpu = std::uint64_t{1} << 28;

class ComponentsSession final : public Session {
public:
    ComponentsSession(const ComponentsProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_steps(*stepsOf(device.info())), m_task(problem.posed()) {
        keepResident(device, problem.input(), resident);
        m_output = device.allocate(m_task.pixels() * sizeof(std::uint32_t));
        m_rows = device.allocate(std::size_t{m_task.most} * sizeof(Row));
        m_total = device.allocate(sizeof(std::uint32_t));
        m_changes = device.allocate(kPassesAtOnce * sizeof(std::uint32_t));
        m_task.input = resident.planes.handle();
        m_task.output = m_output.handle();
        m_task.rows = m_rows.handle();
        m_task.total = m_total.handle();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_scratch = {};
        m_scratch = m_device.allocate(m_steps.scratchBytes(m_task, m_entry->forest));
        m_device.fill(m_scratch, 0);
        m_task.scratch = m_scratch.handle();
    }

    void launch() override {
        LaunchContext& context = m_device.context();
        m_passes.clear();
        m_entry->link(context, m_task, m_tunables);
        if (m_entry->passes != nullptr) propagate();
        m_steps.finish(context, m_task, m_entry->forest);
    }

    void poisonOutput() override {
        for (const Buffer* buffer : {&m_output, &m_rows, &m_total}) m_device.fill(*buffer, 0xff);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        std::uint32_t total = 0;
        downloadMs += m_device.time([&] { m_device.download(&total, m_total, sizeof total); });
        std::vector<Row> rows(std::min(total, m_task.most));
        if (!rows.empty())
            downloadMs += m_device.time([&] { m_device.download(rows.data(), m_rows, rows.size() * sizeof(Row)); });
        std::vector<Measured> found(rows.size());
        std::transform(rows.begin(), rows.end(), found.begin(), measuredOf);
        Result result{.picture = std::move(output), .tables = {componentsTable(found)}};
        if (m_entry->passes != nullptr) result.tables.push_back(passesTable(m_passes));
        return result;
    }

    std::optional<DevicePicture> picture() const override {
        return DevicePicture{&m_output, m_problem.outputShape(), m_problem.outputType()};
    }

private:
    /// Until a pass changes nothing, which is the last one that the table of passes has.
    void propagate() {
        const std::uint64_t most = m_device.info().ranks() ? kMostOnGpu : kMostOnCpu;
        std::array<std::uint32_t, kPassesAtOnce> changes{};
        while (m_passes.empty() || m_passes.back() != 0) {
            if (m_passes.size() * m_task.pixels() > most)
                throw Error(Error::Kind::unsupported,
                            "gave up after " + std::to_string(m_passes.size()) + " passes: ways are too long");
            m_device.fill(m_changes, 0);
            m_entry->passes(m_device.context(), m_task, m_changes.handle(), m_tunables);
            m_device.download(changes.data(), m_changes, sizeof changes);
            const auto done = std::find(changes.begin(), changes.end(), 0U);
            m_passes.insert(m_passes.end(), changes.begin(), done == changes.end() ? done : done + 1);
        }
    }

    const ComponentsProblem& m_problem;
    Device& m_device;
    const StepsEntry& m_steps;
    Task m_task;
    Buffer m_output, m_rows, m_total, m_changes, m_scratch;
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
    std::vector<std::uint32_t> m_passes;  ///< labels that each changed
};

}  // namespace

std::unique_ptr<Session> ComponentsProblem::open(Device& device, Resident& resident) const {
    const Task task = posed();
    const StepsEntry& steps = *stepsOf(device.info());
    const std::size_t scratch =
        std::max(steps.scratchBytes(task, Forest::pixels), steps.scratchBytes(task, Forest::runs));
    const auto input = static_cast<std::int64_t>(m_input->bytes());
    const std::size_t rest = task.pixels() * sizeof(std::uint32_t) + std::size_t{task.most} * sizeof(Row) + scratch;
    // Channels that lie pixel by pixel are there twice while they are sorted, before the rest is.
    const std::int64_t twice = m_input->shape().channels > 1 ? input : 0;
    needMemory(device, resident, *m_input, input + std::max(twice, static_cast<std::int64_t>(rest)));
    return std::make_unique<ComponentsSession>(*this, device, resident);
}

}  // namespace warplens::gpu::components
