// SPDX-License-Identifier: Apache-2.0
// Labels, areas and boxes are counted; a centre is one division of two sums, which double holds.
#include "tests/gpu/verifier_definition.hpp"

namespace warplens::gpu::testing::components {
namespace {

[[maybe_unused]] const bool kKnown = defines("components", {.of = [](const Posed&) { return Definition(); }});

}  // namespace
}  // namespace warplens::gpu::testing::components
