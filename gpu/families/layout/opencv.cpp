// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <vector>

namespace warplens::gpu::library {
namespace {

std::vector<cv::Mat> slicesApart(const io::Grid& grid, std::int64_t first, std::int64_t apart, int count) {
    std::vector<cv::Mat> slices;
    for (int i = 0; i < count; ++i) slices.push_back(sliceOf(grid, first + i * apart));
    return slices;
}

void call(layout::Task task, const cv::Mat& from, cv::Mat& to) {
    switch (task) {
        case layout::Task::copy:
        case layout::Task::crop: return from.copyTo(to);
        case layout::Task::transpose: return cv::transpose(from, to);
        case layout::Task::rotate90: return cv::rotate(from, to, cv::ROTATE_90_CLOCKWISE);
        case layout::Task::rotate180: return cv::rotate(from, to, cv::ROTATE_180);
        case layout::Task::rotate270: return cv::rotate(from, to, cv::ROTATE_90_COUNTERCLOCKWISE);
        case layout::Task::flipX: return cv::flip(from, to, 1);
        default: return cv::flip(from, to, 0);
    }
}

/// Why OpenCV has no function for a task, or empty.
std::string opencvLayoutRefusal(const layout::LayoutOptions& asked) {
    if (asked.task == layout::Task::reslice)
        return "OpenCV turns pictures: it has no call that puts axes in another order";
    if (asked.readsOutOfStep()) return "OpenCV has no call that reads out of step";
    if (asked.packs() && asked.packedChannels() == 1) return "one channel is neither split nor merged";
    return {};
}

/// copyTo, transpose, rotate, flip, split or merge, slice by slice. Returns milliseconds of the calls alone.
double opencvLayout(const io::Grid& input, const layout::LayoutOptions& asked, io::Grid& output) {
    const std::int64_t depth = input.shape().depth;
    return millisecondsOf([&](const auto& timed) {
        if (asked.task == layout::Task::planar) {
            for (std::int64_t z = 0; z < depth; ++z) {
                const cv::Mat from = sliceOf(input, z);
                auto planes = slicesApart(output, z, depth, input.shape().channels);
                timed([&] { cv::split(from, planes.data()); });
            }
        } else if (asked.task == layout::Task::interleaved && input.shape().channels == 1) {
            const auto planes = slicesApart(input, 0, 1, static_cast<int>(depth));
            cv::Mat to = sliceOf(output, 0);
            timed([&] { cv::merge(planes.data(), planes.size(), to); });
        } else if (asked.task == layout::Task::interleaved) {
            for (std::int64_t z = 0; z < depth; ++z) {
                std::vector<cv::Mat> planes;
                cv::split(sliceOf(input, z), planes);
                cv::Mat to = sliceOf(output, z);
                timed([&] { cv::merge(planes, to); });
            }
        } else {
            for (std::int64_t z = 0; z < depth; ++z) {
                cv::Mat to = sliceOf(output, z);
                const cv::Rect part(static_cast<int>(asked.from[0]), static_cast<int>(asked.from[1]), to.cols, to.rows);
                const cv::Mat whole = sliceOf(input, z), from = asked.task == layout::Task::crop ? whole(part) : whole;
                timed([&] { call(asked.task, from, to); });
            }
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::layout {

LayoutFrame::Library opencv_library() {
    return {.refusal = [](const LayoutProblem& p) { return library::opencvLayoutRefusal(p.posed().asked); },
            .run = [](const LayoutProblem& p, double& milliseconds, const std::stop_token&) -> Result {
                auto output = p.emptyOutput();
                milliseconds = library::opencvLayout(*p.input(), p.posed().asked, *output);
                return {.picture = std::move(output)};
            }};
}

}  // namespace warplens::gpu::layout
