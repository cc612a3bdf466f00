// SPDX-License-Identifier: Apache-2.0
// The first byte chooses the axes; the rest is a file. What is read is written and read again, bit for bit.
#include "io/error.hpp"
#include "io/npy.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace warplens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return -1;
    constexpr const char* kAxes[] = {"", "yx", "zyx", "yxc", "zyxc", "x"};
    io::ReadOptions options;
    options.limits.pixels = 1 << 20;
    const bool plain = data[0] == 0x93;  // a file as it is, from the seeds
    if (!plain) options.axes = kAxes[data[0] % 6];
    const auto file = std::as_bytes(std::span(data, size)).subspan(plain ? 0 : 1);
    try {
        const auto grid = io::decodeNpy(file, options, "fuzz");
        std::vector<std::byte> written;
        io::encodeNpy(
            grid, [&](std::span<const std::byte> piece) { written.insert(written.end(), piece.begin(), piece.end()); });
        options.axes.clear();
        const auto again = io::decodeNpy(written, options, "again");
        // A picture of one channel whose extents look like colour may change its axes, never its values.
        if (again.bytes() != grid.bytes() || std::memcmp(again.data(), grid.data(), grid.bytes()) != 0) std::abort();
    } catch (const io::Error&) {
        return 0;
    }
    return 0;
}
