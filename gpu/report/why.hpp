// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/report/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What a number in a sentence is, so that it can be checked against its source.
enum class WhyFigure {
    none,
    loadSectors,      ///< 32-byte sectors of global loads
    sectorsPerLoad,   ///< of a load request
    idealSectors,     ///< of a load request: what would hold the bytes asked for
    usefulLoadShare,  ///< bytes asked for over the bytes of the sectors loaded
    textureSectors,   ///< 32-byte sectors of fetches through textures
    storeSectors,     ///< of global stores
    usefulStoreShare,
    reuse,             ///< loads of an input value that is loaded at all
    sharedWavefronts,  ///< passes over the banks, loads and stores
    passesPerShared,   ///< of a shared request
    globalAtomics,     ///< additions of threads
    sharedAtomics,
    lanesPerAddress,  ///< lanes of an atomic request at one address, mean of both memories
    flops,
    operationsPerByte,
    idleThreadShare,  ///< threads launched less values written, over threads launched
    threads,          ///< launched
    activeLanes,      ///< of 32, mean of all traced instructions
    barriers,
    time,     ///< ms
    balance,  ///< operations a byte at which a device computes as long as it copies
};
/// The number that counters give; 0 for what is no count.
double valueOf(WhyFigure figure, const Counters& counters);

/// A stretch of a sentence: words, or one number with its origin.
struct WhyPiece {
    std::string text;
    WhyFigure figure = WhyFigure::none;  ///< of a number
    std::optional<Origin> origin{};      ///< of a number
    bool predecessor = false;            ///< whether the number is the predecessor's
    bool strong = false;
};

/// What a sentence claims of its numbers.
enum class WhyClaim {
    saves,   ///< the first number is smaller than the predecessor's, the second
    adds,    ///< it is larger
    same,    ///< nothing moved by one percent, or times whose intervals overlap
    wastes,  ///< the number is far from what it could be
    bound,   ///< the first number is below the second, or above
};
struct WhySentence {
    WhyClaim claim;
    std::vector<WhyPiece> pieces;
};

/// A verified time of a rung.
struct WhyTime {
    Timing time;
    Origin origin = Origin::measured;
};

/// A rung of the ladder and what is known of it.
struct WhyVariant {
    const Variant* variant;
    const Counters* counters;
    std::optional<WhyTime> time{};
    std::optional<Footprint> footprint{};
};

/// A device's ceilings, with their origin.
struct WhyCeilings {
    std::string device;  ///< "H200"
    Limits limits;
    Origin origin = Origin::measured;
};

/// What a rung saves against its predecessor and what it pays for that, what it still wastes, what its time says, what
/// bounds it: one to five sentences, and no more than the numbers support.
std::vector<WhySentence> explainVariant(const WhyVariant& rung, const WhyVariant* before,
                                        const std::optional<WhyCeilings>& ceilings = {});

/// The sentence with each number's letter behind it: "... 13,140 (C) sectors ...".
std::string plainText(const WhySentence& sentence);

}  // namespace warplens::gpu
