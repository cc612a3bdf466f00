// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/slice_render.hpp"

#include "gui/picture/value_colours.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warplens::gui {

namespace {

/// Enough for a mean that does not flicker, little enough to draw a slice of any size at once.
constexpr int kMostSamples = 4;

/// Which voxels each screen row or column shows: `samples` offsets (in values) for each pixel from `begin` on.
struct Line {
    int begin = 0;
    int samples = 1;
    std::vector<std::ptrdiff_t> offsets;
    std::size_t size() const { return offsets.size() / static_cast<std::size_t>(samples); }
};

Line makeLine(int screen, double centreMm, double pixelsPerMm, double spacing, int extent, std::ptrdiff_t stride,
              bool reversed, int mostSamples) {
    Line line;
    const double perPixel = 1 / (pixelsPerMm * spacing);  // voxels
    line.samples = perPixel <= 1 ? 1 : std::min(mostSamples, static_cast<int>(std::ceil(perPixel)));
    for (int i = 0; i < screen; ++i) {
        const double away = (i + 0.5 - screen / 2.0) * perPixel;
        const double at = centreMm / spacing + (reversed ? -away : away);
        if (at < 0 || at >= extent) continue;
        if (line.offsets.empty()) line.begin = i;
        for (int k = 0; k < line.samples; ++k) {
            const double sample = at + ((k + 0.5) / line.samples - 0.5) * perPixel;
            const int voxel = std::clamp(static_cast<int>(std::floor(sample)), 0, extent - 1);
            line.offsets.push_back(voxel * stride);
        }
    }
    return line;
}

template <class T>
void paint(QImage& image, const T* slice, int channels, const Line& across, const Line& down,
           const gpu::render::HostColours& colours) {
    const std::size_t width = across.size();
    const bool labels = colours.d.labels && channels == 1;
    const auto share = 1.0F / static_cast<float>(across.samples * down.samples);
    for (std::size_t j = 0; j < down.size(); ++j) {
        QRgb* out = reinterpret_cast<QRgb*>(image.scanLine(down.begin + static_cast<int>(j))) + across.begin;
        const std::ptrdiff_t* const rows = down.offsets.data() + j * static_cast<std::size_t>(down.samples);
        for (std::size_t i = 0; i < width; ++i) {
            const std::ptrdiff_t* const columns = across.offsets.data() + i * static_cast<std::size_t>(across.samples);
            const auto mean = [&](int c) {
                if (across.samples * down.samples == 1) return static_cast<float>(slice[rows[0] + columns[0] + c]);
                float sum = 0;
                for (int y = 0; y < down.samples; ++y)
                    for (int x = 0; x < across.samples; ++x)
                        sum += static_cast<float>(slice[rows[y] + columns[x] + c]) * share;
                return sum;
            };
            out[i] = labels          ? colours.stored(slice[rows[0] + columns[0]])
                     : channels == 1 ? colours.one(mean(0))
                                     : colours.three(mean(0), mean(1), mean(2));
        }
    }
}

}  // namespace

QImage renderSlice(const io::Grid& grid, const SliceRequest& request) {
    QImage image(request.size, QImage::Format_RGB32);
    image.fill(request.surround);
    if (grid.empty() || image.isNull()) return image;
    const auto& shape = grid.shape();
    const std::array extents{static_cast<int>(shape.width), static_cast<int>(shape.height),
                             static_cast<int>(shape.depth)};
    const std::array<std::ptrdiff_t, 3> strides{shape.channels, static_cast<std::ptrdiff_t>(grid.index(0, 1, 0)),
                                                static_cast<std::ptrdiff_t>(grid.index(0, 0, 1))};
    const PlaneAxes axes = axesOf(request.plane);
    const ColourMap map = mapFor(grid, request.map, request.labelColours);
    const auto line = [&](int axis, int screen, double centre, bool reversed) {
        const auto a = static_cast<std::size_t>(axis);
        return makeLine(screen, centre, request.pixelsPerMm, request.spacing[a], extents[a], strides[a], reversed,
                        map == ColourMap::labels && shape.channels == 1 ? 1 : kMostSamples);
    };
    const Line across = line(axes.right, request.size.width(), request.centre.x(), false);
    const Line down = line(axes.down, request.size.height(), request.centre.y(), axes.upwards);
    const auto through = static_cast<std::size_t>(axes.across);
    const std::ptrdiff_t first = std::clamp(request.index, 0, extents[through] - 1) * strides[through];
    const ValueColours colours(request.range, map, request.surround);
    io::withType(grid.type(), [&]<class T>(T) {
        paint(image, grid.as<T>() + first, shape.channels, across, down, {colours.display()});
    });
    return image;
}

}  // namespace warplens::gui
