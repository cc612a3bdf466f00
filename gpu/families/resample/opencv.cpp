// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/resample/problem.hpp"
#include "gpu/families/resample/weights.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <opencv2/imgproc.hpp>

namespace warplens::gpu::resample {
namespace {

std::string opencvRefusal(const ResampleProblem& problem) {
    const Case& of = problem.posed();
    if (of.turn.turns)
        return of.method == Method::bilinear || of.method == Method::bicubic
                   ? ""
                   : "OpenCV's nearest and Lanczos (4 lobes) of rotations are others: choose bilinear or bicubic";
    if (of.method == Method::area)
        return of.x.out > of.x.in || of.y.out > of.y.in ? "OpenCV's area interpolates where it enlarges" : "";
    if (of.method != Method::bilinear && of.method != Method::bicubic)
        return "OpenCV's nearest, Lanczos (4 lobes) and cubic filters are others: choose bilinear, bicubic or area";
    return of.x.stretch > 1 || of.y.stretch > 1 ? "OpenCV widens no filter: leave antialias out, or take area" : "";
}

Result opencvResize(const ResampleProblem& problem, double& milliseconds, const std::stop_token& stop) {
    const Case& of = problem.posed();
    const int method = of.method == Method::area       ? cv::INTER_AREA
                       : of.method == Method::bilinear ? cv::INTER_LINEAR
                                                       : cv::INTER_CUBIC;
    const Turned first(of, 0, 0);
    const double cosine = static_cast<double>(of.turn.cosine) * 0x1p-31,
                 sine = static_cast<double>(of.turn.sine) * 0x1p-31;
    const cv::Matx23d places(cosine, sine, static_cast<double>(first.x) * 0x1p-32, -sine, cosine,
                             static_cast<double>(first.y) * 0x1p-32);
    auto output = problem.emptyOutput();
    milliseconds = library::millisecondsOf([&](const auto& timed) {
        for (std::int64_t z = 0; z < output->shape().depth; ++z) {
            library::goOn(stop);
            const cv::Mat from = library::sliceOf(*problem.input(), z);
            cv::Mat to = library::sliceOf(*output, z);
            timed([&] {
                if (of.turn.turns)
                    cv::warpAffine(from, to, places, to.size(), method | cv::WARP_INVERSE_MAP,
                                   library::borderOf(of.border));
                else
                    cv::resize(from, to, to.size(), 0, 0, method);
            });
        }
    });
    return {.picture = std::move(output)};
}

}  // namespace

// Weights of bytes have 11 bits; places are floats, which have 7 more bits than the largest extent.
ResampleFrame::Library opencv_library() {
    return {.refusal = &opencvRefusal,
            .run = &opencvResize,
            .bound = 0x1p-8,
            .note = "weights of 11 bits, or places in f32; of rotations places in 32nds of a pixel"};
}

}  // namespace warplens::gpu::resample
