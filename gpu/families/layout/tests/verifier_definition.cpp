// SPDX-License-Identifier: Apache-2.0
// Values move, and none changes.
#include "tests/gpu/verifier_definition.hpp"

namespace warplens::gpu::testing::layout {
namespace {

[[maybe_unused]] const bool kKnown = defines("layout", {.of = [](const Posed&) { return Definition(); }});

}  // namespace
}  // namespace warplens::gpu::testing::layout
