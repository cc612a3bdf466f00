// SPDX-License-Identifier: Apache-2.0
#include "gpu/history/packing.hpp"

#include "gpu/core/fnv.hpp"
#include "io/file.hpp"

#include <cstdio>
#include <stdexcept>
#include <zlib.h>

namespace warplens::gpu::history {

std::vector<unsigned char> pack(const std::string& text) {
    uLongf room = compressBound(text.size());
    std::vector<unsigned char> packed(room);
    const auto* first = reinterpret_cast<const unsigned char*>(text.data());
    if (compress2(packed.data(), &room, first, text.size(), Z_BEST_SPEED) != Z_OK)
        throw std::runtime_error("cannot be compressed");
    packed.resize(room);
    return packed;
}

std::string unpack(std::span<const unsigned char> packed, std::int64_t bytes) {
    if (bytes < 0 || bytes > io::kMostTextBytes) throw std::runtime_error("says that it has an impossible size");
    std::string text(static_cast<std::size_t>(bytes), '\0');
    uLongf room = text.size();
    const int code = uncompress(reinterpret_cast<unsigned char*>(text.data()), &room, packed.data(), packed.size());
    if (code != Z_OK || room != text.size()) throw std::runtime_error("is damaged");
    return text;
}

std::string hashOf(const std::string& text) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "fnv1a64:%016llx", static_cast<unsigned long long>(fnv1a(text)));
    return digits;
}

}  // namespace warplens::gpu::history
