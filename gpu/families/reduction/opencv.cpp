// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/opencv.hpp"

#include "gpu/core/error.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <opencv2/core.hpp>

namespace warplens::gpu::library {
namespace {

using reduction::ChannelComparison;
using reduction::ChannelStatistics;

/// A channel as one matrix, slices below one another.
cv::Mat channelOf(const io::Grid& grid, int channel) {
    const auto& s = grid.shape();
    const int depth = grid.type() == io::PixelType::u8 ? CV_8U : grid.type() == io::PixelType::u16 ? CV_16U : CV_32F;
    const cv::Mat all(static_cast<int>(s.height * s.depth), static_cast<int>(s.width), CV_MAKETYPE(depth, s.channels),
                      const_cast<std::byte*>(grid.data()));
    cv::Mat one;
    cv::extractChannel(all, one, channel);
    return one;
}

/// Times a channel's calls; what OpenCV throws becomes one line.
template <class F>
void timed(double& milliseconds, F f) {
    try {
        const auto start = std::chrono::steady_clock::now();
        f();
        milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    } catch (const cv::Exception& error) {
        throw Error(Error::Kind::unsupported, "opencv: " + error.err);
    }
}

/// Whether sums of products in f32 stay in range; false of NaN.
bool moderate(const io::Grid& grid) {
    if (grid.type() != io::PixelType::f32) return true;
    const auto count = static_cast<std::size_t>(grid.shape().values());
    for (std::size_t i = 0; i < count; ++i)
        if (!(std::fabs(grid.as<float>()[i]) < 1e15F)) return false;
    return true;
}

}  // namespace

std::string opencvReductionNote() {
    return "OpenCV takes the variance as E[x^2] - E[x]^2 in double, which loses digits where the mean is large";
}

std::string opencvReductionRefusal(const io::Grid& picture, const io::Grid* with) {
    if (picture.empty()) return "OpenCV measures no empty picture";
    if (picture.shape().pixels() > std::numeric_limits<int>::max())
        return "OpenCV takes at most 2,147,483,647 pixels, not " + std::to_string(picture.shape().pixels());
    if (!moderate(picture) || (with != nullptr && !moderate(*with)))
        return "OpenCV does not tell NaN apart, and its sums in f32 overflow beyond 1e15";
    return {};
}

std::vector<ChannelStatistics> opencvStatistics(const io::Grid& picture, double& milliseconds) {
    std::vector<ChannelStatistics> rows;
    for (int c = 0; c < picture.shape().channels; ++c) {
        const cv::Mat one = channelOf(picture, c);
        ChannelStatistics row{.count = picture.shape().pixels()};
        cv::Point least, most;
        cv::Scalar sum, mean, deviation;
        timed(milliseconds, [&] {
            cv::minMaxLoc(one, &row.minimum, &row.maximum, &least, &most);
            sum = cv::sum(one);
            cv::meanStdDev(one, mean, deviation);
        });
        row.minimumAt = std::int64_t{least.y} * picture.shape().width + least.x;
        row.maximumAt = std::int64_t{most.y} * picture.shape().width + most.x;
        row.sum = sum[0];
        row.total = std::llround(sum[0]);
        row.mean = mean[0];
        row.variance = deviation[0] * deviation[0];
        rows.push_back(row);
    }
    return rows;
}

std::vector<ChannelComparison> opencvComparison(const io::Grid& picture, const io::Grid& with, double& milliseconds) {
    std::vector<ChannelComparison> rows;
    const auto n = static_cast<double>(picture.shape().pixels());
    for (int c = 0; c < picture.shape().channels; ++c) {
        const cv::Mat a = channelOf(picture, c), b = channelOf(with, c);
        ChannelComparison row;
        double peak = picture.type() == io::PixelType::u8 ? 255 : 65535;
        timed(milliseconds, [&] {
            row.dot = a.dot(b);
            row.maxAbs = cv::norm(a, b, cv::NORM_INF);
            row.meanAbs = cv::norm(a, b, cv::NORM_L1) / n;
            row.rmse = cv::norm(a, b, cv::NORM_L2) / std::sqrt(n);
            row.mismatches = cv::countNonZero(a != b);
            if (a.depth() == CV_32F) {
                double low = 0, high = 0;
                cv::minMaxLoc(b, &low, &high);
                peak = high > low ? high - low : 1;
            }
        });
        row.exactDot = std::llround(row.dot);
        row.psnr = reduction::psnrOf(peak, row.rmse);
        rows.push_back(row);
    }
    return rows;
}

}  // namespace warplens::gpu::library
