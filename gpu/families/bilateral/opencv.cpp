// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/bilateral/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <algorithm>
#include <cfloat>
#include <opencv2/imgproc.hpp>

namespace warplens::gpu::bilateral {
namespace {

std::string opencvRefusal(const BilateralProblem& problem) {
    const Case& of = problem.posed();
    if (of.type == io::PixelType::u16) return "OpenCV's bilateralFilter takes bytes and floats";
    if (of.channels == 4) return "OpenCV's bilateralFilter takes 1 or 3 channels";
    if (of.type != io::PixelType::f32) return "";
    if (of.border == Border::zero)
        return "OpenCV's table of weights ends at the picture's range: choose another border";
    const Range& range = problem.range();
    if (!range.finite) return "OpenCV's table of weights needs finite floats";
    return range.high - range.low < FLT_EPSILON ? "OpenCV copies floats that differ by less than 1.2e-7" : "";
}

Result opencvBilateral(const BilateralProblem& problem, double& milliseconds, const std::stop_token& stop) {
    const Case& of = problem.posed();
    auto output = problem.emptyOutput();
    milliseconds = library::millisecondsOf([&](const auto& timed) {
        for (std::int64_t z = 0; z < output->shape().depth; ++z) {
            library::goOn(stop);
            const cv::Mat from = library::sliceOf(*problem.input(), z);
            cv::Mat to = library::sliceOf(*output, z), colours = from, made;
            if (of.kept) cv::cvtColor(from, colours, cv::COLOR_BGRA2BGR);
            timed([&] {
                cv::bilateralFilter(colours, made, 2 * of.radius + 1, problem.sigmaValue(), problem.sigmaSpace(),
                                    library::borderOf(of.border));
            });
            if (!of.kept) {
                made.copyTo(to);
                continue;
            }
            from.copyTo(to);  // with alpha
            constexpr int kPairs[] = {0, 0, 1, 1, 2, 2};
            cv::mixChannels(&made, 1, &to, 1, kPairs, 3);
        }
    });
    return {.picture = std::move(output)};
}

}  // namespace

double opencvWeightError(const BilateralProblem& problem) {
    if (problem.posed().type != io::PixelType::f32) return 0;
    // A chord of exp(-t^2 / 2) over a step h is off by at most h^2 / 8.
    constexpr double kBins = 4096;
    const double step = (problem.range().high - problem.range().low) / kBins / problem.sigmaValue();
    return std::min(1.0, step * step / 8 + 0x1p-10 * step);
}

BilateralFrame::Library opencv_library() {
    return {.refusal = &opencvRefusal,
            .run = &opencvBilateral,
            .note = "of floats weights from a table of 4096 differences a channel, interpolated"};
}

}  // namespace warplens::gpu::bilateral
