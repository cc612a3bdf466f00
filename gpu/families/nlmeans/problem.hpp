// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/nlmeans/arguments.hpp"
#include "gpu/families/nlmeans/parameters.hpp"
#include "gpu/families/nlmeans/reference.hpp"
#include "gpu/frame/picture_problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu::nlmeans {

class NlmeansProblem;
using NlmeansFrame = PictureProblem<NlmeansProblem, KernelEntry, Arguments>;

/// The rows of variants.inc with their kernels and library.
const NlmeansFrame::Ladder& ladder();

/// One picture, each of whose pixels becomes a mean of those near it; what looks alike around both weighs more:
///
///     out(p) = sum over o of w(p, o) in(p + o) / sum over o of w(p, o), o in the square of the search radius
///     w(p, o) = exp(-max(d(p, o) - 2 noise^2, 0) / strength^2)
///     d(p, o) = mean of (in(p + k) - in(p + o + k))^2 over k in the square of the patch radius, and over the channels
///
/// Buades, Coll and Morel, CVPR 2005, but all pixels of a patch count alike. scikit-image's denoise_nl_means() weighs
/// them by a Gaussian, or in its fast mode leaves out a patch's first row and column and weights below exp(-5).
/// OpenCV's fastNlMeansDenoising() has this definition of bytes alone, without the noise, and rounds d and w. A pair of
/// patches with a value that is not finite has no weight, and a pixel stays what it is where there is none.
class NlmeansProblem final : public NlmeansFrame {
public:
    NlmeansProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values);

    Work work() const override;
    Traits traits() const override;
    std::vector<std::string> facts() const override;
    std::unique_ptr<Session> open(Device& device, Resident& resident) const override;
    Verification verify(const Result& result, const Variant& variant, std::stop_token stop) const override;
    const PlainKernels* plainKernels() const override { return this; }
    PlainTask plainTask() const override;

    const Case& posed() const { return m_case; }
    /// Squared differences of a patch.
    int terms() const;
    /// Pixels that are averaged.
    int taps() const;
    double strength() const { return m_strength; }  ///< in levels
    double noise() const { return m_noise; }        ///< in levels

private:
    std::string kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                              const DeviceInfo& device) const override;

    double m_strength = 1, m_noise = 0;
    Case m_case;
};

/// How far OpenCV's weights may be off.
WeightError opencvWeightError(const NlmeansProblem& problem);

}  // namespace warplens::gpu::nlmeans
