// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace warplens::gpu::library {
namespace {

cv::Mat layerOf(const product::Factor& factor, int layer) {
    return {factor.rows, factor.columns, CV_32F,
            const_cast<float*>(&factor.values[factor.index(0, 0, layer % factor.layers)]),
            static_cast<std::size_t>(factor.rowValues()) * sizeof(float)};
}

/// Band by band, a few tenths of a second each: a call of cv::gemm cannot be stopped.
template <class Timed>
cv::Mat multiplied(const cv::Mat& left, const cv::Mat& right, const Timed& timed, const std::stop_token& stop) {
    constexpr std::int64_t kMultiplyAdds = std::int64_t{1} << 29;
    const auto rows = static_cast<int>(
        std::clamp<std::int64_t>(kMultiplyAdds / (std::int64_t{right.rows} * right.cols), 1, left.rows));
    cv::Mat made(left.rows, right.cols, CV_32F);
    for (int first = 0; first < left.rows; first += rows) {
        goOn(stop);
        const cv::Range band(first, std::min(first + rows, left.rows));
        cv::Mat to = made.rowRange(band);
        timed([&] { cv::gemm(left.rowRange(band), right, 1, cv::noArray(), 0, to); });
    }
    return made;
}

template <class Timed>
cv::Mat withoutHighest(const cv::Mat& plane, const product::Case& asked, const Timed& timed) {
    cv::Mat frequencies, back;
    timed([&] {
        cv::dct(plane, frequencies);
        frequencies.colRange(asked.keptX, frequencies.cols).setTo(0);
        frequencies.rowRange(asked.keptY, frequencies.rows).setTo(0);
        cv::idct(frequencies, back);
    });
    return back;
}

template <class Timed>
void mixColours(const io::Grid& input, const std::array<float, 12>& weights, io::Grid& output, const Timed& timed) {
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
        timed([&] { cv::transform(from, to, matrix); });
    }
}

/// Why OpenCV has no function for this, or empty.
std::string opencvProductRefusal(const product::Case& asked) {
    const auto odd = [](int n) { return n % 2 == 1 && n > 1; };
    if (asked.task == product::Task::dct && (odd(asked.width) || odd(asked.height)))
        return "OpenCV's dct takes even extents";
    return {};
}

/// OpenCV sums in its own order, and by DFT from 11 x 11 on. Of bytes it mixes colours by weights rounded to 1 / 1024:
/// three of half that of 255 each, and of what is added.
product::Bound opencvProductBound(const product::Case& asked) {
    const bool bytes = asked.task == product::Task::colours && asked.type == io::PixelType::u8;
    return {.factor = 64, .absolute = bytes ? (3 * 255 + 1) * 0x1p-11 : 0};
}

/// gemm, dct and idct, filter2D or transform, slice by slice and channel by channel. Returns milliseconds of the calls
/// alone, without conversions.
double opencvProduct(const product::ProductProblem& problem, io::Grid& output, const std::stop_token& stop) {
    const io::Grid& input = *problem.input();
    const product::Case& asked = problem.posed();
    const product::Factor& factor = problem.factor();
    const io::Shape& s = input.shape();
    return millisecondsOf([&](const auto& timed) {
        if (asked.task == product::Task::colours) {
            mixColours(input, problem.weights(), output, timed);
            return;
        }
        for (std::int64_t z = 0; z < s.depth; ++z) {
            for (int c = 0; c < s.channels; ++c) {
                goOn(stop);
                cv::Mat plane = channelOf(sliceOf(input, z), c), made;
                if (asked.keepsAlpha && c == 3) {
                    cv::Mat to = sliceOf(output, z);
                    cv::insertChannel(plane, to, c);
                    continue;
                }
                if (asked.task != product::Task::bank) plane.convertTo(plane, CV_32F);
                if (asked.task == product::Task::product) {
                    const cv::Mat right = layerOf(factor, static_cast<int>(c * s.depth + z));
                    made = multiplied(plane, right, timed, stop);
                } else if (asked.task == product::Task::dct) {
                    made = withoutHighest(plane, asked, timed);
                    made.convertTo(made, depthOf(output.type()));
                }
                for (int f = 0; f < asked.filters; ++f) {
                    goOn(stop);
                    const cv::Mat taps(asked.side, asked.side, CV_32F,
                                       const_cast<float*>(&factor.values[factor.index(f, 0)]));
                    timed([&] { cv::filter2D(plane, made, CV_32F, taps, {-1, -1}, 0, cv::BORDER_CONSTANT); });
                    cv::Mat to = sliceOf(output, f);
                    cv::insertChannel(made, to, c);
                }
                if (asked.task == product::Task::bank) continue;
                cv::Mat to = sliceOf(output, z);
                cv::insertChannel(made, to, c);
            }
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::product {

ProductFrame::Library opencv_library() {
    return {.refusal = [](const ProductProblem& p) { return library::opencvProductRefusal(p.posed()); },
            .run = [](const ProductProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
                auto output = p.emptyOutput();
                milliseconds = library::opencvProduct(p, *output, stop);
                return {.picture = std::move(output)};
            },
            .bound = &library::opencvProductBound,
            .note = "OpenCV rounds the weights of bytes to 1 / 1024"};
}

}  // namespace warplens::gpu::product
