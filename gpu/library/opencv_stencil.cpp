// SPDX-License-Identifier: Apache-2.0
#include "gpu/library/opencv_stencil.hpp"

#include "gpu/error.hpp"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <chrono>

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

}  // namespace

std::string opencvStencilNote() {
    return "OpenCV sums nine products in its own order: its bound is 2 times the kernels'";
}

io::Grid opencvIterate(const io::Grid& input, const stencil::Operator& op, std::int64_t steps, int channels,
                       double& milliseconds) {
    const auto& s = input.shape();
    const auto width = static_cast<int>(s.width), height = static_cast<int>(s.height);
    const auto& c = op.weights;
    const cv::Mat weights = (cv::Mat_<float>(3, 3) << 0, c[3], 0, c[1], c[0], c[2], 0, c[4], 0);
    io::Grid output(s, io::PixelType::f32);
    milliseconds = 0;
    try {
        for (int z = 0; z < static_cast<int>(s.depth); ++z) {
            for (int channel = 0; channel < s.channels; ++channel) {
                cv::Mat now(height, width, CV_32F), next(height, width, CV_32F);
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x)
                        now.at<float>(y, x) = static_cast<float>(input.value(x, y, z, channel));
                }
                if (channel < channels) {
                    hold(now, op, z);
                    const auto start = std::chrono::steady_clock::now();
                    for (std::int64_t i = 0; i < steps; ++i) {
                        step(now, next, weights, op, z);
                        std::swap(now, next);
                    }
                    milliseconds +=
                        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
                }
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x)
                        output.as<float>()[output.index(x, y, z, channel)] = now.at<float>(y, x);
                }
            }
        }
    } catch (const cv::Exception& error) {
        throw Error(Error::Kind::unsupported, "opencv: " + error.err);
    }
    return output;
}

}  // namespace warplens::gpu::library
