// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/bilateral/arguments.hpp"
#include "gpu/families/bilateral/parameters.hpp"
#include "gpu/frame/filter_problem.hpp"

#include <mutex>
#include <vector>

namespace warplens::gpu::bilateral {

class BilateralProblem;
using BilateralFrame = PictureProblem<BilateralProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and libraries.
const BilateralFrame::Ladder& ladder();

/// Smallest and largest value of a picture of floats.
struct Range {
    double low = 0, high = 0;
    bool finite = true;  ///< whether all of them are
};

/// One picture and the disc that is averaged about each of its pixels.
class BilateralProblem final : public BilateralFrame {
public:
    BilateralProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    const Case& posed() const { return m_case; }
    double sigmaSpace() const { return m_chosen.sigmaSpace; }
    double sigmaValue() const { return m_sigmaValue; }  ///< in levels
    /// Of the disc to each side, by rows from its centre.
    const std::vector<int>& reach() const { return m_reach; }
    int taps() const;
    const Range& range() const;

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    Chosen m_chosen;
    double m_sigmaValue = 1;
    Case m_case;
    std::vector<int> m_reach;
    mutable std::once_flag m_ranged;
    mutable Range m_range;
};

/// How far a weight of OpenCV's may be off, which interpolates those of floats in a table over the picture's range.
double opencvWeightError(const BilateralProblem& problem);

}  // namespace warplens::gpu::bilateral
