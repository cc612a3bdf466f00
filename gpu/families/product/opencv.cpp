// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/opencv.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <chrono>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace warplens::gpu::library {
namespace {

int depthOf(io::PixelType type) {
    return type == io::PixelType::u8 ? CV_8U : type == io::PixelType::u16 ? CV_16U : CV_32F;
}

/// Slice z of a grid, which OpenCV may write only where the grid is one that it fills.
cv::Mat sliceOf(const io::Grid& grid, std::int64_t z) {
    const io::Shape& s = grid.shape();
    return {static_cast<int>(s.height), static_cast<int>(s.width), CV_MAKETYPE(depthOf(grid.type()), s.channels),
            const_cast<std::byte*>(grid.data() + grid.index(0, 0, z) * io::sizeOf(grid.type()))};
}

cv::Mat layerOf(const product::Factor& factor, int layer) {
    return {factor.rows, factor.columns, CV_32F,
            const_cast<float*>(&factor.values[factor.index(0, 0, layer % factor.layers)]),
            static_cast<std::size_t>(factor.rowValues()) * sizeof(float)};
}

/// The calls' own time.
class Watch {
public:
    template <class F>
    void time(F f) {
        const auto start = std::chrono::steady_clock::now();
        f();
        m_milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    double milliseconds() const { return m_milliseconds; }

private:
    double m_milliseconds = 0;
};

void goOn(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "OpenCV stopped");
}

/// Band by band, a few tenths of a second each: a call of cv::gemm cannot be stopped.
cv::Mat multiplied(const cv::Mat& left, const cv::Mat& right, Watch& watch, const std::stop_token& stop) {
    constexpr std::int64_t kMultiplyAdds = std::int64_t{1} << 29;
    const auto rows = static_cast<int>(
        std::clamp<std::int64_t>(kMultiplyAdds / (std::int64_t{right.rows} * right.cols), 1, left.rows));
    cv::Mat made(left.rows, right.cols, CV_32F);
    for (int first = 0; first < left.rows; first += rows) {
        goOn(stop);
        const cv::Range band(first, std::min(first + rows, left.rows));
        cv::Mat to = made.rowRange(band);
        watch.time([&] { cv::gemm(left.rowRange(band), right, 1, cv::noArray(), 0, to); });
    }
    return made;
}

cv::Mat withoutHighest(const cv::Mat& plane, const product::Case& asked, Watch& watch) {
    cv::Mat frequencies, back;
    watch.time([&] {
        cv::dct(plane, frequencies);
        frequencies.colRange(asked.keptX, frequencies.cols).setTo(0);
        frequencies.rowRange(asked.keptY, frequencies.rows).setTo(0);
        cv::idct(frequencies, back);
    });
    return back;
}

void mixColours(const io::Grid& input, const std::array<float, 12>& weights, io::Grid& output, Watch& watch) {
    cv::Mat matrix(3, 4, CV_32F, const_cast<float*>(weights.data()));
    if (input.shape().channels == 4) {  // with alpha as it is
        cv::Mat wider = cv::Mat::zeros(4, 5, CV_32F);
        matrix.colRange(0, 3).copyTo(wider(cv::Rect(0, 0, 3, 3)));
        matrix.col(3).copyTo(wider(cv::Rect(4, 0, 1, 3)));
        wider.at<float>(3, 3) = 1;
        matrix = wider;
    }
    for (std::int64_t z = 0; z < input.shape().depth; ++z) {
        const cv::Mat from = sliceOf(input, z);
        cv::Mat to = sliceOf(output, z);
        watch.time([&] { cv::transform(from, to, matrix); });
    }
}

}  // namespace

std::string opencvProductRefusal(const product::Case& asked) {
    const auto odd = [](int n) { return n % 2 == 1 && n > 1; };
    if (asked.task == product::Task::dct && (odd(asked.width) || odd(asked.height)))
        return "OpenCV's dct takes even extents";
    return {};
}

std::string opencvProductNote(const product::Case& asked) {
    if (asked.task == product::Task::colours && asked.type == io::PixelType::u8)
        return "OpenCV rounds the weights of bytes to 1 / 1024";
    return {};
}

double opencvProduct(const io::Grid& input, const product::Case& asked, const product::Factor& factor,
                     const std::array<float, 12>& weights, io::Grid& output, const std::stop_token& stop) {
    const io::Shape& s = input.shape();
    Watch watch;
    try {
        if (asked.task == product::Task::colours) {
            mixColours(input, weights, output, watch);
            return watch.milliseconds();
        }
        for (std::int64_t z = 0; z < s.depth; ++z) {
            for (int c = 0; c < s.channels; ++c) {
                goOn(stop);
                cv::Mat plane, made;
                cv::extractChannel(sliceOf(input, z), plane, c);
                if (asked.keepsAlpha && c == 3) {
                    cv::Mat to = sliceOf(output, z);
                    cv::insertChannel(plane, to, c);
                    continue;
                }
                if (asked.task != product::Task::bank) plane.convertTo(plane, CV_32F);
                if (asked.task == product::Task::product) {
                    const cv::Mat right = layerOf(factor, static_cast<int>(c * s.depth + z));
                    made = multiplied(plane, right, watch, stop);
                } else if (asked.task == product::Task::dct) {
                    made = withoutHighest(plane, asked, watch);
                    made.convertTo(made, depthOf(output.type()));
                }
                for (int f = 0; f < asked.filters; ++f) {
                    goOn(stop);
                    const cv::Mat taps(asked.side, asked.side, CV_32F,
                                       const_cast<float*>(&factor.values[factor.index(f, 0)]));
                    watch.time([&] { cv::filter2D(plane, made, CV_32F, taps, {-1, -1}, 0, cv::BORDER_CONSTANT); });
                    cv::Mat to = sliceOf(output, f);
                    cv::insertChannel(made, to, c);
                }
                if (asked.task == product::Task::bank) continue;
                cv::Mat to = sliceOf(output, z);
                cv::insertChannel(made, to, c);
            }
        }
    } catch (const cv::Exception& error) {
        throw Error(Error::Kind::unsupported, "opencv: " + error.err);
    }
    return watch.milliseconds();
}

}  // namespace warplens::gpu::library
