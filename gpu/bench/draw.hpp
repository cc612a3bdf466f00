// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/bench/draw_entries.hpp"
#include "gpu/bench/suite.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::bench {

/// Task `number`, from 1, of a seed: an ordinary case, called random-SEED-NUMBER, of the suite "random".
///
/// Every draw is a function of (seed, number, attempt, name of what is drawn) and of nothing before it: 64 bits of
/// io::randomBits(), with the FNV-1a hash of the name as its counter, and integer arithmetic from there on. So a task
/// is the same whatever how many are drawn, in which order and on which machine; it changes when families or the
/// entries they are drawn by do. Families come in turns: each once in as many tasks as there are families, in an order
/// drawn for every turn. A task that exceeds `largest`, or that its family refuses, is drawn anew as the next attempt,
/// the family kept: a task is the same for all `largest` that it fits.
///
/// Sizes: "picture" 64 to 16,384 a side, "any" 1 to 16,384, "thin" 1 to 15 by 1 to 16,384, "volume" 4 to 1,024, an
/// octave as likely as another and all sizes of an octave alike. Of eight sides two become the next prime below, one a
/// multiple of 16 and one a power of two.
///
/// Parameters are drawn by their entry's rule. Without one: choices evenly, flags by a coin, whole numbers as sizes
/// are, from the minimum to the maximum but not above 16 times the default; real numbers, texts, pictures and
/// parameters that have no effect with the others stay at their default, and so do advanced ones seven times in eight.
/// Texts of a rule may name {width}, {height}, {depth}, {size}, {type}, {channels} (":c=3" or nothing) and {any}, a
/// size of 1 to 4,096.
///
/// Throws Error(argument) when no attempt fits `largest`.
Case drawCase(const std::vector<FamilyDraws>& draws, const Drawing& drawing, int number);

/// Tasks 1 to drawing.cases.
std::vector<Case> drawCases(const std::vector<FamilyDraws>& draws, const Drawing& drawing);

/// Cases as suite.json has them, each with its "family": what `bench --list --json` prints and scripts/bench-peers
/// --from reads.
std::string casesJson(const std::vector<Case>& cases);

}  // namespace warplens::gpu::bench
