// SPDX-License-Identifier: Apache-2.0
#include "io/error.hpp"
#include "io/generate.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    warplens::io::Limits limits;
    limits.pixels = 1 << 12;
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        warplens::io::generate("gen:" + text, limits);
    } catch (const warplens::io::Error&) {
        return 0;
    }
    return 0;
}
