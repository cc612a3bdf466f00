// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/clipboard_picture.hpp"

#include "gui/picture/render.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::gui {

namespace {

bool shinesThrough(const QImage& image) {
    for (int y = 0; y < image.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        if (std::any_of(row, row + image.width(), [](QRgb pixel) { return qAlpha(pixel) < 255; })) return true;
    }
    return false;
}

}  // namespace

QImage clipboardImage(const io::Grid& picture, const OwnDisplay& display, int slice) {
    const io::Shape& shape = picture.shape();
    RenderRequest request;
    request.size = {static_cast<int>(shape.width), static_cast<int>(shape.height)};
    request.centre = QPointF(request.size.width(), request.size.height()) / 2;
    request.slice = slice;
    request.range = display.range;
    request.map = display.map;
    request.labelColours = false;  // asked already
    request.outside = display.blankBelow ? Outside::blank : Outside::clamped;
    return render(picture, nullptr, request);
}

std::shared_ptr<const io::Grid> pictureOf(const QImage& image) {
    if (image.isNull()) return nullptr;
    const QImage straight = image.convertToFormat(QImage::Format_ARGB32);
    const int channels = image.allGray() && !shinesThrough(straight) ? 1 : shinesThrough(straight) ? 4 : 3;
    const QImage rows = straight.convertToFormat(channels == 1   ? QImage::Format_Grayscale8
                                                 : channels == 3 ? QImage::Format_RGB888
                                                                 : QImage::Format_RGBA8888);
    auto picture = std::make_shared<io::Grid>(io::Shape{image.width(), image.height(), 1, channels}, io::PixelType::u8);
    const auto wide = static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(channels);
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(picture->as<std::uint8_t>() + static_cast<std::size_t>(y) * wide, rows.constScanLine(y), wide);
    return picture;
}

}  // namespace warplens::gui
