// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/render.hpp"

#include "gpu/render/host_painter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

/// Which stored rows or columns the screen's rows or columns begin to end - 1 show.
struct VisibleLine : gpu::render::DisplayLine {
    int begin = 0, end = 0;
};

/// `extent` is the picture's, `stored` that of the level, which has `factor` picture pixels a value.
VisibleLine makeLine(int screen, double centre, double zoom, std::int64_t extent, std::int64_t stored, double factor,
                     bool smooth) {
    VisibleLine line;
    line.begin = screen;
    for (int i = 0; i < screen; ++i) {
        const double x = centre + (i + 0.5 - screen / 2.0) / zoom;
        if (x < 0 || x >= static_cast<double>(extent)) continue;
        line.begin = std::min(line.begin, i);
        line.end = i + 1;
        const double at = smooth ? x / factor - 0.5 : x / factor;
        const double low = std::floor(at);
        const auto clampIndex = [stored](double v) {
            return static_cast<std::int32_t>(std::clamp(static_cast<std::int64_t>(v), std::int64_t{0}, stored - 1));
        };
        line.first.push_back(clampIndex(low));
        line.second.push_back(clampIndex(low + 1));
        line.weight.push_back(static_cast<float>(at - low));
    }
    return line;
}

}  // namespace

QImage render(const io::Grid& grid, const gpu::render::Pyramid* pyramid, const RenderRequest& wanted) {
    QImage image(wanted.size, QImage::Format_RGB32);
    image.fill(wanted.surround);
    if (grid.empty() || image.isNull()) return image;
    RenderRequest request = wanted;
    request.map = mapFor(grid, wanted.map, wanted.labelColours);
    request.slice = std::clamp<std::int64_t>(request.slice, 0, grid.shape().depth - 1);
    QPoint at;
    const auto display =
        displayOf(grid.shape(), request, at, pyramid != nullptr ? pyramid->levels.size() : 0, pyramid != nullptr);
    if (display == nullptr) return image;
    const bool reduced = display->level > 0;
    const io::Grid& read = reduced ? pyramid->levels[static_cast<std::size_t>(display->level) - 1] : grid;
    auto* first = reinterpret_cast<QRgb*>(image.scanLine(at.y())) + at.x();
    gpu::render::paintOnHost(read, reduced ? 0 : request.slice, *display, first, image.bytesPerLine() / sizeof(QRgb));
    return image;
}

std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request, QPoint& at,
                                                      std::size_t levels, bool reducible) {
    auto display = std::make_shared<gpu::render::Display>();
    display->width = shape.width;
    display->height = shape.height;
    io::Shape stored = shape;
    double factor = 1;
    const bool labels = request.map == ColourMap::labels && shape.channels == 1;  // between two of them lies none
    const bool reduce = request.zoom <= 0.5 && !labels;
    if (reduce && levels > 0) {
        const auto wanted = static_cast<std::size_t>(std::floor(std::log2(1 / request.zoom)));
        display->level = static_cast<int>(std::clamp<std::size_t>(wanted, 1, levels));
        factor = std::ldexp(1.0, display->level);
        for (int k = 0; k < display->level; ++k) {
            stored.width = (stored.width + 1) / 2;
            stored.height = (stored.height + 1) / 2;
        }
    }
    display->smooth = request.zoom < 1 && !labels && (!reduce || reducible);
    VisibleLine across = makeLine(request.size.width(), request.centre.x(), request.zoom, shape.width, stored.width,
                                  factor, display->smooth);
    VisibleLine down = makeLine(request.size.height(), request.centre.y(), request.zoom, shape.height, stored.height,
                                factor, display->smooth);
    if (across.first.empty() || down.first.empty()) return nullptr;
    at = {across.begin, down.begin};
    display->across = std::move(across);
    display->down = std::move(down);
    display->slice = std::clamp<std::int64_t>(request.slice, 0, shape.depth - 1);
    display->colours = ValueColours(request.range, request.map, request.surround, request.outside).display();
    return display;
}

std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request,
                                                      QPoint& at) {
    return displayOf(shape, request, at, gpu::render::levelCount(shape));
}

}  // namespace warplens::gui
