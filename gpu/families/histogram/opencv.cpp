// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <limits>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace warplens::gpu::library {
namespace {

/// Why OpenCV cannot count these values, or empty.
std::string opencvHistogramRefusal(const io::Grid& values) {
    if (values.empty()) return "OpenCV refuses to count no values";
    if (values.shape().values() <= std::numeric_limits<int>::max()) return {};
    return "OpenCV counts at most 2,147,483,647 values, not " + std::to_string(values.shape().values());
}

/// cv::calcHist, a channel at a time. Bins of one width go by its uniform way, others by the table of edges. Returns
/// milliseconds of the calls alone.
double opencvHistogram(const io::Grid& values, const histogram::Edges& edges, BinnedCounts& result) {
    const cv::Mat picture = slicesOf(values);
    const std::vector<float> table =
        edges.equal ? std::vector<float>{static_cast<float>(edges.lo()), static_cast<float>(edges.hi())}
                    : histogram::thresholds(edges);
    const float* ranges[] = {table.data()};
    const int bins = edges.bins();
    return millisecondsOf([&](const auto& timed) {
        for (int c = 0; c < picture.channels(); ++c) {
            cv::Mat counts;
            timed([&] { cv::calcHist(&picture, 1, &c, cv::Mat(), counts, 1, &bins, ranges, edges.equal); });
            auto& to = result.channels[static_cast<std::size_t>(c)].bins;
            for (int k = 0; k < bins; ++k)
                to[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(counts.at<float>(k));
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::histogram {

HistogramFrame::Library opencv_library() {
    return {.refusal = [](const HistogramProblem& p) { return library::opencvHistogramRefusal(*p.input()); },
            .run = [](const HistogramProblem& p, double& milliseconds, const std::stop_token&) -> Result {
                // OpenCV leaves out what lies beside the bins; Warplens counts it, so that the row adds up.
                BinnedCounts counted = *p.reference({});
                milliseconds = library::opencvHistogram(*p.input(), p.edges(), counted);
                return {.picture = {}, .tables = tablesOf(counted)};
            },
            .note =
                "OpenCV places a value by floor(v bins / (hi - lo) - lo bins / (hi - lo)) in double, so that one "
                "beside an edge may fall into the next bin, and returns f32, exact to 16,777,216 a bin; it drops "
                "what lies beside the bins, which Warplens counts"};
}

}  // namespace warplens::gpu::histogram
