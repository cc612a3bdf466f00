// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/binary/arguments.hpp"
#include "gpu/families/binary/parameters.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace warplens::gpu::binary {

class BinaryProblem;
using BinaryFrame = PictureProblem<BinaryProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and library.
const BinaryFrame::Ladder& ladder();

/// One picture whose mask above a level is filled or thinned.
class BinaryProblem final : public BinaryFrame {
public:
    BinaryProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    const Case& posed() const { return m_case; }
    io::Shape outputShape() const override;
    std::shared_ptr<io::Grid> emptyOutput() const override;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    Case m_case;
    std::string m_levelFact;  ///< where the picture said its level
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const std::vector<std::uint8_t>> m_exact;  ///< by the reference, once it was needed
};

}  // namespace warplens::gpu::binary
