// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/scan/arguments.hpp"

namespace warplens::gpu::scan {

/// How one_pass cuts an integral picture into tiles, a block each.
struct IntegralCut {
    bool wide = false;  ///< a tile's values lie in shared memory; else in registers
    unsigned warps = 1, rowsOfWarp = 8, columns = 128;

    constexpr unsigned threads() const { return 32 * warps; }
    constexpr unsigned rows() const { return warps * rowsOfWarp; }
    /// That a tile says: one a row, one a column.
    constexpr unsigned words() const { return rows() + columns; }
    /// Sums of 4 bytes of each warp's columns and of what lies above, and a wide tile's values of so many bytes each.
    constexpr std::size_t sharedBytes(std::size_t value) const {
        return std::size_t{4} * (warps + 1) * columns + (wide ? value * rows() * columns : 0);
    }
};

/// Few warps and many columns, since a row's tiles wait one for another.
constexpr IntegralCut wideCut(std::size_t value) {
    return {.wide = true, .warps = value == 1 ? 8U : 4U, .rowsOfWarp = 16, .columns = 256};
}

/// A warp's values fill about 32 registers of each thread at most.
constexpr IntegralCut narrowCut(std::size_t value, unsigned threads) {
    return {.wide = false, .warps = threads / 32, .rowsOfWarp = value == 1 ? 16U : 8U, .columns = 128};
}

/// Wide tiles where rows are whole quads and where they were faster, narrow ones of so many threads elsewhere.
inline IntegralCut integralCut(const Integral& s, unsigned threads) {
    constexpr std::int64_t kManyValues = 1 << 23;  // fewer of 2 or 4 bytes are too few wide tiles
    const std::size_t value = io::sizeOf(s.type);
    const bool pays = value == 1 || std::int64_t{s.width} * s.height * s.slices >= kManyValues;
    return pays && s.width % 4 == 0 ? wideCut(value) : narrowCut(value, threads);
}

inline Footprint footprintOf(const IntegralCut& cut) {
    return {.blockWidth = static_cast<int>(cut.threads()),
            .blockHeight = 1,
            .tileWidth = static_cast<int>(cut.columns),
            .tileHeight = static_cast<int>(cut.rows()),
            .staged = true,
            .order = Order::rows};
}

}  // namespace warplens::gpu::scan
