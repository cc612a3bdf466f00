// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/kernels/border.hpp"
#include "io/grid.hpp"

#include <chrono>
#include <opencv2/core.hpp>
#include <stop_token>

namespace warplens::gpu::library {

inline int depthOf(io::PixelType type) {
    return type == io::PixelType::u8 ? CV_8U : type == io::PixelType::u16 ? CV_16U : CV_32F;
}

/// `slices` slices from z on, below one another, where they lie; OpenCV may write only into what it is to fill.
inline cv::Mat slicesOf(const io::Grid& grid, std::int64_t z, std::int64_t slices) {
    const io::Shape& s = grid.shape();
    return {static_cast<int>(s.height * slices), static_cast<int>(s.width),
            CV_MAKETYPE(depthOf(grid.type()), s.channels),
            const_cast<std::byte*>(grid.data() + grid.index(0, 0, z) * io::sizeOf(grid.type()))};
}
inline cv::Mat sliceOf(const io::Grid& grid, std::int64_t z) { return slicesOf(grid, z, 1); }
inline cv::Mat slicesOf(const io::Grid& grid) { return slicesOf(grid, 0, grid.shape().depth); }

/// A copy of one channel.
inline cv::Mat channelOf(const cv::Mat& all, int channel) {
    cv::Mat one;
    cv::extractChannel(all, one, channel);
    return one;
}

inline int borderOf(Border border) {
    return border == Border::reflect     ? cv::BORDER_REFLECT_101
           : border == Border::replicate ? cv::BORDER_REPLICATE
           : border == Border::wrap      ? cv::BORDER_WRAP
                                         : cv::BORDER_CONSTANT;
}

inline void goOn(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "OpenCV stopped");
}

/// Does `work`, which calls its argument with each call that counts, and returns their milliseconds. What OpenCV throws
/// becomes one line.
template <class F>
double millisecondsOf(F work) {
    using Clock = std::chrono::steady_clock;
    Clock::duration spent{};
    try {
        work([&spent](const auto& call) {
            const auto start = Clock::now();
            call();
            spent += Clock::now() - start;
        });
    } catch (const cv::Exception& error) {
        throw Error(Error::Kind::unsupported, "opencv: " + error.err);
    }
    return std::chrono::duration<double, std::milli>(spent).count();
}

}  // namespace warplens::gpu::library
