// SPDX-License-Identifier: Apache-2.0
// Any bytes that one codec takes for its own are decoded or refused with an Error; anything else is a finding.
#include "io/codecs/codec.hpp"
#include "io/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = std::as_bytes(std::span(data, size));
    const auto* codec = warplens::io::codecs::identify(file);
    if (codec == nullptr || codec->id != std::string_view(WARPLENS_FUZZ_CODEC)) return -1;  // of no use to this corpus
    // Small enough that time goes into paths, not into pixels.
    warplens::io::Limits limits;
    limits.side = 4096;
    limits.pixels = limits.plane = 1 << 20;
    limits.bytes = 16 << 20;
    limits.metadataBytes = 1 << 20;
    try {
        const auto grid = warplens::io::codecs::decode(file, limits, "fuzz");
        limits.check(grid.shape(), grid.type(), "fuzz");
        // Every value is read, so that memory never written shows under a sanitizer that looks for it.
        std::size_t sum = 0;
        for (std::size_t i = 0; i < grid.bytes(); ++i) sum += std::to_integer<std::size_t>(grid.data()[i]);
        if (sum == SIZE_MAX) std::abort();
    } catch (const warplens::io::Error&) {
        return 0;
    }
    return 0;
}
