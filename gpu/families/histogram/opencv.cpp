// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/opencv.hpp"

#include "gpu/core/error.hpp"

#include <chrono>
#include <limits>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace warplens::gpu::library {

std::string opencvHistogramNote() {
    return "OpenCV places a value by floor(v bins / (hi - lo) - lo bins / (hi - lo)) in double, so that one beside an "
           "edge may fall "
           "into the next bin, and returns f32, exact to 16,777,216 a bin; it drops what lies beside the bins, which "
           "Warplens counts";
}

std::string opencvHistogramRefusal(const io::Grid& values) {
    if (values.empty()) return "OpenCV refuses to count no values";
    if (values.shape().values() <= std::numeric_limits<int>::max()) return {};
    return "OpenCV counts at most 2,147,483,647 values, not " + std::to_string(values.shape().values());
}

double opencvHistogram(const io::Grid& values, const histogram::Edges& edges, BinnedCounts& result) {
    const auto& s = values.shape();
    const int depth = values.type() == io::PixelType::u8    ? CV_8U
                      : values.type() == io::PixelType::u16 ? CV_16U
                                                            : CV_32F;
    const cv::Mat picture(static_cast<int>(s.height * s.depth), static_cast<int>(s.width),
                          CV_MAKETYPE(depth, s.channels), const_cast<std::byte*>(values.data()));
    const std::vector<float> table =
        edges.equal ? std::vector<float>{static_cast<float>(edges.lo()), static_cast<float>(edges.hi())}
                    : histogram::thresholds(edges);
    const float* ranges[] = {table.data()};
    const int bins = edges.bins();
    double milliseconds = 0;
    try {
        for (int c = 0; c < s.channels; ++c) {
            cv::Mat counts;
            const auto start = std::chrono::steady_clock::now();
            cv::calcHist(&picture, 1, &c, cv::Mat(), counts, 1, &bins, ranges, edges.equal);
            milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            auto& to = result.channels[static_cast<std::size_t>(c)].bins;
            for (int k = 0; k < bins; ++k)
                to[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(counts.at<float>(k));
        }
    } catch (const cv::Exception& error) {
        throw Error(Error::Kind::unsupported, "opencv: " + error.err);
    }
    return milliseconds;
}

}  // namespace warplens::gpu::library
