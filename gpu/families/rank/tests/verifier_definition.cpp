// SPDX-License-Identifier: Apache-2.0
// A rank is one of the window's values.
#include "tests/gpu/verifier_definition.hpp"

namespace warplens::gpu::testing::rank {
namespace {

[[maybe_unused]] const bool kKnown = defines("rank", {.of = [](const Posed&) { return Definition(); }});

}  // namespace
}  // namespace warplens::gpu::testing::rank
