// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/reference.hpp"

#include "gpu/frame/checked_rows.hpp"

namespace warplens::gpu::layout {

Place sourceOf(const LayoutOptions& asked, const Place& to) {
    const auto [x, y, z, c] = to;
    const io::Shape& in = asked.input;
    switch (asked.task) {
        case Task::copy: return to;
        case Task::transpose: return {y, x, z, c};
        case Task::rotate90: return {y, in.height - 1 - x, z, c};
        case Task::rotate180: return {in.width - 1 - x, in.height - 1 - y, z, c};
        case Task::rotate270: return {in.width - 1 - y, x, z, c};
        case Task::flipX: return {in.width - 1 - x, y, z, c};
        case Task::flipY: return {x, in.height - 1 - y, z, c};
        case Task::planar: return {x, y, z % in.depth, z / in.depth};
        case Task::interleaved: return in.channels > 1 ? to : Place{x, y, c, 0};
        case Task::offset: return {(x + asked.step) % in.width, y, z, c};
        case Task::stride: return {x * asked.step, y, z, c};
        case Task::crop: return {x + asked.from[0], y + asked.from[1], z, c};
        case Task::reslice: break;
    }
    Place from{0, 0, 0, c};
    const std::int64_t at[3] = {z, y, x};
    for (std::size_t i = 0; i < 3; ++i) from[static_cast<std::size_t>(asked.order[i] - 'x')] = at[i];
    return from;
}

Verification verify(const LayoutOptions& asked, const io::Grid& input, const io::Grid& output,
                    const std::stop_token& stop) {
    const io::Shape& s = asked.output;
    if (!(output.shape() == s)) {
        Verification wrong;
        wrong.mismatches = s.values();
        wrong.firstMismatch = "extents: " + std::to_string(output.shape().width) + " x " +
                              std::to_string(output.shape().height) + " instead of " + std::to_string(s.width) + " x " +
                              std::to_string(s.height);
        return wrong;
    }
    return checkRows(output, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
        for (std::int64_t x = 0; x < s.width; ++x) {
            for (int c = 0; c < s.channels; ++c) {
                const auto [fx, fy, fz, fc] = sourceOf(asked, {x, y, z, c});
                judge.kept({x, y, z}, c, input.value(fx, fy, fz, static_cast<int>(fc)));
            }
        }
    });
}

}  // namespace warplens::gpu::layout
