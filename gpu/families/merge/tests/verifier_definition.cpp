// SPDX-License-Identifier: Apache-2.0
// Sorted values are the picture's own, and so are its quantiles.
#include "tests/gpu/verifier_definition.hpp"

namespace warplens::gpu::testing::merge {
namespace {

[[maybe_unused]] const bool kKnown = defines("merge", {.of = [](const Posed&) { return Definition(); }});

}  // namespace
}  // namespace warplens::gpu::testing::merge
