// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/colour_table.hpp"

#include <opencv2/imgproc.hpp>

namespace warplens::gpu::render {

namespace {

std::array<std::uint32_t, 256> read(cv::ColormapTypes type) {
    cv::Mat ramp(1, 256, CV_8UC1), colours;
    for (int i = 0; i < 256; ++i) ramp.at<std::uint8_t>(0, i) = static_cast<std::uint8_t>(i);
    cv::applyColorMap(ramp, colours, type);
    std::array<std::uint32_t, 256> table{};
    for (int i = 0; i < 256; ++i) {
        const auto& bgr = colours.at<cv::Vec3b>(0, i);
        table[static_cast<std::size_t>(i)] =
            0xff000000U | static_cast<std::uint32_t>(bgr[2]) << 16U | static_cast<std::uint32_t>(bgr[1]) << 8U | bgr[0];
    }
    return table;
}

}  // namespace

const std::array<std::uint32_t, 256>& coloursOf(ColourTable table) {
    static const std::array tables{read(cv::COLORMAP_VIRIDIS), read(cv::COLORMAP_CIVIDIS), read(cv::COLORMAP_MAGMA),
                                   read(cv::COLORMAP_INFERNO), read(cv::COLORMAP_TURBO)};
    return tables[static_cast<std::size_t>(table)];
}

}  // namespace warplens::gpu::render
