// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace warplens::gpu::convolution {

/// How a kernel's threads march down a picture: what rows_per_thread is fitted by where the user has not chosen it.
struct March {
    int blocksAtOnce = 528;  ///< as many as an H200 runs at once, or as serve it best (measurements.md)
    int leastRows = 8;
    int granule = 1;     ///< rows that it takes together
    int lead = 1;        ///< rows that a march takes time for before its first, beside the filter's
    bool framed = true;  ///< further blocks of the launch write what lies near the edge
};

/// A picture as a grid sees it.
struct MarchedPicture {
    std::int64_t width, height;
    std::int64_t across;  ///< blocks side by side, of all planes
    int threadsDown;      ///< of a block
    int planes;
    int filterWidth, filterHeight;
};

/// The rows per thread, up to a sixteenth more than `most`, that a model puts first. A march costs its rows, the
/// filter's and its lead: once for each turn of blocks that run at once, and twice for its share of a turn; the frame's
/// blocks cost another 3 rows where the last turn has no place for them. `most` where no rows are within the bounds.
int fittedRows(const March& march, const MarchedPicture& picture, int most);

}  // namespace warplens::gpu::convolution
