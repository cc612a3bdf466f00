// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <opencv2/imgproc.hpp>

namespace warplens::gpu::library {
namespace {

/// A value of what OpenCV made; its sums of bytes wrap around, those of 16 bits are doubles.
double valueOf(const cv::Mat& made, int x, int y) {
    switch (made.depth()) {
        case CV_8U: return made.at<std::uint8_t>(y, x);
        case CV_16U: return made.at<std::uint16_t>(y, x);
        case CV_32S: return static_cast<std::uint32_t>(made.at<std::int32_t>(y, x));
        case CV_32F: return made.at<float>(y, x);
        default: return static_cast<std::uint32_t>(static_cast<std::uint64_t>(made.at<double>(y, x)));
    }
}

void call(const scan::ScanOptions& asked, const cv::Mat& from, cv::Mat& to) {
    if (asked.task == scan::Task::equalise) return cv::equalizeHist(from, to);
    if (asked.task == scan::Task::clahe)
        return cv::createCLAHE(asked.clip, cv::Size(asked.tiles, asked.tiles))->apply(from, to);
    cv::integral(from, to, from.depth() == CV_8U ? CV_32S : from.depth() == CV_16U ? CV_64F : CV_32F);
}

/// Why OpenCV has no call that does the same, or empty.
std::string opencvScanRefusal(const scan::ScanOptions& asked, const io::Grid& input) {
    if (input.empty()) return "OpenCV takes no empty picture";
    if (asked.task == scan::Task::sums) return "OpenCV has no running sums but integral";
    if (asked.task == scan::Task::compact) return "OpenCV lists places of one channel, without values";
    if (asked.windows()) return "OpenCV's windows go over the picture's border, ours end there";
    if (asked.task == scan::Task::equalise && input.type() != io::PixelType::u8) return "OpenCV equalises u8 alone";
    return {};
}

/// integral, equalizeHist or CLAHE, slice by slice and channel by channel. Returns milliseconds of the calls alone.
double opencvScan(const io::Grid& input, const scan::ScanOptions& asked, io::Grid& output) {
    const io::Shape& s = input.shape();
    // An integral picture of OpenCV's has a row and a column of zeros before its first.
    const int margin = asked.task == scan::Task::integral ? 1 : 0;
    return millisecondsOf([&](const auto& timed) {
        for (std::int64_t z = 0; z < s.depth; ++z) {
            for (int c = 0; c < s.channels; ++c) {
                const cv::Mat from = channelOf(sliceOf(input, z), c);
                if (c >= asked.channelsOf(s.channels)) {  // alpha as it is
                    for (int y = 0; y < from.rows; ++y)
                        for (int x = 0; x < from.cols; ++x) output.setValue(x, y, z, c, valueOf(from, x, y));
                    continue;
                }
                cv::Mat to;
                timed([&] { call(asked, from, to); });
                for (int y = 0; y < from.rows; ++y)
                    for (int x = 0; x < from.cols; ++x)
                        output.setValue(x, y, z, c, valueOf(to, x + margin, y + margin));
            }
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::scan {

ScanFrame::Library opencv_library() {
    return {.refusal = [](const ScanProblem& p) { return library::opencvScanRefusal(p.posed(), *p.input()); },
            .run = [](const ScanProblem& p, double& milliseconds, const std::stop_token&) -> Result {
                auto output = p.emptyOutput();
                milliseconds = library::opencvScan(*p.input(), p.posed(), *output);
                return {.picture = std::move(output)};
            }};
}

}  // namespace warplens::gpu::scan
