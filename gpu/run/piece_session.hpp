// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"

#include <memory>

namespace warplens::gpu {

/// The problem on the device as a whole, or, where the memory that may be used does not suffice and the problem can be
/// had in pieces (InPieces), a session that takes it over the device piece by piece: as few as fit, smaller ones when a
/// variant or another program takes memory meanwhile. The result is that of the whole, bit by bit. The problem must
/// outlive it. Throws Error(outOfMemory) with what would do.
std::unique_ptr<Session> openFitting(const Problem& problem, Device& device, Resident& resident);

/// Whether there can be pieces.
bool canBeCut(const Problem& problem);
/// The pieces at once: `why` is what the whole failed by, and is thrown again where there can be none.
std::unique_ptr<Session> openInPieces(const Problem& problem, Device& device, Resident& resident, const Error& why);

}  // namespace warplens::gpu
