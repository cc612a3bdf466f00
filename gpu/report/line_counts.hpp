// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counters.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What a line of source is measured by.
enum class Heat {
    sectors,     ///< 32-byte sectors that loads and stores touch in global memory
    conflicts,   ///< passes over the banks of shared memory beyond the least
    divergence,  ///< lanes of 32 that take no part in a request, or part from most of their warp at a branch
    atomics      ///< additions of threads by atomics
};
inline constexpr std::array kHeats{Heat::sectors, Heat::conflicts, Heat::divergence, Heat::atomics};

/// Lanes that a request is of: of a fetch through a texture a quarter of the warp.
std::int64_t lanesOf(Space space);

/// The accesses that a line of a file makes and the branches it takes, itself or in functions that it calls.
struct LineCounts {
    std::vector<CounterLine> accesses;
    BranchLine branches;  ///< sums, without a place
    std::int64_t heat(Heat heat) const;
};

/// The device code in which accesses happen or something was found, by path: `own` first, then those it includes, by
/// name.
std::vector<std::string> filesOf(const Counters& counters, const std::string& own);

/// The line of `file` that an access belongs to, by its stack: the innermost one there; 0 when it has none.
int lineIn(const std::string& file, const std::vector<std::string>& stack);

/// By line, from 1. Accesses of kernels that never come through the file are left out.
std::map<int, LineCounts> linesOf(const Counters& counters, const std::string& file);

/// Adds what branches, by the same rule: to the lines there are, and with `alone` as lines that access nothing.
void addBranches(std::map<int, LineCounts>& lines, const gpu::Counters& counters, const std::string& file, bool alone);

}  // namespace warplens::gpu
