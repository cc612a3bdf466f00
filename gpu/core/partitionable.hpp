// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace warplens::gpu {

class Problem;

/// A stretch of a picture's lines that is a problem of its own. Lines lie one after another in memory: slices of a
/// volume, rows of a picture, pixels of a single row.
struct Partition {
    std::int64_t first = 0, lines = 0;  ///< of the whole, that are computed
    std::int64_t before = 0;            ///< lines of halo ahead of them in the piece's own picture
};

/// 2: lines are slices, 1: rows, 0: pixels.
inline int axisOfLines(const io::Shape& shape) { return shape.depth > 1 ? 2 : 1; }
std::int64_t extentAlong(const io::Shape& shape, int axis);

/// `count` lines from `first` on. Where it `wraps`, lines beyond an end are those of the other one; else all of them
/// lie inside.
std::shared_ptr<io::Grid> linesOf(const io::Grid& grid, int axis, std::int64_t first, std::int64_t count, bool wraps);

/// What the pieces of one problem have made, until it is one result.
class PartitionMerger {
public:
    virtual ~PartitionMerger() = default;
    virtual void add(const Result& part, const Partition& piece) = 0;
    virtual Result take() = 0;
};

/// What Problem::inPieces() tells when it can go over a device piece by piece, with the bits of the whole.
class Partitionable {
public:
    virtual ~Partitionable() = default;
    /// Why the bits, or the task, need all of it at once, to follow a semicolon; empty: they do not.
    virtual std::string indivisibleReason() const { return {}; }
    /// What is cut.
    virtual const std::shared_ptr<const io::Grid>& cutInput() const = 0;
    virtual int cutAxis() const { return axisOfLines(cutInput()->shape()); }
    /// Lines that a line of the result is made of beyond its own, to each side.
    virtual std::int64_t halo() const { return 0; }
    /// Whether what lies beyond one end are the lines of the other one.
    virtual bool wraps() const { return false; }
    /// Whether a line of the result lies where the lines of the input lie that it is made of.
    virtual bool inPlace() const { return true; }
    /// Whether something was found over all of it first, as a level that parts dark from bright: a piece is told it,
    /// and would find another one if it were posed by itself.
    virtual bool foundOverAll() const { return false; }
    /// The same problem on these lines of cutInput(), the halo among them; `first` is the first of the piece's own.
    virtual std::unique_ptr<Problem> makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t first) const = 0;
    virtual std::unique_ptr<PartitionMerger> emptyResults() const = 0;
};

/// A picture whose lines along `axis` come from the pieces, in their order or from its far end on. Throws nothing.
std::unique_ptr<PartitionMerger> pictureOfPieces(std::shared_ptr<io::Grid> empty, int axis, bool backwards = false);

}  // namespace warplens::gpu
