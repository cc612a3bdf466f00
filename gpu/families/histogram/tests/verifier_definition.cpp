// SPDX-License-Identifier: Apache-2.0
// Counts are counted, and edges are the ones that were asked for. A library is held to its bins alone.
#include "tests/gpu/verifier_definition.hpp"

namespace warplens::gpu::testing::histogram {
namespace {

ParameterValues complete(const io::Grid&, ParameterValues values) {
    fallTo(values, "bins", std::int64_t{13});
    return values;
}

std::optional<Definition> of(const Posed& posed) {
    const std::string& channels = posed.text("channels");
    if (channels != "each" && channels != "luminance") return std::nullopt;
    return Definition{.number = [](const Variant& variant, const std::string& table, const std::string& column, auto) {
        return isLibrary(variant) && table == "outside" && column != "channel" ? notVerified() : exactly();
    }};
}

[[maybe_unused]] const bool kKnown = defines("histogram", {&complete, &of});

}  // namespace
}  // namespace warplens::gpu::testing::histogram
