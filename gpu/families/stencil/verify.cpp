// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/verify.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <cmath>

namespace warplens::gpu::stencil {

Verifier::Verifier(std::shared_ptr<const io::Grid> input, Operator op, int steppedChannels)
    : m_input(std::move(input)), m_op(std::move(op)), m_channels(steppedChannels) {}

void Verifier::compute(std::int64_t steps, std::stop_token stop) const {
    if (m_steps == steps) return;
    std::vector<Tile> tiles;
    for (const Box& box : sampleBoxes(m_input->shape(), m_op.pattern, steps, m_channels)) {
        Tile tile{box, {}};
        for (int c = 0; c < m_channels; ++c) tile.channels.push_back(exactIn(box, *m_input, c, m_op, steps, stop));
        tiles.push_back(std::move(tile));
    }
    m_tiles = std::move(tiles);
    m_steps = steps;
}

Verification Verifier::verify(const io::Grid& output, std::int64_t steps, std::stop_token stop, double factor) const {
    const std::lock_guard lock(m_mutex);
    compute(steps, stop);
    ImageVerifier judge(output);
    for (const Tile& tile : m_tiles) {
        std::size_t i = 0;
        for (auto z = tile.box.lo[2]; z < tile.box.hi[2]; ++z) {
            if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
            for (auto y = tile.box.lo[1]; y < tile.box.hi[1]; ++y) {
                for (auto x = tile.box.lo[0]; x < tile.box.hi[0]; ++x, ++i) {
                    for (int c = 0; c < output.shape().channels; ++c) {
                        const ImageVerifier::Place place{x, y, z};
                        if (c >= m_channels) {
                            judge.kept(place, c, m_input->value(x, y, z, c));
                            continue;
                        }
                        const Exact& exact = tile.channels[static_cast<std::size_t>(c)][i];
                        // Where single precision may overflow on the way, there is nothing to compare.
                        if (std::isfinite(exact.bound)) judge.computed(place, c, exact.value, factor * exact.bound);
                    }
                }
            }
        }
    }
    auto result = judge.result();
    if (m_tiles.empty()) {
        result.note =
            std::to_string(steps) + " steps in double precision would take too long for an input of this size";
    }
    return result;
}

}  // namespace warplens::gpu::stencil
