// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/rank/npp.hpp"
#include "gpu/families/rank/problem.hpp"
#include "gpu/families/rank/table.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/layout.hpp"
#include "gpu/kernels/transfer.hpp"

#include <optional>

namespace warplens::gpu::rank {
namespace {

class RankSession final : public Session {
public:
    RankSession(const RankProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_arguments{problem.posed()} {
        keepResident(device, problem.input(), resident);
        m_output = device.allocate(problem.input()->bytes());
        m_arguments.input = resident.planes.handle();
        m_arguments.output = m_output.handle();
        if (m_arguments.then >= 0) m_between = device.allocate(problem.input()->bytes());
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_npp.reset();
        if (m_entry == nullptr) m_npp = library::nppRank(m_device, m_arguments);
    }
    void launch() override {
        if (m_npp) return m_npp->launch();
        if (m_arguments.then < 0) {
            m_entry->launch(m_device.context(), m_arguments, m_tunables);
            return;
        }
        Arguments step = m_arguments;
        step.output = m_between.handle();
        m_entry->launch(m_device.context(), step, m_tunables);
        step.input = step.output;
        step.output = m_output.handle();
        step.index = m_arguments.then;
        m_entry->launch(m_device.context(), step, m_tunables);
    }

    void poisonOutput() override {
        if (m_between) m_device.fill(m_between, 0xff);
        m_device.fill(m_output, 0xff);
        const io::Shape& s = m_problem.input()->shape();
        if (m_problem.channels() == s.channels) return;
        // Alpha is kept.
        const io::PixelType type = m_arguments.type;
        const auto count = static_cast<std::size_t>(s.pixels());
        const std::size_t offset = static_cast<std::size_t>(m_problem.channels()) * count * io::sizeOf(type);
        layoutEntry(m_device.info())
            .convert(m_device.context(), m_arguments.input, offset, type, m_arguments.output, offset, type, count);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output)};
    }

    std::optional<DevicePicture> picture() const override {
        return DevicePicture{&m_output, m_problem.input()->shape(), m_arguments.type};
    }

private:
    const RankProblem& m_problem;
    Device& m_device;
    Arguments m_arguments;
    Buffer m_output;
    Buffer m_between;                      ///< what the first of two steps made
    const KernelEntry* m_entry = nullptr;  ///< null: NPP
    std::optional<library::NppCalls> m_npp;
    TunableValues m_tunables;
};

}  // namespace

std::unique_ptr<Session> RankProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while they are sorted, before and after.
    const int copies = 2 + (m_input->shape().channels > 1) + (m_case.then >= 0);
    needMemory(device, resident, *m_input, static_cast<std::int64_t>(m_input->bytes()) * copies);
    return std::make_unique<RankSession>(*this, device, resident);
}

}  // namespace warplens::gpu::rank
