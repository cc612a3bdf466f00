// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/core/variant.hpp"
#include "io/grid.hpp"

#include <QPoint>
#include <QRect>
#include <cstdint>
#include <optional>

namespace warplens::gui {

/// C = A B in blocks: which parts of A and B the block of an output needs, and how much of them it stages at a time.
struct ProductTiles {
    int rows = 0, inner = 0, columns = 0;  ///< of A: rows x inner, of B: inner x columns
    int tileWidth = 1, tileHeight = 1;     ///< outputs of a block
    int depth = 0;                         ///< columns of A and rows of B that are staged at a time; 0: nothing is

    bool staged() const { return depth > 0; }
    /// How often a block stages; 1 when nothing is staged.
    int slices() const;
    /// Blocks along C's columns and rows.
    int across() const;
    int down() const;
    /// The block that makes an output, by its numbers along columns and rows.
    QPoint blockOf(QPoint output) const;
    /// Its outputs in C, as far as they exist.
    QRect outputs(QPoint block) const;
    /// The rows of A and the columns of B that it needs: all of them, or slice `slice` alone.
    QRect ofA(QPoint block, std::optional<int> slice = std::nullopt) const;
    QRect ofB(QPoint block, std::optional<int> slice = std::nullopt) const;
    /// How often a value of A and of B is read from memory.
    std::int64_t readsOfA() const { return staged() ? across() : columns; }
    std::int64_t readsOfB() const { return staged() ? down() : rows; }
};

/// Of a task that is one product, or begins with one; nothing of others, and where the factors do not fit.
std::optional<ProductTiles> productTiles(const io::Grid& picture, const gpu::ParameterValues& values,
                                         const gpu::Variant& variant, const gpu::TunableValues& tunables);

}  // namespace warplens::gui
