// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/common.hpp"
#include "io/codecs/source.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// The bytes that a header asks for and not one more, from a stream whose read(span) puts some at the beginning and
/// says how many, 0 at its end. Memory is taken as they arrive. Throws Error(unreadable) when there are fewer or more.
template <class Stream>
std::vector<std::byte> readNeeded(Stream& stream, std::size_t needed, const char* title, const Source& source) {
    constexpr std::size_t kFirstPiece = 1 << 22;
    const auto asked = std::to_string(needed) + " bytes that the header asks for";
    std::vector<std::byte> values(std::min(needed, kFirstPiece));
    for (std::size_t filled = 0; filled < needed;) {
        if (filled == values.size()) {
            // Never more than twice what is there.
            const auto size = std::min(needed, 2 * filled);
            values.reserve(size);
            values.resize(size);
        }
        const auto got = stream.read(std::span(values).subspan(filled));
        if (got == 0) {
            damaged(source.where, title, "its compressed stream holds " + std::to_string(filled) + " of the " + asked);
        }
        filled += got;
        source.tell(static_cast<double>(filled) / static_cast<double>(needed));
    }
    std::byte further{};
    if (stream.read({&further, 1}) > 0)
        damaged(source.where, title, "its compressed stream holds more than the " + asked);
    return values;
}

}  // namespace warplens::io::codecs
