// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/render.hpp"

#include "gpu/render/host_painter.hpp"
#include "gui/picture/visible.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

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

}  // namespace warplens::gui
