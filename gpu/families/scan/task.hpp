// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/frame/bound_parameters.hpp"
#include "gpu/frame/shared_parameters.hpp"
#include "io/grid.hpp"

namespace warplens::gpu::scan {

enum class Task { sums, integral, box, threshold, equalise, clahe, compact };
enum class Along { values, rows, columns };

/// What the user may choose.
struct ScanOptions {
    Task task{};
    Along along{};
    enum class Kind { inclusive, exclusive } kind{};
    int radius = 1;
    double offset = 0;
    double clip = 40;
    int tiles = 8;
    double level = 0;
    Alpha alpha{};

    bool windows() const { return task == Task::box || task == Task::threshold; }
    bool tables() const { return task == Task::equalise || task == Task::clahe; }
    /// Sums are the result.
    bool sums() const { return task == Task::sums || task == Task::integral; }
    /// How many of so many channels are worked on: of what makes a picture of a picture not the alpha that is kept.
    int channelsOf(int channels) const { return windows() || tables() ? channelsWithout(alpha, channels) : channels; }
};
const BoundParameters<ScanOptions>& parameters();

/// Of the result's picture; of a compaction its places.
io::PixelType outputTypeOf(const ScanOptions& asked, io::PixelType input);

}  // namespace warplens::gpu::scan
