// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/nlmeans/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <opencv2/photo.hpp>

namespace warplens::gpu::nlmeans {
namespace {

/// By how much OpenCV's distances may be too small, in squared strengths. It divides a patch's sum of squared
/// differences by the power of two that is its pixels or more, drops what is left, and looks the weight up.
double droppedDistance(const NlmeansProblem& problem) {
    const int side = 2 * problem.posed().patch + 1;
    return std::bit_ceil(static_cast<unsigned>(side * side)) /
           (problem.terms() * problem.strength() * problem.strength());
}

std::string opencvRefusal(const NlmeansProblem& problem) {
    const Case& of = problem.posed();
    if (of.type != io::PixelType::u8)
        return "OpenCV's fastNlMeansDenoising takes bytes, and 16 bits by absolute differences alone";
    if (of.border != Border::reflect) return "OpenCV's fastNlMeansDenoising reflects at borders: choose reflect";
    if (problem.noise() > 0) return "OpenCV's fastNlMeansDenoising takes no noise off: choose noise 0";
    return droppedDistance(problem) > 1 ? "OpenCV rounds differences that so little strength tells apart: choose more"
                                        : "";
}

Result opencvMeans(const NlmeansProblem& problem, double& milliseconds, const std::stop_token& stop) {
    const Case& of = problem.posed();
    auto output = problem.emptyOutput();
    milliseconds = library::millisecondsOf([&](const auto& timed) {
        for (std::int64_t z = 0; z < output->shape().depth; ++z) {
            library::goOn(stop);
            const cv::Mat from = library::sliceOf(*problem.input(), z);
            cv::Mat to = library::sliceOf(*output, z), colours = from, made;
            if (of.kept) cv::cvtColor(from, colours, cv::COLOR_BGRA2BGR);
            timed([&] {
                cv::fastNlMeansDenoising(colours, of.kept ? made : to, static_cast<float>(problem.strength()),
                                         2 * of.patch + 1, 2 * of.search + 1);
            });
            if (!of.kept) continue;
            from.copyTo(to);  // with alpha
            constexpr int kPairs[] = {0, 0, 1, 1, 2, 2};
            cv::mixChannels(&made, 1, &to, 1, kPairs, 3);
        }
    });
    return {.picture = std::move(output)};
}

}  // namespace

// Weights are integers, of 1 as large as 31 bits allow for all taps of the largest byte; rounding takes half a unit,
// and the strength, a float, less than another half.
WeightError opencvWeightError(const NlmeansProblem& problem) {
    const int units = std::numeric_limits<int>::max() / (problem.taps() * 255);
    return {.raised = std::exp(droppedDistance(problem)), .step = 1.0 / units, .least = 0.001};
}

NlmeansFrame::Library opencv_library() {
    return {
        .refusal = &opencvRefusal,
        .run = &opencvMeans,
        .note = "OpenCV rounds differences down and leaves out weights below 0.001: each pixel has a bound of its own"};
}

}  // namespace warplens::gpu::nlmeans
