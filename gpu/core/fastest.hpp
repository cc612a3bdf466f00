// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"

namespace warplens::gpu {

/// Whether a result is right by the family's own definition and bound: a check whose note names others is not. Without
/// a check nothing speaks against it.
bool isExact(const std::optional<Verification>& check);

/// Whether a run has a time of a GPU's clock that ranks: it ran well, and its check, if there was one, reached some
/// values.
bool ranks(const RunRecord& record);

/// Whether a run may be named the fastest, wherever that is done: it ranks and is exact.
inline bool mayBeFastest(const RunRecord& record) { return ranks(record) && isExact(record.verification); }

}  // namespace warplens::gpu
