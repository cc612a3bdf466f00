// SPDX-License-Identifier: Apache-2.0
#include "gui/views/render.hpp"

#include "gpu/render/colour_table.hpp"

#include "gui/views/value_colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

namespace warplens::gui {

namespace {

/// Which stored row or column each screen row or column shows; `second` and `weight` for the smooth way only.
struct Line {
    int begin = 0, end = 0;  ///< screen pixels on the picture
    std::vector<std::int64_t> first, second;
    std::vector<float> weight;
};

/// `extent` is the picture's, `stored` that of the level, which has `factor` picture pixels a value.
Line makeLine(int screen, double centre, double zoom, std::int64_t extent, std::int64_t stored, double factor,
              bool smooth) {
    Line line;
    line.begin = screen;
    for (int i = 0; i < screen; ++i) {
        const double x = centre + (i + 0.5 - screen / 2.0) / zoom;
        if (x < 0 || x >= static_cast<double>(extent)) continue;
        line.begin = std::min(line.begin, i);
        line.end = i + 1;
        const double at = smooth ? x / factor - 0.5 : x / factor;
        const double low = std::floor(at);
        const auto clampIndex = [stored](double v) {
            return std::clamp(static_cast<std::int64_t>(v), std::int64_t{0}, stored - 1);
        };
        line.first.push_back(clampIndex(low));
        line.second.push_back(clampIndex(low + 1));
        line.weight.push_back(static_cast<float>(at - low));
    }
    return line;
}

/// What is read from: the picture itself or one of its reduced levels.
struct Source {
    const io::Grid* grid;
    std::int64_t slice;
};

template <class T>
void paintNearest(QImage& image, const Source& source, const Line& across, const Line& down, const ValueColours& mapper) {
    const int channels = source.grid->shape().channels;
    const std::size_t width = across.first.size();
    const QRgb* above = nullptr;
    for (std::size_t j = 0; j < down.first.size(); ++j) {
        QRgb* out = reinterpret_cast<QRgb*>(image.scanLine(down.begin + static_cast<int>(j))) + across.begin;
        if (j > 0 && down.first[j] == down.first[j - 1]) {
            std::memcpy(out, above, width * sizeof(QRgb));
        } else {
            const T* row = source.grid->as<T>() + source.grid->index(0, down.first[j], source.slice);
            for (std::size_t i = 0; i < width; ++i) {
                const T* v = row + across.first[i] * channels;
                out[i] = channels == 1 ? mapper.one(static_cast<float>(v[0]))
                                       : mapper.three(static_cast<float>(v[0]), static_cast<float>(v[1]),
                                                      static_cast<float>(v[2]));
            }
        }
        above = out;
    }
}

template <class T>
void paintSmooth(QImage& image, const Source& source, const Line& across, const Line& down, const ValueColours& mapper) {
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
void paint(QImage& image, const Source& source, const Line& across, const Line& down, const ValueColours& mapper,
           bool smooth) {
    if (smooth) {
        paintSmooth<T>(image, source, across, down, mapper);
    } else {
        paintNearest<T>(image, source, across, down, mapper);
    }
}

}  // namespace

QImage render(const io::Grid& grid, const Pyramid* pyramid, const RenderRequest& request) {
    QImage image(request.size, QImage::Format_RGB32);
    image.fill(request.surround);
    if (grid.empty() || image.isNull()) return image;

    Source source{&grid, std::clamp<std::int64_t>(request.slice, 0, grid.shape().depth - 1)};
    double factor = 1;
    const bool reduce = request.zoom <= 0.5;
    if (reduce && pyramid && !pyramid->levels.empty()) {
        const auto wanted = static_cast<std::size_t>(std::floor(std::log2(1 / request.zoom)));
        const std::size_t level = std::clamp<std::size_t>(wanted, 1, pyramid->levels.size());
        source = {&pyramid->levels[level - 1], 0};
        factor = std::ldexp(1.0, static_cast<int>(level));
    }
    const bool smooth = request.zoom < 1 && (!reduce || pyramid);
    const auto& stored = source.grid->shape();
    const Line across = makeLine(request.size.width(), request.centre.x(), request.zoom, grid.shape().width,
                                 stored.width, factor, smooth);
    const Line down = makeLine(request.size.height(), request.centre.y(), request.zoom, grid.shape().height,
                               stored.height, factor, smooth);
    const ValueColours mapper(request.range, request.map, request.surround, request.markOutside);
    switch (grid.type()) {
        case io::PixelType::u8: paint<std::uint8_t>(image, source, across, down, mapper, smooth); break;
        case io::PixelType::u16: paint<std::uint16_t>(image, source, across, down, mapper, smooth); break;
        case io::PixelType::f32: paint<float>(image, source, across, down, mapper, smooth); break;
    }
    return image;
}

}  // namespace warplens::gui
