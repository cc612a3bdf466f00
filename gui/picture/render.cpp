// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/render.hpp"

#include "gui/picture/visible.hpp"

#include <algorithm>
#include <cstring>

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

}  // namespace warplens::gui
