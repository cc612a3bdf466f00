// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <opencv2/imgproc.hpp>

namespace warplens::gpu::library {
namespace {

/// cv::filter2D on all cores into `output`; wrap goes through copyMakeBorder, whose time counts. Returns milliseconds
/// of the filter calls alone.
double opencvFilter(const convolution::ConvolutionProblem& problem, io::Grid& output) {
    const io::Grid& input = *problem.input();
    const convolution::Filter& filter = problem.filter();
    const Border border = problem.border();
    const double offset = problem.offset();
    const auto& s = input.shape();
    const auto width = static_cast<int>(s.width), height = static_cast<int>(s.height);
    const int outDepth = depthOf(output.type());
    const cv::Mat weights(filter.height, filter.width, CV_32F, const_cast<float*>(filter.weights.data()));
    return millisecondsOf([&](const auto& timed) {
        for (std::int64_t z = 0; z < s.depth; ++z) {
            const cv::Mat source = sliceOf(input, z);
            cv::Mat target = sliceOf(output, z);
            timed([&] {
                if (border != Border::wrap)
                    return cv::filter2D(source, target, outDepth, weights, cv::Point(-1, -1), offset,
                                        borderOf(border) | cv::BORDER_ISOLATED);
                // filter2D knows no wrap; the border is made once and the filter reads inside it.
                const int rx = filter.width / 2, ry = filter.height / 2;
                cv::Mat padded, filtered;
                cv::copyMakeBorder(source, padded, ry, ry, rx, rx, cv::BORDER_WRAP);
                cv::filter2D(padded, filtered, outDepth, weights, cv::Point(-1, -1), offset, cv::BORDER_CONSTANT);
                filtered(cv::Rect(rx, ry, width, height)).copyTo(target);
            });
            if (problem.filteredChannels() < s.channels) {
                for (std::int64_t y = 0; y < s.height; ++y) {
                    for (std::int64_t x = 0; x < s.width; ++x) output.setValue(x, y, z, 3, input.value(x, y, z, 3));
                }
            }
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::convolution {

ConvolutionFrame::Library opencv_library() {
    return {.refusal = [](const ConvolutionProblem& p) -> std::string {
                return p.volume() ? "OpenCV's filter2D has two dimensions only" : "";
            },
            .run = [](const ConvolutionProblem& p, double& milliseconds, const std::stop_token&) -> Result {
                auto output = p.emptyOutput();
                milliseconds = library::opencvFilter(p, *output);
                return {.picture = std::move(output)};
            },
            // From 11 x 11 on it goes by DFT, whose rounding grows with the picture, not with the window.
            .bound = {.factor = 64},
            .note = "OpenCV sums in its own order, by DFT for large filters: its bound is 64 times the kernels'"};
}

}  // namespace warplens::gpu::convolution
