// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/tuning.hpp"

#include <stop_token>
#include <vector>

namespace warplens::gpu {

/// What a race among guesses may take: it ends when both are spent. Launches that load a kernel's code or record a
/// graph count as launches, not as milliseconds.
struct AutotuneBudget {
    double ms = 5;
    int launches = 10;
};

/// Which of some guesses is the fastest, as quickly as that can be told. First each runs once, in their order: on the
/// milliseconds' first part any, beyond it only what a table puts near the best. What took more than twice the best is
/// dropped. Then the others take turns, several launches a sample where they are short, until one is clearly ahead or
/// the budget is spent. `sets` are sessions of the problem whose buffers are used in turn; the result lies on none.
/// A guess that fails for want of memory, or is refused, is left out; there may be no row in the end. Throws
/// Error(cancelled) soon after a stop, and Error(fault) that names the guess the device was lost with.
AutotuneResult autotune(const Family& family, const Problem& problem, Device& device, const std::vector<Session*>& sets,
                        const std::vector<Guess>& guesses, const AutotuneBudget& budget, const std::stop_token& stop);

}  // namespace warplens::gpu
