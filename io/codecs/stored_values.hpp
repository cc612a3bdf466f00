// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/source_type.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace warplens::io::codecs {

/// Calls sink(bytes) for the values in order, as a file holds them: signed 16-bit when `narrow`, else as they are; at
/// most 4 MiB at once.
template <class Sink>
void eachStoredPiece(const Grid& grid, bool narrow, Sink sink) {
    constexpr std::size_t kPiece = 4 << 20;
    if (!narrow) {
        for (std::size_t at = 0; at < grid.bytes(); at += kPiece) {
            sink(std::span(grid.data() + at, std::min(kPiece, grid.bytes() - at)));
        }
        return;
    }
    const auto values = grid.bytes() / sizeof(float);
    std::vector<std::int16_t> piece(std::min(values, kPiece / sizeof(std::int16_t)));
    for (std::size_t at = 0; at < values; at += piece.size()) {
        const auto count = std::min(piece.size(), values - at);
        narrowToI16(grid.as<float>() + at, piece.data(), count);
        sink(std::as_bytes(std::span(piece.data(), count)));
    }
}

}  // namespace warplens::io::codecs
