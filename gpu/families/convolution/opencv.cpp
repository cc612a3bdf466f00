// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/opencv.hpp"

#include "gpu/core/error.hpp"

#include <chrono>
#include <cstring>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace warplens::gpu::library {
namespace {

int depthOf(io::PixelType type) {
    return type == io::PixelType::u8 ? CV_8U : type == io::PixelType::u16 ? CV_16U : CV_32F;
}

int borderOf(Border border) {
    switch (border) {
        case Border::replicate: return cv::BORDER_REPLICATE;
        case Border::reflect: return cv::BORDER_REFLECT_101;
        case Border::wrap: return cv::BORDER_WRAP;
        case Border::zero: break;
    }
    return cv::BORDER_CONSTANT;
}

}  // namespace

std::string opencvNote() {
    return "OpenCV sums in its own order, by DFT for large filters: its bound is 64 times the kernels'";
}

double opencvFilter(const io::Grid& input, const convolution::Filter& filter, Border border, double offset,
                    int channels, io::Grid& output) {
    const auto& s = input.shape();
    const auto width = static_cast<int>(s.width), height = static_cast<int>(s.height);
    const int inType = CV_MAKETYPE(depthOf(input.type()), s.channels), outDepth = depthOf(output.type());
    const cv::Mat weights(filter.height, filter.width, CV_32F, const_cast<float*>(filter.weights.data()));
    double milliseconds = 0;
    try {
        for (std::int64_t z = 0; z < s.depth; ++z) {
            const cv::Mat source(
                height, width, inType,
                const_cast<std::byte*>(input.data() + input.index(0, 0, z) * io::sizeOf(input.type())));
            cv::Mat target(height, width, CV_MAKETYPE(outDepth, s.channels),
                           output.data() + output.index(0, 0, z) * io::sizeOf(output.type()));
            const auto start = std::chrono::steady_clock::now();
            if (border == Border::wrap) {
                // filter2D knows no wrap; the border is made once and the filter reads inside it.
                const int rx = filter.width / 2, ry = filter.height / 2;
                cv::Mat padded, filtered;
                cv::copyMakeBorder(source, padded, ry, ry, rx, rx, cv::BORDER_WRAP);
                cv::filter2D(padded, filtered, outDepth, weights, cv::Point(-1, -1), offset, cv::BORDER_CONSTANT);
                filtered(cv::Rect(rx, ry, width, height)).copyTo(target);
            } else {
                cv::filter2D(source, target, outDepth, weights, cv::Point(-1, -1), offset,
                             borderOf(border) | cv::BORDER_ISOLATED);
            }
            milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            if (channels < s.channels) {
                for (std::int64_t y = 0; y < s.height; ++y) {
                    for (std::int64_t x = 0; x < s.width; ++x) output.setValue(x, y, z, 3, input.value(x, y, z, 3));
                }
            }
        }
    } catch (const cv::Exception& error) {
        throw Error(Error::Kind::unsupported, "opencv: " + error.err);
    }
    return milliseconds;
}

}  // namespace warplens::gpu::library
