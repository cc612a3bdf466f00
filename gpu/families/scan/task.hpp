// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "io/grid.hpp"

namespace warplens::gpu::scan {

enum class Task { sums, integral, box, threshold, equalise, clahe, compact };
enum class Along { values, rows, columns };

/// What the user asked for.
struct Asked {
    Task task = Task::sums;
    Along along = Along::values;
    bool exclusive = false;
    int radius = 1;
    double offset = 0;
    double clip = 40;
    int tiles = 8;
    double level = 0;
    bool keepAlpha = true;

    bool windows() const { return task == Task::box || task == Task::threshold; }
    bool tables() const { return task == Task::equalise || task == Task::clahe; }
    /// Sums are the result.
    bool sums() const { return task == Task::sums || task == Task::integral; }
    /// How many of so many channels are worked on: of what makes a picture of a picture not the alpha that is kept.
    int channelsOf(int channels) const { return (windows() || tables()) && keepAlpha && channels == 4 ? 3 : channels; }
};

/// Throws Error(argument) for what is out of range.
Asked askedOf(const ParameterValues& values);

/// Of the result's picture; a compaction has none.
io::PixelType outputTypeOf(const Asked& asked, io::PixelType input);

}  // namespace warplens::gpu::scan
