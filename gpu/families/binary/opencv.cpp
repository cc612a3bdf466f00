// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/binary/problem.hpp"
#include "gpu/families/binary/reference.hpp"
#include "gpu/frame/opencv_calls.hpp"

#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace warplens::gpu::binary {

// A frame of background joins the whole edge, so that one seed floods it; the mask is made beforehand.
BinaryFrame::Library opencv_library() {
    return {.refusal = [](const BinaryProblem& p) -> std::string {
                return p.posed().thins ? "OpenCV thins in its contributed modules alone" : "";
            },
            .run = [](const BinaryProblem& p, double& milliseconds, const std::stop_token& stop) -> Result {
                auto output = p.emptyOutput();
                const Case& of = p.posed();
                milliseconds = library::millisecondsOf([&](const auto& timed) {
                    for (std::int64_t z = 0; z < of.depth; ++z) {
                        library::goOn(stop);
                        std::vector<std::uint8_t> inside = insideOf(*p.input(), of, z);
                        const cv::Mat mask(of.height, of.width, CV_8U, inside.data());
                        cv::Mat flooded, to = library::sliceOf(*output, z);
                        timed([&] {
                            cv::copyMakeBorder(mask, flooded, 1, 1, 1, 1, cv::BORDER_CONSTANT, 0);
                            cv::floodFill(flooded, {0, 0}, 2, nullptr, {}, {}, 4);
                            to.setTo(of.full);
                            to.setTo(0, flooded(cv::Rect(1, 1, of.width, of.height)) == 2);
                        });
                    }
                });
                return {.picture = std::move(output)};
            }};
}

}  // namespace warplens::gpu::binary
