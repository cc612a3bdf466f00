// SPDX-License-Identifier: Apache-2.0
#include "app/cli/pictures.hpp"

#include "gpu/render/label_colour.hpp"
#include "gpu/report/figures.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::cli {

namespace {

constexpr std::int64_t kSide = 640;

bool inLabelColours(const io::Grid& grid) { return io::isWideInteger(grid.type()) && grid.shape().channels == 1; }

std::string captionOf(const std::string& what, const io::Grid& grid, const DisplayRange& range) {
    if (inLabelColours(grid)) return what + ", each label in a colour of its own";
    return what + ", shown from " + gpu::threeDigits(range.low) + " to " + gpu::threeDigits(range.high);
}

}  // namespace

DisplayRange displayRange(const io::Grid& grid) {
    DisplayRange range;
    if (grid.type() == io::PixelType::u8) return range;
    bool any = false;
    for (const gpu::ChannelFacts& channel : gpu::summarise(grid)) {
        if (!channel.minimum) continue;
        range.low = any ? std::min(range.low, *channel.minimum) : *channel.minimum;
        range.high = any ? std::max(range.high, *channel.maximum) : *channel.maximum;
        any = true;
    }
    if (range.high <= range.low) range.high = range.low + 1;
    return range;
}

io::Grid preview(const io::Grid& grid, const DisplayRange& range) {
    const io::Shape& shape = grid.shape();
    const std::int64_t step = std::max<std::int64_t>(1, (std::max(shape.width, shape.height) + kSide - 1) / kSide);
    const bool labels = inLabelColours(grid);
    io::Grid small({(shape.width + step - 1) / step, (shape.height + step - 1) / step, 1, labels ? 3 : shape.channels},
                   io::PixelType::u8);
    for (std::int64_t y = 0; y < small.shape().height; ++y) {
        for (std::int64_t x = 0; x < small.shape().width; ++x) {
            if (labels) {
                const auto colour = gpu::render::labelColour(
                    static_cast<std::int64_t>(grid.value(x * step, y * step, shape.depth / 2)));
                for (int c = 0; c < 3; ++c) small.setValue(x, y, 0, c, colour >> (16 - 8 * c) & 0xffU);
                continue;
            }
            for (int c = 0; c < shape.channels; ++c) {
                const double value = grid.value(x * step, y * step, shape.depth / 2, c);
                const double scaled = std::round(255 * (value - range.low) / (range.high - range.low));
                const double shown = std::isnan(scaled) ? 0 : std::clamp(scaled, 0.0, 255.0);
                small.as<std::uint8_t>()[small.index(x, y, 0, c)] = static_cast<std::uint8_t>(shown);
            }
        }
    }
    return small;
}

gpu::HtmlExtras reportPictures(const gpu::Comparison& comparison) {
    gpu::HtmlExtras extras;
    try {
        const auto add = [&extras](const std::string& what, const io::Grid& grid, const DisplayRange& range) {
            extras.pictures.push_back({captionOf(what, grid, range), io::encode(preview(grid, range), "png")});
        };
        if (comparison.input) add("input", *comparison.input, displayRange(*comparison.input));
        std::optional<DisplayRange> shared;
        for (const gpu::RunRecord& run : comparison.runs) {
            if (!run.result.picture) continue;
            if (!shared) shared = displayRange(*run.result.picture);
            const std::string mark =
                run.status == gpu::Status::ok ? "" : std::string(" (") + gpu::nameOf(run.status) + ")";
            add(run.id() + mark, *run.result.picture, *shared);
        }
    } catch (const io::Error& error) {
        extras.pictures.clear();
        extras.whyNoPictures = std::string("There are no pictures here: ") + error.what() + ".";
    }
    return extras;
}

}  // namespace warplens::cli
