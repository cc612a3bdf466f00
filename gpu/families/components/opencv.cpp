// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/components/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <opencv2/imgproc.hpp>

namespace warplens::gpu::library {
namespace {

components::Measured measuredOf(const cv::Mat& stats, const cv::Mat& centroids, int label) {
    const auto figure = [&](int column) { return static_cast<std::int64_t>(stats.at<int>(label, column)); };
    components::Measured measured{.area = figure(cv::CC_STAT_AREA)};
    measured.low = {figure(cv::CC_STAT_LEFT), figure(cv::CC_STAT_TOP), 0};
    measured.high = {measured.low[0] + figure(cv::CC_STAT_WIDTH) - 1, measured.low[1] + figure(cv::CC_STAT_HEIGHT) - 1,
                     0};
    measured.centre = {centroids.at<double>(label, 0), centroids.at<double>(label, 1), 0};
    return measured;
}

/// connectedComponentsWithStats of a mask made beforehand. Returns milliseconds of the call alone; `output` and
/// `components` are numbered by first pixel, as OpenCV numbers them but for threads that share the rows out.
double opencvComponents(const io::Grid& input, const components::LabellingOptions& asked, io::Grid& output,
                        std::vector<components::Measured>& found) {
    const io::Shape& s = input.shape();
    return millisecondsOf([&](const auto& timed) {
        cv::Mat mask(static_cast<int>(s.height), static_cast<int>(s.width), CV_8U), labels, stats, centroids;
        const auto pixels = static_cast<std::size_t>(s.pixels());
        for (std::size_t i = 0; i < pixels; ++i) mask.data[i] = components::insideAt(input, asked.level, i) ? 255 : 0;
        int count = 0;
        timed([&] {
            count = cv::connectedComponentsWithStats(mask, labels, stats, centroids, asked.corners ? 8 : 4, CV_32S,
                                                     cv::CCL_WU);
        });
        std::vector<std::uint32_t> numbers(static_cast<std::size_t>(count));
        found.clear();
        for (std::size_t i = 0; i < pixels; ++i) {
            const int label = labels.ptr<int>()[i];
            auto& number = numbers[static_cast<std::size_t>(label)];
            if (label != 0 && number == 0) {
                found.push_back(measuredOf(stats, centroids, label));
                number = static_cast<std::uint32_t>(found.size());
            }
            output.as<std::uint32_t>()[i] = number;
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::components {

ComponentsFrame::Library opencv_library() {
    return {.refusal = [](const ComponentsProblem& p) -> std::string {
                return p.posed().depth > 1 ? "OpenCV labels pictures, not volumes" : "";
            },
            .run = [](const ComponentsProblem& p, double& milliseconds, const std::stop_token&) -> Result {
                auto output = p.emptyOutput();
                std::vector<Measured> found;
                milliseconds = library::opencvComponents(*p.input(), p.asked(), *output, found);
                return {.picture = std::move(output), .tables = {componentsTable(found)}};
            }};
}

}  // namespace warplens::gpu::components
