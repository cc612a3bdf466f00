// SPDX-License-Identifier: Apache-2.0
// A mask has one right value in each place.
#include "tests/gpu/verifier_definition.hpp"

namespace warplens::gpu::testing::binary {
namespace {

[[maybe_unused]] const bool kKnown = defines("binary", {.of = [](const Posed&) { return Definition(); }});

}  // namespace
}  // namespace warplens::gpu::testing::binary
