// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/task.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/layout/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <vector>

namespace warplens::gpu::layout {
namespace {

std::int64_t extentOf(const io::Shape& shape, int axis) {
    return axis == 0 ? shape.width : axis == 1 ? shape.height : shape.depth;
}

std::string extent(std::int64_t width, std::int64_t height) {
    return std::to_string(width) + " x " + std::to_string(height);
}

/// "yzx": the new z is the old y, and so on.
std::array<int, 3> axesOf(const std::string& order) {
    std::array<int, 3> axis{};
    for (std::size_t i = 0; i < 3; ++i) axis[2 - i] = order[i] - 'x';
    return axis;
}

io::Shape packedShape(Task task, const io::Shape& in) {
    if (task == Task::planar) return {in.width, in.height, in.depth * in.channels, 1};
    if (in.channels > 1) return in;
    if (in.depth == 3 || in.depth == 4) return {in.width, in.height, 1, static_cast<int>(in.depth)};
    throw Error(Error::Kind::unsupported,
                "interleaved: there is one channel and " + std::to_string(in.depth) +
                    (in.depth == 1 ? " slice" : " slices") +
                    "; give a picture of 3 or 4 channels, or a volume of 3 or 4 slices to become its channels");
}

/// "X,Y,W,H", a part of the picture, beyond whose right and lower edge it may reach.
std::array<std::int64_t, 4> boxOf(const std::string& text, const io::Shape& in) {
    std::array<std::int64_t, 4> box{0, 0, in.width, in.height};
    if (text.empty()) return box;
    const char *at = text.data(), *const end = at + text.size();
    for (std::size_t i = 0; i < 4; ++i) {
        const auto [next, wrong] = std::from_chars(at, end, box[i]);
        if (wrong != std::errc() || (i < 3 ? next == end || *next != ',' : next != end))
            throw Error(Error::Kind::argument, "box: \"" + text + "\" is no X,Y,W,H");
        at = next + 1;
    }
    const auto [x, y, width, height] = box;
    if (x < 0 || y < 0 || width < 1 || height < 1)
        throw Error(Error::Kind::argument, "box: " + text + ": X and Y begin at 0, W and H at 1");
    if (x >= in.width || y >= in.height)
        throw Error(Error::Kind::argument, "box: nothing of " + text + " lies in the picture of " +
                                               extent(in.width, in.height) +
                                               ": crop it by itself, or take a rectangle further to the upper left");
    return box;
}

void checkExtent(std::int64_t n, const char* axis) {
    if (n <= std::numeric_limits<int>::max() / 2) return;
    throw Error(Error::Kind::unsupported, std::string("layout: ") + axis + " of " + std::to_string(n) +
                                              " values is too large: take a part of it");
}

}  // namespace

LayoutOptions parseOptions(const ParameterValues& values, const io::Shape& input) {
    const Chosen chosen = parameters().read(values);
    checkExtent(input.width, "a width");
    checkExtent(input.height, "a height");
    checkExtent(input.depth * input.channels, "a depth");
    LayoutOptions asked{.task = chosen.task, .order = chosen.order, .input = input};
    if (asked.readsOutOfStep()) asked.step = chosen.step;
    switch (asked.task) {
        case Task::transpose: asked.axis = {1, 0, 2}; break;
        case Task::rotate90:
            asked.axis = {1, 0, 2};
            asked.backwards = {true, false, false};
            break;
        case Task::rotate180: asked.backwards = {true, true, false}; break;
        case Task::rotate270:
            asked.axis = {1, 0, 2};
            asked.backwards = {false, true, false};
            break;
        case Task::flipX: asked.backwards = {true, false, false}; break;
        case Task::flipY: asked.backwards = {false, true, false}; break;
        case Task::reslice: asked.axis = axesOf(chosen.order); break;
        default: break;
    }
    asked.output = {extentOf(input, asked.axis[0]), extentOf(input, asked.axis[1]), extentOf(input, asked.axis[2]),
                    input.channels};
    if (asked.packs()) asked.output = packedShape(asked.task, input);
    if (asked.task == Task::crop) {
        const auto [x, y, width, height] = boxOf(chosen.box, input);
        // It may have been drawn on a larger picture than this one of a folder.
        const std::int64_t w = std::min(width, input.width - x), h = std::min(height, input.height - y);
        if (w < width || h < height)
            asked.beyond = "only " + extent(w, h) + " of " + extent(width, height) + " lie in the picture";
        asked.from = {x, y};
        asked.output = {w, h, input.depth, input.channels};
    }
    if (asked.task == Task::stride) asked.output.width = (input.width + asked.step - 1) / asked.step;
    return asked;
}

std::string composed(Task first, Task second) {
    constexpr io::Shape kPicture{2, 2, 1, 3};
    const std::vector<std::string>& names = parameters().list().front().choices;
    const auto of = [&](Task task) {
        return parseOptions({{"task", names[static_cast<std::size_t>(task)]}}, kPicture);
    };
    const auto turns = [](const LayoutOptions& asked) {
        return !asked.packs() && !asked.readsOutOfStep() && asked.task != Task::reslice && asked.task != Task::crop;
    };
    const LayoutOptions a = of(first), b = of(second);
    if (!turns(a) || !turns(b)) return {};
    std::array<int, 3> axis{};
    std::array<bool, 3> backwards{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto between = static_cast<std::size_t>(b.axis[i]);
        axis[i] = a.axis[between];
        backwards[i] = b.backwards[i] != a.backwards[between];
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const LayoutOptions both = of(static_cast<Task>(i));
        if (turns(both) && both.axis == axis && both.backwards == backwards) return names[i];
    }
    return {};
}

io::Geometry geometryOf(const LayoutOptions& asked, const io::Geometry& of) {
    io::Geometry to = of;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto from = static_cast<std::size_t>(asked.axis[i]);
        to.spacing[i] = of.spacing[from] * (asked.task == Task::stride && i == 0 ? asked.step : 1);
        const double sign = asked.backwards[i] ? -1 : 1;
        for (std::size_t row = 0; row < 3; ++row) {
            const double along = of.direction[3 * row + from];
            // Not -0: it would be another number to those who compare files.
            to.direction[3 * row + i] = along == 0 ? 0 : sign * along;
            if (i < 2) to.origin[row] += along * of.spacing[from] * static_cast<double>(asked.from[i]);
            if (!asked.backwards[i]) continue;
            // The first value is what the last one along this axis was.
            const auto last = static_cast<double>(extentOf(asked.input, asked.axis[i]) - 1);
            to.origin[row] += along * of.spacing[from] * last;
        }
    }
    return to;
}

}  // namespace warplens::gpu::layout
