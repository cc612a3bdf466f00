// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/elementwise/problem.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

namespace warplens::gpu::library {
namespace {

using elementwise::Formula;
using Op = Formula::Op;

/// Weights between channels: of a mix, or a factor for each channel.
cv::Mat weightsOf(const elementwise::Case& of) {
    cv::Mat weights = cv::Mat::zeros(of.outputs, of.channels, CV_64F);
    const Formula& f = of.formula;
    for (int to = 0; to < of.outputs; ++to) {
        for (int from = 0; from < of.channels; ++from) {
            double& weight = weights.at<double>(to, from);
            if (to == 3 || from == 3)
                weight = to == from ? 1 : 0;
            else
                weight = f.op == Op::mix ? f.weights[to][from] : to == from ? f.a[to] : 0;
        }
    }
    return weights;
}

/// A first, a second picture if any, and the result without its conversion, each as OpenCV's.
void call(const elementwise::Case& of, const elementwise::Curve& curve, const cv::Mat& from, const cv::Mat& with,
          cv::Mat& to) {
    const Formula& f = of.formula;
    const int depth = CV_32F;
    switch (f.op) {
        case Op::curve:
        case Op::power:
            from.convertTo(to, depth, f.a[0], f.b);
            if (std::isfinite(f.low)) cv::max(to, f.low, to);
            if (std::isfinite(f.high)) cv::min(to, f.high, to);
            if (f.op == Op::power) cv::pow(to, f.exponent, to);
            return;
        case Op::pieces: {
            cv::Mat table(1, 256, CV_32F);
            for (int v = 0; v < 256; ++v) table.at<float>(v) = static_cast<float>(curve.at(v / 255.0).value);
            return cv::LUT(from, table, to);
        }
        case Op::above: {
            from.convertTo(to, depth);
            cv::threshold(to, to, f.level, 1, cv::THRESH_BINARY);
            return;
        }
        case Op::sum: return cv::addWeighted(from, f.a[0], with, f.b, 0, to, depth);
        case Op::product: return cv::multiply(from, with, to, f.a[0], depth);
        case Op::quotient:
            cv::divide(from, with, to, f.a[0], depth);
            if (f.zeroByZero) to.setTo(0, with == 0);
            return;
        case Op::minimum: return cv::min(from, with, to);
        case Op::maximum: return cv::max(from, with, to);
        case Op::absolute: {
            cv::absdiff(from, cv::Scalar::all(0), to);
            return;
        }
        case Op::difference: return cv::absdiff(from, with, to);
        case Op::pick:
        case Op::mix: return;
    }
}

/// `made` as values of the result.
void convert(const elementwise::Case& of, cv::Mat& made, cv::Mat& to) {
    // What no int holds would become 0.
    if (made.depth() == CV_32F && to.depth() != CV_32F) cv::min(made, 0x1p20 / of.formula.scale, made);
    made.convertTo(to, to.depth(), of.formula.scale);
}

/// Bytes have 256 values: what becomes of each is looked up, with the same bits as if it were worked out.
void lookUp(const elementwise::Case& of, const elementwise::Curve& curve, const cv::Mat& from, cv::Mat& to) {
    cv::Mat values(1, 256, CV_8U), made, table(1, 256, to.depth());
    for (int v = 0; v < 256; ++v) values.at<std::uint8_t>(v) = static_cast<std::uint8_t>(v);
    call(of, curve, values, {}, made);
    convert(of, made, table);
    cv::LUT(from, table, to);
}

/// Calls slice by slice, channels side by side. Returns milliseconds of the calls alone.
double opencvElementwise(const elementwise::ElementwiseProblem& problem, io::Grid& output,
                         const std::stop_token& stop) {
    const elementwise::Case& of = problem.posed();
    const bool channels = of.mixes() || problem.chosen().task == elementwise::Task::whiteBalance;
    return millisecondsOf([&](const auto& timed) {
        for (std::int64_t z = 0; z < of.depth; ++z) {
            goOn(stop);
            const cv::Mat from = sliceOf(*problem.input(), z);
            const cv::Mat with = of.pair ? sliceOf(*problem.with(), z) : cv::Mat();
            cv::Mat to = sliceOf(output, z), made;
            timed([&] {
                const bool alike =
                    !channels && of.formula.op != Op::pick && !of.pair && from.channels() == to.channels();
                if (alike && from.depth() == CV_8U) return lookUp(of, problem.curve(), from, to);
                if (of.formula.op == Op::pick) {
                    made.create(from.size(), CV_MAKETYPE(from.depth(), of.outputs));
                    for (int c = 0; c < of.outputs; ++c) {
                        const int plane = of.formula.plane[c], pair[] = {plane % 4, c};
                        cv::mixChannels(plane < 4 ? &from : &with, 1, &made, 1, pair, 1);
                    }
                } else if (channels) {
                    cv::Mat floats;
                    from.convertTo(floats, CV_32F);
                    cv::transform(floats, made, weightsOf(of));
                } else if (of.channels > 1) {
                    call(of, problem.curve(), from.reshape(1), of.pair ? with.reshape(1) : with, made);
                    made = made.reshape(of.channels);
                } else {
                    call(of, problem.curve(), from, with, made);
                }
                convert(of, made, to);
            });
            if (of.worked == of.channels || of.outputs == 1) continue;
            cv::Mat alpha;
            channelOf(from, 3).convertTo(alpha, to.depth(), of.formula.keep);
            cv::insertChannel(alpha, to, 3);
        }
    });
}

}  // namespace
}  // namespace warplens::gpu::library

namespace warplens::gpu::elementwise {

// Its floats are as ours but for the power, which it takes by a table: no bound of its own is stated for it.
ElementwiseFrame::Library opencv_library() {
    return {.refusal = [](const ElementwiseProblem& p) -> std::string {
                const Case& of = p.posed();
                if (of.formula.op == Formula::Op::pieces && of.type != io::PixelType::u8)
                    return "OpenCV has tables of bytes only";
                return of.formula.op == Formula::Op::power ? "OpenCV's power of floats is less exact than the bound"
                                                           : "";
            },
            .run = [](const ElementwiseProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
                auto output = p.emptyOutput();
                milliseconds = library::opencvElementwise(p, *output, stop);
                return {.picture = std::move(output)};
            }};
}

}  // namespace warplens::gpu::elementwise
