// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/bench/result.hpp"

#include <string>

namespace warplens::gpu::bench {

/// One line a goal, or a case that has none: the best row, its time, the goal, the best peer; the last columns are
/// against the best peer and of the limit. Notes below: limits, rows that are wrong or unverified, goals that were
/// missed.
std::string toText(const Result& result);

/// The same as Markdown, and below it a table of every row of each case.
std::string toMarkdown(const Result& result);

}  // namespace warplens::gpu::bench
