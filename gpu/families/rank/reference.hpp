// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/rank/arguments.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace warplens::gpu::rank {

/// floor(percentile / 100 (count - 1) + 0.5): the place of the result among `count` sorted values, from 0.
int indexOf(double percentile, int count);

/// Whether some value is none: libraries do not say where they sort it.
bool holdsNotANumber(const io::Grid& grid);

/// The definition: gathers the window, sorts what is not a number behind everything else and takes value `index`; of
/// two steps the first one's result.
double rankedAt(const io::Grid& input, const Case& of, std::int64_t x, std::int64_t y, std::int64_t z, int channel);

/// The window of one value, as rows from the top left: in three dimensions from the first slice on.
std::vector<double> windowAt(const io::Grid& input, const Case& of, std::int64_t x, std::int64_t y, std::int64_t z,
                             int channel);

/// Holds results against the definition, which is worked out once. Large pictures are checked on sampled tiles, every
/// corner and edge included. Thread-safe.
class Verifier {
public:
    Verifier(std::shared_ptr<const io::Grid> input, const Case& of, int channels);

    Verification verify(const io::Grid& output, const std::stop_token& stop) const;

private:
    struct Tile {
        std::int64_t x, y, z, width, height;
    };
    void compute(const std::stop_token& stop) const;

    std::shared_ptr<const io::Grid> m_input;
    Case m_case;
    int m_channels;
    std::vector<Tile> m_tiles;
    mutable std::mutex m_mutex;
    mutable std::vector<std::vector<double>> m_exact;  ///< a tile: y, x, channel
};

}  // namespace warplens::gpu::rank
