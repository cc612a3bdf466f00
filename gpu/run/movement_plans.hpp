// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/mover.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

/// What a way's host memory is.
enum class MovedMemory { pageable, pinned, slots };

/// How a way is done.
struct MovementPlan {
    TransferStrategy way{};
    MovedMemory memory = MovedMemory::pinned;
    /// Makes slots and lanes. Throws Error(unsupported), Error(outOfMemory).
    void (*open)(Mover&) = nullptr;
    /// Gives every item to the lanes.
    void (*put)(Mover&) = nullptr;
};

const std::vector<MovementPlan>& movementPlans();

}  // namespace warplens::gpu
