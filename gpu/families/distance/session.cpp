// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/distance/problem.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"

#include <algorithm>

namespace warplens::gpu::distance {
namespace {

class DistanceSession final : public PictureSession<DistanceProblem, Arguments> {
public:
    using PictureSession::PictureSession;

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_scratch = {};
        PictureSession::prepare(variant, tunables);
        if (m_kernel == nullptr || m_kernel->scratchBytes == nullptr) return;
        m_scratch = m_device.allocate(m_kernel->scratchBytes(m_arguments));
        m_arguments.scratch = m_scratch.handle();
    }
    // All bits set is a result: no site.
    void poisonOutput() override { m_device.fill(m_output, 0xee); }

private:
    Buffer m_scratch;
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
    keepResident(device, m_input, resident);
    return std::make_unique<DistanceSession>(*this, device, resident);
}

}  // namespace warplens::gpu::distance
