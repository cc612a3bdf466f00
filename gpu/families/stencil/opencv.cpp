// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <vector>

namespace warplens::gpu::library {
namespace {

/// Regions of slice z take their value.
void hold(cv::Mat& slice, const stencil::Operator& op, int z) {
    for (const auto& r : op.regions) {
        if (z < r.first[2] || z > r.last[2]) continue;
        slice(cv::Rect(cv::Point(r.first[0], r.first[1]), cv::Point(r.last[0] + 1, r.last[1] + 1)))
            .setTo(static_cast<double>(r.value));
    }
}

void step(const cv::Mat& from, cv::Mat& to, const cv::Mat& weights, const stencil::Operator& op, int z) {
    cv::filter2D(from, to, CV_32F, weights, cv::Point(-1, -1), 0, cv::BORDER_REPLICATE);
    from.row(0).copyTo(to.row(0));
    from.row(from.rows - 1).copyTo(to.row(to.rows - 1));
    from.col(0).copyTo(to.col(0));
    from.col(from.cols - 1).copyTo(to.col(to.cols - 1));
    hold(to, op, z);
}

/// One slice of one channel.
struct Plane {
    cv::Mat now, next;
    int z = 0, channel = 0;
};

/// Largest change of a value; NaN where there is one.
float largestChange(const cv::Mat& a, const cv::Mat& b) {
    float largest = 0;
    for (int y = 0; y < a.rows; ++y) {
        const float *before = a.ptr<float>(y), *after = b.ptr<float>(y);
        for (int x = 0; x < a.cols; ++x) {
            const float change = std::fabs(after[x] - before[x]);
            if (std::isnan(change)) return change;
            largest = std::max(largest, change);
        }
    }
    return largest;
}

/// All planes together, so that a tolerance is met by every one of them.
void iterate(std::vector<Plane>& planes, const cv::Mat& weights, const stencil::Operator& op,
             const stencil::Schedule& schedule, ConvergenceHistory& evolution, const std::stop_token& stop) {
    evolution = {.iterations = 0, .stopped = "iterations", .residuals = {}};
    while (evolution.iterations < schedule.iterations) {
        for (Plane& plane : planes) {
            if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
            step(plane.now, plane.next, weights, op, plane.z);
            std::swap(plane.now, plane.next);
        }
        ++evolution.iterations;
        if (schedule.residualEvery == 0) continue;
        if (evolution.iterations % schedule.residualEvery != 0 && evolution.iterations < schedule.iterations) continue;
        float largest = 0;
        for (const Plane& plane : planes) {
            const float change = largestChange(plane.next, plane.now);
            if (std::isnan(change) || change > largest) largest = change;
            if (std::isnan(largest)) break;
        }
        evolution.residuals.push_back({evolution.iterations, static_cast<double>(largest)});
        if (static_cast<double>(largest) < schedule.tolerance) {
            evolution.stopped = "tolerance";
            return;
        }
    }
}

void put(const Plane& plane, io::Grid& output) {
    for (int y = 0; y < plane.now.rows; ++y) {
        for (int x = 0; x < plane.now.cols; ++x)
            output.as<float>()[output.index(x, y, plane.z, plane.channel)] = plane.now.at<float>(y, x);
    }
}

/// Steps of a 2D cross by cv::filter2D with a 3 x 3 matrix on all cores, slice by slice; faces and regions that are
/// held are put back after each step, and the largest change is found as the schedule says, within the time. Returns
/// the f32 field; `evolution` is how it went, `milliseconds` what the steps alone took. Stopping throws
/// Error(cancelled) after the slice under way.
io::Grid opencvIterate(const stencil::StencilProblem& problem, ConvergenceHistory& evolution, double& milliseconds,
                       const std::stop_token& stop) {
    const io::Grid& input = *problem.input();
    const stencil::Operator& op = problem.op();
    const auto& s = input.shape();
    const auto width = static_cast<int>(s.width), height = static_cast<int>(s.height);
    const auto& c = op.weights;
    const cv::Mat weights = (cv::Mat_<float>(3, 3) << 0, c[3], 0, c[1], c[0], c[2], 0, c[4], 0);
    io::Grid output(s, io::PixelType::f32);
    milliseconds = millisecondsOf([&](const auto& timed) {
        std::vector<Plane> planes;
        for (int z = 0; z < static_cast<int>(s.depth); ++z) {
            for (int channel = 0; channel < s.channels; ++channel) {
                Plane plane{cv::Mat(height, width, CV_32F), {}, z, channel};
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x)
                        plane.now.at<float>(y, x) = static_cast<float>(input.value(x, y, z, channel));
                }
                if (channel >= problem.extent().stepped) {
                    put(plane, output);
                    continue;
                }
                hold(plane.now, op, z);
                plane.next.create(height, width, CV_32F);
                planes.push_back(std::move(plane));
            }
        }
        timed([&] { iterate(planes, weights, op, problem.schedule(), evolution, stop); });
        for (const Plane& plane : planes) put(plane, output);
    });
    return output;
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::stencil {

StencilFrame::Library opencv_library() {
    return {.refusal = [](const StencilProblem& p) -> std::string {
                return p.op().pattern == Pattern::cross ? "" : "OpenCV filters pictures: its row is for 2D stencils";
            },
            .run = [](const StencilProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
                ConvergenceHistory evolution;
                auto field = library::opencvIterate(p, evolution, milliseconds, stop);
                return {.picture = p.finish(std::move(field)), .tables = tablesOf(evolution)};
            },
            .bound = 2,  // four of the nine products have a weight of 0
            .note = "OpenCV sums nine products in its own order: its bound is 2 times the kernels'"};
}

}  // namespace warplens::gpu::stencil
