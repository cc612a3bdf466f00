// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"
#include "io/grid.hpp"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <tbb/parallel_for.h>
#include <vector>

namespace warplens::gpu {

/// Calls f(verifier, y, z) for the rows of a result that are compared, by several threads: of small ones all, of large
/// ones the first and last rows and every so manieth, whole rows each. Throws Error(cancelled).
template <class F>
Verification checkRows(const io::Grid& output, const std::stop_token& stop, F f) {
    constexpr std::int64_t kMostValues = 1 << 24, kEndRows = 300;
    constexpr std::size_t kTogether = 32;
    const io::Shape& shape = output.shape();
    const std::int64_t rows = shape.height * shape.depth;
    // Odd, and so no divisor of a tile.
    const std::int64_t every = shape.values() <= kMostValues ? 1 : 2 * (shape.values() / kMostValues) + 1;
    std::vector<std::int64_t> checked;
    for (std::int64_t row = 0; row < rows; ++row)
        if (row % every == 0 || row < kEndRows || row >= rows - kEndRows) checked.push_back(row);
    std::vector<ImageVerifier> parts((checked.size() + kTogether - 1) / kTogether, ImageVerifier(output));
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
        for (std::size_t i = part * kTogether; i < std::min((part + 1) * kTogether, checked.size()); ++i)
            f(parts[part], checked[i] % shape.height, checked[i] / shape.height);
    });
    ImageVerifier all(output);
    for (const ImageVerifier& part : parts) all.join(part);
    return all.result();
}

}  // namespace warplens::gpu
