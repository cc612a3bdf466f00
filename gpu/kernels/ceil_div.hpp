// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu {

/// How many pieces of size `piece` cover `total`. Both positive.
constexpr unsigned ceilDiv(int total, int piece) { return static_cast<unsigned>((total + piece - 1) / piece); }

}  // namespace warplens::gpu
