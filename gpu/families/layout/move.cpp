// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/arguments.hpp"

namespace warplens::gpu::layout {
namespace {

using Three = std::array<std::int64_t, 3>;

Three extentsOf(const io::Shape& s) { return {s.width, s.height, s.depth}; }
Three stridesOf(const io::Shape& s) { return {1, s.width, s.width * s.height}; }

}  // namespace

Case caseOf(const LayoutOptions& asked, io::PixelType type) {
    Case made{.type = type, .asked = asked};
    if (asked.packs()) {
        const int channels = asked.packedChannels();
        made.packing = {asked.input.values() / channels, channels, asked.task == Task::planar};
        return made;
    }
    const Three extent = extentsOf(asked.task == Task::crop ? asked.output : asked.input),
                from = stridesOf(asked.input), to = stridesOf(asked.output);
    Move& m = made.move;
    m.swapped = asked.swaps();
    m.columns = static_cast<int>(extent[0]);
    m.outColumns = static_cast<int>(asked.output.width);
    m.inFirst = asked.from[1] * from[1] + asked.from[0];
    m.planes = asked.input.channels;
    m.inPlane = asked.input.pixels();
    m.outPlane = asked.output.pixels();
    m.step = asked.task == Task::stride ? asked.step : 1;
    m.offset = asked.task == Task::offset ? static_cast<int>(asked.step % extent[0]) : 0;
    // The output's axis that the rows run along, the one across them that the input's columns become or that stays
    // what it is, and the third.
    const std::size_t along = m.swapped ? 0 : 1;
    const std::size_t across = !m.swapped ? 0 : asked.axis[1] == 0 ? 1 : 2;
    const std::size_t third = 3 - along - across;
    const auto old = [&](std::size_t axis) { return static_cast<std::size_t>(asked.axis[axis]); };
    m.rows = static_cast<int>(extent[old(along)]);
    m.inRow = from[old(along)];
    m.layers = static_cast<int>(extent[old(third)]);
    m.inLayer = from[old(third)];
    m.outLayer = to[third];
    m.outRow = m.swapped ? to[across] : to[along];
    if (asked.backwards[along]) {
        m.inFirst = (m.rows - 1) * m.inRow;
        m.inRow = -m.inRow;
    }
    if (!m.swapped) {
        m.mirrored = asked.backwards[across];
    } else if (asked.backwards[across]) {
        m.outFirst = (m.columns - 1) * m.outRow;
        m.outRow = -m.outRow;
    }
    return made;
}

}  // namespace warplens::gpu::layout
