// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// Whether a case of a full product of sizes, types, borders and so on is left out: under sanitizers, which look at
/// accesses rather than at values and are several times slower, two cases of three. `places` is the sum of the case's
/// places along its dimensions, so that two of them still meet in every pair where a third has three places or more.
constexpr bool skippedUnderSanitizer(int places) { return kSanitized && places % 3 != 0; }

}  // namespace warplens::testing
