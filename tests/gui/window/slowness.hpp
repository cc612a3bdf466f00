// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui::test {

// Instrumented builds are several times slower; there only freezes count.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSlowness = 10;
#else
constexpr int kSlowness = 1;
#endif

}  // namespace warplens::gui::test
