// SPDX-License-Identifier: Apache-2.0
// Steps and how many pixels each level has are counted.
#include "tests/gpu/verifier_definition.hpp"

namespace warplens::gpu::testing::flood {
namespace {

/// Regions of some size and several levels, whatever the picture's values.
ParameterValues complete(const io::Grid& input, ParameterValues values) {
    fallTo(values, "seeds", std::string(input.shape().depth > 1 ? "1,1,0;3,2,2" : "1,1;4,2"));
    fallTo(values, "tolerance",
           input.type() == io::PixelType::f32   ? 1.3
           : input.type() == io::PixelType::u8  ? 160.0
           : input.type() == io::PixelType::u16 ? 45000.0
                                                : 2.7e9);
    return values;
}

[[maybe_unused]] const bool kKnown = defines("flood", {&complete, [](const Posed&) { return Definition(); }});

}  // namespace
}  // namespace warplens::gpu::testing::flood
