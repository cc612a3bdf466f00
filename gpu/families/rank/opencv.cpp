// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/rank/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <opencv2/imgproc.hpp>

namespace warplens::gpu::library {
namespace {

// medianBlur keeps 5 x 5 floats or words at most, and counts bytes in 16 bits.
constexpr int kLargestWide = 2;

void call(const cv::Mat& from, const rank::Case& of, int index, cv::Mat& to) {
    const int side = of.window.side(), radius = of.window.radius;
    const bool median = !of.window.cross && of.median();
    if (median && of.border == Border::replicate) return cv::medianBlur(from, to, side);
    const auto shape = of.window.cross ? cv::MORPH_CROSS : cv::MORPH_RECT;
    const cv::Mat element = cv::getStructuringElement(shape, {side, side});
    // erode and dilate know no wrap, medianBlur repeats the edge: the border is made first, and theirs is cut off.
    cv::Mat wide, ranked;
    cv::copyMakeBorder(from, wide, radius, radius, radius, radius, borderOf(of.border));
    if (median)
        cv::medianBlur(wide, ranked, side);
    else if (index == 0)
        cv::erode(wide, ranked, element);
    else
        cv::dilate(wide, ranked, element);
    ranked(cv::Rect(radius, radius, from.cols, from.rows)).copyTo(to);
}

/// Why OpenCV has no function for a window, or empty.
std::string opencvRankRefusal(const rank::Case& of, const io::Grid& input) {
    const bool extreme = of.extreme();
    if (of.window.volume) return "OpenCV's windows have two dimensions";
    if (!extreme && !(of.median() && of.square()))
        return "OpenCV has medians of squares, the smallest and the largest value: no other percentile";
    if (!extreme && of.type != io::PixelType::u8 && of.window.radius > kLargestWide)
        return "medianBlur takes bytes only beyond 5 x 5";
    if (rank::holdsNotANumber(input)) return "OpenCV does not say where it sorts what is not a number";
    return {};
}

/// medianBlur, erode or dilate of the first `channels` channels, slice by slice. Returns milliseconds of the calls
/// alone.
double opencvRank(const io::Grid& input, const rank::Case& of, int channels, io::Grid& output,
                  const std::stop_token& stop) {
    const io::Shape& s = input.shape();
    return millisecondsOf([&](const auto& timed) {
        for (std::int64_t z = 0; z < s.depth; ++z) {
            goOn(stop);
            const cv::Mat from = sliceOf(input, z);
            cv::Mat to = sliceOf(output, z), first, ranked;
            timed([&] {
                call(from, of, of.index, ranked);
                if (of.then < 0) return;
                using Subtracts = rank::Case::Subtracts;
                first = ranked;
                ranked = cv::Mat();
                call(of.subtracts == Subtracts::first ? from : first, of, of.then, ranked);
                if (of.subtracts == Subtracts::result) cv::subtract(from, ranked, ranked);
                if (of.subtracts == Subtracts::picture) cv::subtract(ranked, from, ranked);
                if (of.subtracts == Subtracts::first) cv::subtract(ranked, first, ranked);
            });
            ranked.copyTo(to);
            if (channels == s.channels) continue;
            const int kept[] = {channels, channels};
            cv::mixChannels(&from, 1, &to, 1, kept, 1);
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::rank {

RankFrame::Library opencv_library() {
    return {.refusal = [](const RankProblem& p) { return library::opencvRankRefusal(p.posed(), *p.input()); },
            .run = [](const RankProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
                auto output = p.emptyOutput();
                milliseconds = library::opencvRank(*p.input(), p.posed(), p.channels(), *output, stop);
                return {.picture = std::move(output)};
            }};
}

}  // namespace warplens::gpu::rank
