// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace warplens::gpu::convolution {

/// How a kernel's threads march down a picture: what rows_per_thread is fitted by where the user has not chosen it.
struct March {
    int together = 4;                 ///< blocks per multiprocessor that make a turn
    double waiting = 1.0 / 3;         ///< how much of a turn that is not full is waited for; the rest is others' work
    double tail = 0;                  ///< blocks per multiprocessor whose time a launch takes beside that of its own
    double atOnce = 0;                ///< so many blocks per multiprocessor run side by side to the end, ...
    double tailAtOnce = 0;            ///< ... which leaves less of a tail
    int leastRows = 8, mostRows = 0;  ///< most: 0 for a sixteenth more than the default
    int granule = 1;                  ///< more rows are multiples of it
    bool halves = false;              ///< ... and powers of two or three halves of one, of which leastRows is one
    int lead = 1;                     ///< rows that a march takes time for before its first, beside the filter's
    bool frameWaits = false;  ///< further blocks of the launch write what lies near the edge, best within a turn
};

/// A picture as a grid sees it.
struct MarchedPicture {
    std::int64_t width, height;
    std::int64_t across;  ///< blocks side by side, of all planes
    int threadsDown;      ///< of a block
    int planes;
    int filterWidth, filterHeight;
};

/// The rows per thread that a model puts first, `most` being their default: it was fitted to an H200
/// (measurements.md), and a device is known by its multiprocessors, a CPU by its threads. A march costs its rows, the
/// filter's and its lead, times the blocks that a multiprocessor has. `most` where no rows are within the bounds.
int fittedRows(const March& march, const MarchedPicture& picture, int multiprocessors, int most);

}  // namespace warplens::gpu::convolution
