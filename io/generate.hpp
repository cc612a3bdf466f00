// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/limits.hpp"

#include <cstdint>
#include <stop_token>
#include <string>

namespace warplens::io {

/// True for "gen:...".
bool isGenerated(const std::string& input);

/// Makes the picture or volume that `gen:KIND:WxH[xD]:TYPE[:key=value]...` describes. TYPE is u8, u16 or f32; full
/// scale is 255, 65535 or 1. Every kind takes c=1|3|4 (channels, 1 unless given); colour channels are equal and alpha
/// is full scale, except for noise and normal, whose channels are all independent. Further keys:
///
/// | kind           | value                                          | keys (default)                             |
/// |----------------|------------------------------------------------|--------------------------------------------|
/// | noise          | uniform over the type's range; f32 in [0, 1)   | seed (0)                                   |
/// | normal         | bell-shaped, cut at 0 and full scale           | mean (0.4), deviation (0.12) of full scale,|
/// |                |                                                | seed (0)                                   |
/// | gradient       | 0 to full scale along an axis                  | axis=x, y, z or xy for the diagonal (x)    |
/// | checkerboard   | 0 and full scale                               | cell: side in values (8)                   |
/// | zoneplate      | rings, from 0 Hz to Nyquist at the far edges   |                                            |
/// | impulse        | 0 but for one value                            | x, y, z (centre), value (full scale)       |
/// | constant       | one value                                      | value (half of full scale, rounded up)     |
/// | gaussian       | a bump of full scale in the centre             | sigma in values (a sixth of the short side)|
/// | sphere         | full scale inside a ball, its surface soft     | r in values (0.4 of the short side)        |
/// | marschner_lobb | the test signal of volume rendering            | frequency (6), amplitude (0.25)            |
/// | hotspots       | bumps of full scale at random places           | count (8), seed (0), sigma (1/16)          |
/// | maze           | full scale in corridors without a loop, which  | cell: width of a corridor in values (1),   |
/// |                | lead everywhere; walls of 0                    | seed (0)                                   |
/// | spiral         | a way of full scale from a corner to the centre| width in values (1)                        |
/// | comb           | teeth of full scale that meet in the last rows | width in values (1)                        |
/// | blobs          | smooth noise; above 0.5 islands and lakes      | cell: their scale in values (16), seed (0) |
/// | coins          | bright discs (balls) on a dark ground, grainy  | cell: side for each (64), noise (0.06) of  |
/// |                |                                                | full scale either way, seed (0)            |
/// | text           | codes of small letters, each as often as in    | seed (0)                                   |
/// |                | English; f32: of 255                           |                                            |
///
/// Throws Error: argument (malformed, with the part that is wrong), limit, cancelled.
Grid generate(const std::string& description, const Limits& limits = {}, const std::stop_token& stop = {});

/// The counter-based generator behind gen:noise: 64 uniform bits for (seed, counter). The counter is the index of
/// the value in the grid; u8 takes the top 8 bits, u16 the top 16, f32 the top 24 divided by 2^24.
constexpr std::uint64_t randomBits(std::uint64_t seed, std::uint64_t counter) {
    // Two rounds of the SplitMix64 finaliser, one to spread the seed and one for the counter.
    const auto mix = [](std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    };
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;
    return mix(mix(seed + kGolden) + (counter + 1) * kGolden);
}

}  // namespace warplens::io
