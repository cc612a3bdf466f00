// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/distance/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <opencv2/imgproc.hpp>

namespace warplens::gpu::library {
namespace {

/// 0 at sites, 255 elsewhere.
cv::Mat maskOf(const io::Grid& input, double level, int channel) {
    const io::Shape& s = input.shape();
    cv::Mat mask(static_cast<int>(s.height), static_cast<int>(s.width), CV_8U);
    for (int y = 0; y < mask.rows; ++y)
        for (int x = 0; x < mask.cols; ++x)
            mask.at<std::uint8_t>(y, x) = input.value(x, y, 0, channel) <= level ? 0 : 255;
    return mask;
}

/// Why OpenCV has no function for it, or empty.
std::string opencvDistanceRefusal(const distance::Case& of, const io::Grid& input) {
    if (of.depth > 1) return "OpenCV's distances have two dimensions";
    if (of.squared) return "OpenCV gives no squared distances";
    if (of.millimetres) return "OpenCV knows no spacing: choose pixels";
    for (int c = 0; c < of.channels; ++c)
        if (cv::countNonZero(maskOf(input, of.level, c)) == of.width * of.height)
            return "OpenCV says nothing about a channel without a value at or below the level";
    return {};
}

/// distanceTransform with DIST_L2 and DIST_MASK_PRECISE of masks made beforehand, channel by channel. Returns
/// milliseconds of the calls alone.
double opencvDistance(const io::Grid& input, const distance::Case& of, io::Grid& output, const std::stop_token& stop) {
    return millisecondsOf([&](const auto& timed) {
        for (int c = 0; c < of.channels; ++c) {
            goOn(stop);
            const cv::Mat mask = maskOf(input, of.level, c);
            cv::Mat made;
            timed([&] { cv::distanceTransform(mask, made, cv::DIST_L2, cv::DIST_MASK_PRECISE); });
            for (int y = 0; y < made.rows; ++y)
                for (int x = 0; x < made.cols; ++x) output.setValue(x, y, 0, c, made.at<float>(y, x));
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::distance {

DistanceFrame::Library opencv_library() {
    return {.refusal = [](const DistanceProblem& p) { return library::opencvDistanceRefusal(p.posed(), *p.input()); },
            .run = [](const DistanceProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
                auto output = p.emptyOutput();
                milliseconds = library::opencvDistance(*p.input(), p.posed(), *output, stop);
                return {.picture = std::move(output)};
            },
            .bound = kLibraryBound,
            .note = kLibraryNote};
}

}  // namespace warplens::gpu::distance
