// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::gpu::product {

/// The extents of a product, without where it lies.
struct ProductSize {
    int rows = 0, inner = 0, columns = 0, layers = 1;
};

/// A tile of software_pipelined: as many rows as a thread has outputs, 128 columns, its sums in steps of 16 terms.
struct SplitTile {
    static constexpr int kColumns = 128, kDeep = 16;
};

/// Which tiles of a product are split along its inner dimension. Tiles are counted layer by layer.
struct SplitPlan {
    std::int64_t tiles = 0, whole = 0;  ///< all, and those before the first that is split
    int splits = 1;                     ///< of a tile; each has terms, the last one those that are left
    int terms = 0;
    double cost = 0;  ///< what the model says, in terms of a tile of 128 x 128 at a multiprocessor's full rate

    std::int64_t blocks() const { return whole + (tiles - whole) * splits; }
    /// Of partial sums, with tiles of so many rows.
    std::int64_t floats(int tileRows) const {
        return splits > 1 ? (tiles - whole) * splits * tileRows * SplitTile::kColumns : 0;
    }
};

/// How many layers are multiplied together: so that their left factors, turned, take 32 MiB, or one.
int layersTogether(const ProductSize& size, int outputsPerThread);

/// A plan for layers that are multiplied together. `splits` 0: as many as a model puts first, none where they save less
/// than a twentieth. A multiprocessor's time is that of its blocks' terms, of which one at a time does not fill it;
/// partial sums cost a kernel, and a write and a read of each.
SplitPlan splitPlan(const ProductSize& size, int outputsPerThread, int splits);

/// The outputs per thread, 32, 64 or 128, for products one after the other: 128 unless others save a twentieth.
int fittedOutputs(const std::vector<ProductSize>& products, int splits);

}  // namespace warplens::gpu::product
