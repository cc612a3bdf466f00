// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// The problem on the device as a whole, or, where the memory that may be used does not suffice and the problem can be
/// had in pieces (Partitionable), a session that takes it over the device piece by piece: as few as fit, smaller ones
/// when a variant or another program takes memory meanwhile. The result is that of the whole, bit by bit. The problem
/// must outlive it. Throws Error(outOfMemory) with what would do.
std::unique_ptr<Session> openFitting(const Problem& problem, Device& device, Resident& resident);

/// Whether there can be pieces, and why there can be none, to follow a colon; empty: there can.
bool canBeCut(const Problem& problem);
std::string whyWhole(const Problem& problem);
/// The pieces at once: `why` is what the whole failed by, and is thrown again where there can be none.
std::unique_ptr<Session> openInPieces(const Problem& problem, Device& device, Resident& resident, const Error& why);
/// Pieces of a problem that can be cut on several devices of one kind, which outlive it, at the same time: one each,
/// which stays there, where they are alike and their memory suffices; else smaller ones, of which each takes the next.
std::unique_ptr<Session> openInPieces(const Problem& problem, const std::vector<Device*>& devices, Resident& resident);

}  // namespace warplens::gpu
