// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/layout/task.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::gpu::layout {

/// A move of values as matrices: rows of columns, layer after layer, plane after plane. Distances are in values; a row
/// that is walked backwards has a negative one, so that a turn is a transposition and costs nothing more.
struct Move {
    int columns = 0, rows = 0, layers = 1, planes = 1;  ///< of the input, columns as they lie in memory
    std::int64_t inFirst = 0, inRow = 0, inLayer = 0, inPlane = 0;
    std::int64_t outFirst = 0, outRow = 0, outLayer = 0, outPlane = 0;
    bool swapped = false;   ///< column x of the input is row x of the output
    bool mirrored = false;  ///< rows stay rows and are walked backwards
    int outColumns = 0;     ///< of rows that stay rows
    int offset = 0, step = 1;
};

/// Channels between planes and pixels.
struct Packing {
    std::int64_t pixels = 0;
    int channels = 1;
    bool toPlanes = true;
};

/// What is moved, without where it lies.
struct Case {
    io::PixelType type{};
    LayoutOptions asked{};
    Move move{};
    Packing packing{};

    /// Values that 16 bytes hold.
    int valuesAPack() const { return static_cast<int>(16 / io::sizeOf(type)); }
    /// Whether rows of both sides start where 16 bytes do.
    bool aligned() const { return move.columns % valuesAPack() == 0 && move.rows % valuesAPack() == 0; }
};

/// One case on one device, as launchers see it. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0;
};

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Dynamic shared memory of a block; null when none.
    std::size_t (*sharedBytes)(const Case&, const TunableValues&) = nullptr;
    /// Why the kernel has nothing to do with this, or null.
    const char* (*refusal)(const LayoutOptions&) = nullptr;
};

/// The strides of a case. Throws nothing: askedOf() has checked.
Case caseOf(const LayoutOptions& asked, io::PixelType type);

// What kernels refuse.
inline const char* movesWithinPlanes(const LayoutOptions& asked) {
    if (!asked.packs()) return nullptr;
    return "moves values within planes: pixel_per_thread and staged_packs go between planes and pixels";
}
inline const char* turnsOnly(const LayoutOptions& asked) {
    if (asked.packs()) return movesWithinPlanes(asked);
    return asked.swaps() ? nullptr : "rows stay rows here, so that no tile helps: it is for turns by a quarter";
}
inline const char* keepsStep(const LayoutOptions& asked) {
    if (asked.packs()) return movesWithinPlanes(asked);
    return asked.readsOutOfStep() ? "its reads are in step by definition: write_coalesced reads out of step" : nullptr;
}
inline const char* rowsOnly(const LayoutOptions& asked) {
    if (asked.packs()) return movesWithinPlanes(asked);
    if (asked.task == Task::stride) return "16 bytes hold values that are not wanted: write_coalesced takes strides";
    return asked.swaps() ? "rows become columns here: vectorised does that" : nullptr;
}
inline const char* packsOnly(const LayoutOptions& asked) {
    return asked.packs() ? nullptr : "goes between planes and pixels: it is for planar and interleaved";
}
/// Three or four channels, as instances there are.
inline const char* manyPacksOnly(const LayoutOptions& asked) {
    if (!asked.packs()) return packsOnly(asked);
    return asked.packedChannels() > 1 ? nullptr : "one channel has no pixels to take apart: pixel_per_thread copies it";
}

}  // namespace warplens::gpu::layout
