// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/bricks.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <limits>
#include <tbb/parallel_for.h>

namespace warplens::gpu::render {

namespace {

template <class T>
void fillLayer(const io::Grid& volume, Bricks& bricks, int layer) {
    const auto& shape = volume.shape();
    const auto begin = [](int brick) { return static_cast<std::int64_t>(brick) << kBrickShift; };
    // A cell reads the voxel after it as well.
    const auto end = [&](int brick, std::int64_t extent) { return std::min(begin(brick) + kBrick + 1, extent); };
    BrickRange* const ranges =
        bricks.ranges.data() + static_cast<std::ptrdiff_t>(layer) * bricks.count[0] * bricks.count[1];
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::fill_n(ranges, static_cast<std::ptrdiff_t>(bricks.count[0]) * bricks.count[1],
                BrickRange{kInfinity, -kInfinity});
    for (std::int64_t z = begin(layer); z < end(layer, shape.depth); ++z) {
        for (int by = 0; by < bricks.count[1]; ++by) {
            for (std::int64_t y = begin(by); y < end(by, shape.height); ++y) {
                const T* row = volume.as<T>() + volume.index(0, y, z);
                for (int bx = 0; bx < bricks.count[0]; ++bx) {
                    BrickRange& range = ranges[static_cast<std::ptrdiff_t>(by) * bricks.count[0] + bx];
                    for (std::int64_t x = begin(bx); x < end(bx, shape.width); ++x) {
                        const auto v = static_cast<float>(row[x]);
                        range.low = v < range.low ? v : range.low;
                        range.high = v > range.high ? v : range.high;
                    }
                }
            }
        }
    }
}

int bricksAlong(std::int64_t extent) {
    return static_cast<int>(std::max<std::int64_t>(1, (extent - 1 + kBrick - 1) / kBrick));
}

}  // namespace

Bricks bricksOf(const io::Grid& volume, std::stop_token stop) {
    const auto& shape = volume.shape();
    Bricks bricks;
    bricks.count = {bricksAlong(shape.width), bricksAlong(shape.height), bricksAlong(shape.depth)};
    bricks.ranges.resize(static_cast<std::size_t>(bricks.count[0]) * bricks.count[1] * bricks.count[2]);
    tbb::parallel_for(0, bricks.count[2], [&](int layer) {
        if (stop.stop_requested()) return;
        io::withType(volume.type(), [&]<class T>(T) { fillLayer<T>(volume, bricks, layer); });
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "3D view: stopped");
    return bricks;
}

}  // namespace warplens::gpu::render
