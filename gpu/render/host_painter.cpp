// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/host_painter.hpp"

#include "gpu/render/host_colours.hpp"
#include "io/pixel_type.hpp"

#include <cstring>

namespace warplens::gpu::render {

namespace {

struct Target {
    std::uint32_t* pixels;
    std::size_t stride;

    std::uint32_t* row(std::size_t j) const { return pixels + j * stride; }
};

template <class T>
void paintNearest(const io::Grid& values, std::int64_t slice, const Display& display, const Target& target) {
    const int channels = values.shape().channels;
    const auto &across = display.across.first, &down = display.down.first;
    const HostColours colours{display.colours};
    for (std::size_t j = 0; j < down.size(); ++j) {
        std::uint32_t* out = target.row(j);
        if (j > 0 && down[j] == down[j - 1]) {
            std::memcpy(out, target.row(j - 1), across.size() * sizeof *out);
            continue;
        }
        const T* row = values.as<T>() + values.index(0, down[j], slice);
        for (std::size_t i = 0; i < across.size(); ++i) {
            const T* v = row + std::int64_t{across[i]} * channels;
            out[i] = channels == 1
                         ? colours.stored(v[0])
                         : colours.three(static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]));
        }
    }
}

template <class T>
void paintSmooth(const io::Grid& values, std::int64_t slice, const Display& display, const Target& target) {
    const int channels = values.shape().channels;
    const DisplayLine &across = display.across, &down = display.down;
    const HostColours colours{display.colours};
    for (std::size_t j = 0; j < down.first.size(); ++j) {
        std::uint32_t* out = target.row(j);
        const T* upper = values.as<T>() + values.index(0, down.first[j], slice);
        const T* lower = values.as<T>() + values.index(0, down.second[j], slice);
        const float wy = down.weight[j];
        for (std::size_t i = 0; i < across.first.size(); ++i) {
            const std::int64_t left = std::int64_t{across.first[i]} * channels,
                               right = std::int64_t{across.second[i]} * channels;
            const float wx = across.weight[i];
            const auto at = [&](int c) {
                const float top =
                    static_cast<float>(upper[left + c]) * (1 - wx) + static_cast<float>(upper[right + c]) * wx;
                const float bottom =
                    static_cast<float>(lower[left + c]) * (1 - wx) + static_cast<float>(lower[right + c]) * wx;
                return top * (1 - wy) + bottom * wy;
            };
            out[i] = channels == 1 ? colours.one(at(0)) : colours.three(at(0), at(1), at(2));
        }
    }
}

}  // namespace

void paintOnHost(const io::Grid& values, std::int64_t slice, const Display& display, std::uint32_t* pixels,
                 std::size_t stride) {
    io::withType(values.type(), [&]<class T>(T) {
        if (display.smooth)
            paintSmooth<T>(values, slice, display, {pixels, stride});
        else
            paintNearest<T>(values, slice, display, {pixels, stride});
    });
}

}  // namespace warplens::gpu::render
