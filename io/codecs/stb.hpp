// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace warplens::io::codecs {

struct StbFormat {
    const char* title;         ///< in messages
    std::int64_t pixelsAByte;  ///< at most so many can a byte of the file stand for; more are refused
    bool floats;               ///< the result is f32, not u8
    std::function<void(const Shape&)> check = {};  ///< throws Error for what stb_image must not see; may be empty
};

/// Decodes through stb_image what the caller has checked to be a sane header of its format. Sizes are checked before
/// allocation. A file that ends too early is an Error, where stb_image alone would go on with zeros. Throws Error.
Grid decodeWithStb(std::span<const std::byte> file, const Limits& limits, const std::string& where,
                   const StbFormat& format);

}  // namespace warplens::io::codecs
