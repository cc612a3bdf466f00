// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"
#include "gpu/trace/lane_log.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>

namespace warplens::gpu::trace {

/// One access of the code, in one memory: an address may be of shared memory here and of global memory there.
struct Site {
    std::uint32_t pc = 0;
    Space space{};
    Operation operation{};
    bool operator==(const Site&) const = default;
};

struct SiteHash {
    std::size_t operator()(const Site& s) const {
        return s.pc * 7U + static_cast<unsigned>(s.space) * 3U + static_cast<unsigned>(s.operation);
    }
};

/// How often warps executed a basic block, with how many lanes in sum, how often these parted at its end, and how many
/// then went another way than most.
struct BlockCount {
    std::int64_t warps = 0, lanes = 0, divergent = 0, apart = 0;
};

/// What the warps of some blocks did.
struct Tally {
    std::unordered_map<Site, AccessCount, SiteHash> sites;
    std::unordered_map<std::uint32_t, BlockCount> basicBlocks;
    std::int64_t barriers = 0, branches = 0, divergentBranches = 0, contention = 0, matrixOperations = 0, blocks = 0;
    std::int64_t atomicOperations = 0, annotatedRaces = 0;
    std::int64_t fetches = 0;  ///< instructions of warps that read a texture, each of up to four requests

    void add(const Tally& other);
};

/// Adds one request: the accesses that the active lanes of a warp make together with one instruction, 1 to 32 of them,
/// in the lanes' order. `mask` has a bit for each active lane.
void countRequest(std::span<const LoggedAccess> lanes, std::uint32_t mask, AccessCount& count);

/// Adds `other`; of `worst` the larger stays.
void add(AccessCount& count, const AccessCount& other);

}  // namespace warplens::gpu::trace
