// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/distance/npp.hpp"
#include "gpu/families/distance/problem.hpp"
#include "gpu/families/distance/table.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <optional>

namespace warplens::gpu::distance {
namespace {

class DistanceSession final : public Session {
public:
    DistanceSession(const DistanceProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_arguments{problem.posed()} {
        keepResident(device, problem.input(), resident);
        m_output = device.allocate(static_cast<std::size_t>(m_arguments.values()) * 4);
        m_arguments.input = resident.planes.handle();
        m_arguments.output = m_output.handle();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_scratch = {};
        m_npp.reset();
        if (m_entry == nullptr) m_npp = library::nppDistance(m_device, m_arguments);
        if (m_entry == nullptr || m_entry->scratchBytes == nullptr) return;
        m_scratch = m_device.allocate(m_entry->scratchBytes(m_arguments));
        m_arguments.scratch = m_scratch.handle();
    }
    void launch() override {
        if (m_npp) return m_npp->launch();
        m_entry->launch(m_device.context(), m_arguments, m_tunables);
    }
    void poisonOutput() override { m_device.fill(m_output, 0xee); }

    Result download(double& layoutMs, double& downloadMs) override {
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output), .tables = {}};
    }

    std::optional<DevicePicture> picture() const override {
        return DevicePicture{&m_output, m_problem.input()->shape(), m_arguments.outputType()};
    }

private:
    const DistanceProblem& m_problem;
    Device& m_device;
    Arguments m_arguments;
    Buffer m_output, m_scratch;
    const KernelEntry* m_entry = nullptr;  ///< null: NPP
    std::optional<library::NppCalls> m_npp;
    TunableValues m_tunables;
};

/// The picture, distances and what the hungriest kernel keeps between.
std::int64_t deviceBytes(const DistanceProblem& problem) {
    const Case& posed = problem.posed();
    const auto input = static_cast<std::int64_t>(problem.input()->bytes());
    std::size_t scratch = 0;
    for (const Variant& variant : ladder().variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        const KernelEntry& entry = ladder().anyBuildOf(variant);
        if (entry.scratchBytes != nullptr) scratch = std::max(scratch, entry.scratchBytes(posed));
    }
    const std::int64_t rest = 4 * posed.values() + static_cast<std::int64_t>(scratch);
    // Channels that lie pixel by pixel are there twice while they are sorted, before the rest is.
    return input + std::max(posed.channels > 1 ? input : 0, rest);
}

}  // namespace

std::unique_ptr<Session> DistanceProblem::open(Device& device, Resident& resident) const {
    needMemory(device, resident, *input(), deviceBytes(*this));
    return std::make_unique<DistanceSession>(*this, device, resident);
}

}  // namespace warplens::gpu::distance
