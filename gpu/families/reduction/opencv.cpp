// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <cmath>
#include <limits>

namespace warplens::gpu::library {
namespace {

using reduction::ChannelComparison;
using reduction::ChannelStatistics;

/// Whether sums of products in f32 stay in range; false of NaN.
bool moderate(const io::Grid& grid) {
    if (grid.type() != io::PixelType::f32) return true;
    const auto count = static_cast<std::size_t>(grid.shape().values());
    for (std::size_t i = 0; i < count; ++i)
        if (!(std::fabs(grid.as<float>()[i]) < 1e15F)) return false;
    return true;
}

/// Why OpenCV cannot measure this picture, or compare it with the other, or empty.
std::string opencvReductionRefusal(const io::Grid& picture, const io::Grid* with) {
    if (picture.empty()) return "OpenCV measures no empty picture";
    if (picture.shape().pixels() > std::numeric_limits<int>::max())
        return "OpenCV takes at most 2,147,483,647 pixels, not " + std::to_string(picture.shape().pixels());
    if (!moderate(picture) || (with != nullptr && !moderate(*with)))
        return "OpenCV does not tell NaN apart, and its sums in f32 overflow beyond 1e15";
    return {};
}

/// minMaxLoc, sum and meanStdDev, a channel at a time.
template <class Timed>
std::vector<ChannelStatistics> opencvStatistics(const io::Grid& picture, const Timed& timed) {
    std::vector<ChannelStatistics> rows;
    for (int c = 0; c < picture.shape().channels; ++c) {
        const cv::Mat one = channelOf(slicesOf(picture), c);
        ChannelStatistics row{.count = picture.shape().pixels()};
        cv::Point least, most;
        cv::Scalar sum, mean, deviation;
        timed([&] {
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

/// dot, norm and a count of what differs.
template <class Timed>
std::vector<ChannelComparison> opencvComparison(const io::Grid& picture, const io::Grid& with, const Timed& timed) {
    std::vector<ChannelComparison> rows;
    const auto n = static_cast<double>(picture.shape().pixels());
    for (int c = 0; c < picture.shape().channels; ++c) {
        const cv::Mat a = channelOf(slicesOf(picture), c), b = channelOf(slicesOf(with), c);
        ChannelComparison row;
        double peak = picture.type() == io::PixelType::u8 ? 255 : 65535;
        timed([&] {
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

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::reduction {

ReductionFrame::Library opencv_library() {
    return {.refusal =
                [](const ReductionProblem& p) { return library::opencvReductionRefusal(*p.input(), p.with().get()); },
            .run = [](const ReductionProblem& p, double& milliseconds, const std::stop_token&) -> Result {
                const bool floats = p.input()->type() == io::PixelType::f32;
                const io::Shape& shape = p.input()->shape();
                Table table;
                milliseconds = library::millisecondsOf([&](const auto& timed) {
                    table =
                        p.with() != nullptr
                            ? comparisonTable(library::opencvComparison(*p.input(), *p.with(), timed), shape, floats)
                            : statisticsTable(library::opencvStatistics(*p.input(), timed), shape, floats);
                });
                return {.picture = {}, .tables = {std::make_shared<const Table>(std::move(table))}};
            },
            .bound = 0x1p-12,  // products of long stretches are added in f32
            .note =
                "OpenCV takes the variance as E[x^2] - E[x]^2 in double, which loses digits where the mean is "
                "large"};
}

}  // namespace warplens::gpu::reduction
