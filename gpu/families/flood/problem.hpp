// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/flood/arguments.hpp"
#include "gpu/families/flood/parameters.hpp"
#include "gpu/families/flood/seeds.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <mutex>

namespace warplens::gpu::flood {

class FloodProblem;
using FloodFrame = PictureProblem<FloodProblem, KernelEntry, Flood>;

/// The rows of variants.inc with their kernels and libraries.
const FloodFrame::Ladder& ladder();
/// What a flood begins and ends with, as built for a device; null when there is no such build.
const StepsEntry* stepsOf(const DeviceInfo& device);

/// One picture and where its regions begin.
class FloodProblem final : public FloodFrame {
public:
    FloodProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::string refusal(const Variant& variant, const TunableValues& tunables, const DeviceInfo& device) const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;
    Result resultOfPlanes(const std::vector<std::byte>& planes) const override;

    const Seeds& seeds() const { return m_seeds; }
    /// What launchers see, but for its buffers.
    Footprint footprintOf(const KernelEntry& entry, const TunableValues& tunables) const;
    const Flood& posed() const { return m_flood; }
    const FloodOptions& asked() const { return m_asked; }
    io::Shape outputShape() const override;
    io::PixelType outputType() const override { return io::PixelType::i32; }

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    FloodOptions m_asked;
    Seeds m_seeds;
    Flood m_flood;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const io::Grid> m_exact;  ///< the reference, once it was needed
};

/// A picture of steps with its table.
Result resultOf(std::shared_ptr<const io::Grid> steps);

}  // namespace warplens::gpu::flood
