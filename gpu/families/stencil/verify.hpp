// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/stencil/reference.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace warplens::gpu::stencil {

/// Compares results with n steps in double precision, computed once for a number of steps. Small volumes are checked
/// whole; large ones in tiles at every corner, edge and face and in the middle, as far as their halo of n cells is
/// affordable. Thread-safe.
class Verifier {
public:
    Verifier(std::shared_ptr<const io::Grid> input, Operator op, int steppedChannels);

    /// `factor` widens the bound for a library's own order of sums; 1 for kernels.
    Verification verify(const io::Grid& output, std::int64_t steps, std::stop_token stop, double factor = 1) const;

private:
    struct Tile {
        Box box;
        std::vector<std::vector<Exact>> channels;
    };
    void compute(std::int64_t steps, std::stop_token stop) const;

    std::shared_ptr<const io::Grid> m_input;
    Operator m_op;
    int m_channels;  ///< stepped ones; an alpha channel that is kept must come out as it went in
    mutable std::mutex m_mutex;
    mutable std::int64_t m_steps = -1;
    mutable std::vector<Tile> m_tiles;
};

/// The boxes to check; empty when no choice is affordable.
std::vector<Box> sampleBoxes(const io::Shape& shape, Pattern pattern, std::int64_t steps, int channels);

}  // namespace warplens::gpu::stencil
