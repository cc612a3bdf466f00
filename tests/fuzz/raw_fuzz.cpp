// SPDX-License-Identifier: Apache-2.0
// A description up to the first zero byte, then a file. What is read has the size that was described, and the
// description put together again means the same.
#include "io/error.hpp"
#include "io/raw.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace warplens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* end = static_cast<const std::uint8_t*>(std::memchr(data, 0, size));
    if (end == nullptr) return -1;
    const std::string text(reinterpret_cast<const char*>(data), static_cast<std::size_t>(end - data));
    const auto file = std::as_bytes(std::span(end + 1, static_cast<std::size_t>(data + size - end - 1)));
    io::ReadOptions options;
    options.limits.bytes = 16 << 20;
    try {
        const auto raw = io::parseRaw("raw:f:" + text);
        if (!(io::parseRaw(io::formatRaw(raw)) == raw)) std::abort();
        const auto grid = io::decodeRaw(file, raw, options);
        const auto stored = raw.wholeFile ? file.size()
                                          : static_cast<std::size_t>(raw.skip) +
                                                static_cast<std::size_t>(grid.shape().values()) * io::sizeOf(raw.type);
        if (stored != file.size()) std::abort();
        std::size_t sum = 0;
        for (std::size_t i = 0; i < grid.bytes(); ++i) sum += std::to_integer<std::size_t>(grid.data()[i]);
        if (sum == SIZE_MAX) std::abort();
    } catch (const io::Error&) {
        return 0;
    }
    return 0;
}
