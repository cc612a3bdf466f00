// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/render.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

namespace warplens::gui {

namespace {

/// What is read from: the picture itself or one of its reduced levels.
struct Source {
    const io::Grid* grid;
    std::int64_t slice;
};

template <class T>
void paintNearest(QImage& image, const Source& source, const VisibleLine& across, const VisibleLine& down,
                  const ValueColours& mapper) {
    const int channels = source.grid->shape().channels;
    const auto width = static_cast<std::size_t>(across.size());
    const QRgb* above = nullptr;
    for (std::size_t j = 0; j < down.first.size(); ++j) {
        QRgb* out = reinterpret_cast<QRgb*>(image.scanLine(down.begin + static_cast<int>(j))) + across.begin;
        if (j > 0 && down.first[j] == down.first[j - 1]) {
            std::memcpy(out, above, width * sizeof(QRgb));
        } else {
            const T* row = source.grid->as<T>() + source.grid->index(0, down.first[j], source.slice);
            for (std::size_t i = 0; i < width; ++i) {
                const T* v = row + across.first[i] * channels;
                out[i] = channels == 1 ? mapper.stored(v[0])
                                       : mapper.three(static_cast<float>(v[0]), static_cast<float>(v[1]),
                                                      static_cast<float>(v[2]));
            }
        }
        above = out;
    }
}

template <class T>
void paintSmooth(QImage& image, const Source& source, const VisibleLine& across, const VisibleLine& down,
                 const ValueColours& mapper) {
    const int channels = source.grid->shape().channels;
    for (std::size_t j = 0; j < down.first.size(); ++j) {
        QRgb* out = reinterpret_cast<QRgb*>(image.scanLine(down.begin + static_cast<int>(j))) + across.begin;
        const T* upper = source.grid->as<T>() + source.grid->index(0, down.first[j], source.slice);
        const T* lower = source.grid->as<T>() + source.grid->index(0, down.second[j], source.slice);
        const float wy = down.weight[j];
        for (std::size_t i = 0; i < across.first.size(); ++i) {
            const std::int64_t left = across.first[i] * channels, right = across.second[i] * channels;
            const float wx = across.weight[i];
            const auto at = [&](int c) {
                const float top =
                    static_cast<float>(upper[left + c]) * (1 - wx) + static_cast<float>(upper[right + c]) * wx;
                const float bottom =
                    static_cast<float>(lower[left + c]) * (1 - wx) + static_cast<float>(lower[right + c]) * wx;
                return top * (1 - wy) + bottom * wy;
            };
            out[i] = channels == 1 ? mapper.one(at(0)) : mapper.three(at(0), at(1), at(2));
        }
    }
}

template <class T>
void paint(QImage& image, const Source& source, const VisibleLine& across, const VisibleLine& down,
           const ValueColours& mapper, bool smooth) {
    if (smooth) {
        paintSmooth<T>(image, source, across, down, mapper);
    } else {
        paintNearest<T>(image, source, across, down, mapper);
    }
}

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

constexpr std::int64_t kSmallEnough = 256;

template <class T>
T mean(T a, T b, T c, T d) {
    if constexpr (std::is_floating_point_v<T>) {
        // Scaled before adding: four values near the largest float must not overflow.
        return (a * 0.25F + b * 0.25F) + (c * 0.25F + d * 0.25F);
    } else if constexpr (sizeof(T) == 4) {
        return static_cast<T>((std::int64_t{a} + b + c + d + 2) >> 2);
    } else {
        return static_cast<T>((static_cast<unsigned>(a) + b + c + d + 2U) / 4U);
    }
}

template <class T>
void halveInto(io::Grid& to, const io::Grid& from, std::int64_t slice) {
    const auto& shape = from.shape();
    const int channels = shape.channels;
    T* out = to.as<T>();
    for (std::int64_t y = 0; y < to.shape().height; ++y) {
        const T* upper = from.as<T>() + from.index(0, 2 * y, slice);
        const T* lower = from.as<T>() + from.index(0, std::min(2 * y + 1, shape.height - 1), slice);
        for (std::int64_t x = 0; x < to.shape().width; ++x) {
            const std::int64_t left = 2 * x * channels;
            const std::int64_t right = std::min(2 * x + 1, shape.width - 1) * channels;
            for (int c = 0; c < channels; ++c) {
                *out++ = mean(upper[left + c], upper[right + c], lower[left + c], lower[right + c]);
            }
        }
    }
}

}  // namespace

QImage render(const io::Grid& grid, const Pyramid* pyramid, const RenderRequest& wanted) {
    QImage image(wanted.size, QImage::Format_RGB32);
    image.fill(wanted.surround);
    if (grid.empty() || image.isNull()) return image;
    RenderRequest request = wanted;
    request.map = mapFor(grid, wanted.map, wanted.labelColours);

    Source source{&grid, std::clamp<std::int64_t>(request.slice, 0, grid.shape().depth - 1)};
    const Visible visible =
        visiblePart(grid.shape(), request, pyramid ? pyramid->levels.size() : 0, pyramid != nullptr);
    if (visible.level > 0) source = {&pyramid->levels[static_cast<std::size_t>(visible.level) - 1], 0};
    const VisibleLine &across = visible.across, &down = visible.down;
    const bool smooth = visible.smooth;
    const ValueColours mapper(request.range, request.map, request.surround, request.outside);
    io::withType(grid.type(), [&]<class T>(T) { paint<T>(image, source, across, down, mapper, smooth); });
    return image;
}

Visible visiblePart(const io::Shape& shape, const RenderRequest& request, std::size_t levels, bool reducible) {
    Visible visible;
    io::Shape stored = shape;
    double factor = 1;
    const bool labels = request.map == ColourMap::labels && shape.channels == 1;  // between two of them lies none
    const bool reduce = request.zoom <= 0.5 && !labels;
    if (reduce && levels > 0) {
        const auto wanted = static_cast<std::size_t>(std::floor(std::log2(1 / request.zoom)));
        visible.level = static_cast<int>(std::clamp<std::size_t>(wanted, 1, levels));
        factor = std::ldexp(1.0, visible.level);
        for (int k = 0; k < visible.level; ++k) {
            stored.width = (stored.width + 1) / 2;
            stored.height = (stored.height + 1) / 2;
        }
    }
    visible.smooth = request.zoom < 1 && !labels && (!reduce || reducible);
    visible.across = makeLine(request.size.width(), request.centre.x(), request.zoom, shape.width, stored.width, factor,
                              visible.smooth);
    visible.down = makeLine(request.size.height(), request.centre.y(), request.zoom, shape.height, stored.height,
                            factor, visible.smooth);
    return visible;
}

std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request,
                                                      QPoint& at) {
    Visible visible = visiblePart(shape, request, levelCount(shape), true);
    if (visible.across.first.empty() || visible.down.first.empty()) return nullptr;
    at = {visible.across.begin, visible.down.begin};
    auto display = std::make_shared<gpu::render::Display>();
    display->width = shape.width;
    display->height = shape.height;
    display->across = std::move(visible.across);
    display->down = std::move(visible.down);
    display->smooth = visible.smooth;
    display->level = visible.level;
    display->slice = std::clamp<std::int64_t>(request.slice, 0, shape.depth - 1);
    display->colours = ValueColours(request.range, request.map, request.surround, request.outside).display();
    return display;
}

io::Grid halved(const io::Grid& grid, std::int64_t slice) {
    const auto& shape = grid.shape();
    io::Grid half({(shape.width + 1) / 2, (shape.height + 1) / 2, 1, shape.channels}, grid.type());
    io::withType(grid.type(), [&]<class T>(T) { halveInto<T>(half, grid, slice); });
    return half;
}

std::size_t levelCount(const io::Shape& shape) {
    std::size_t levels = 0;
    for (std::int64_t w = shape.width, h = shape.height; w > kSmallEnough || h > kSmallEnough; ++levels) {
        w = (w + 1) / 2;
        h = (h + 1) / 2;
    }
    return levels;
}

std::shared_ptr<const Pyramid> makePyramid(const io::Grid& grid, std::int64_t slice, std::stop_token stop) {
    auto pyramid = std::make_shared<Pyramid>();
    const io::Grid* last = &grid;
    while (last->shape().width > kSmallEnough || last->shape().height > kSmallEnough) {
        if (stop.stop_requested()) return std::make_shared<Pyramid>();
        io::Grid next = halved(*last, last == &grid ? slice : 0);
        pyramid->levels.push_back(std::move(next));
        last = &pyramid->levels.back();
    }
    return pyramid;
}

}  // namespace warplens::gui
