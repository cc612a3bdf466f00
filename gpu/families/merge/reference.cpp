// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace warplens::gpu::merge {
namespace {

constexpr std::uint32_t kSign = 0x80000000U, kNaN = 0x7fffffffU;

void stopWhenAsked(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
}

/// A number that rises with the value.
std::uint32_t rankOf(float value) {
    std::uint32_t bits = kNaN;
    if (!std::isnan(value)) std::memcpy(&bits, &value, sizeof bits);
    return std::signbit(value) && !std::isnan(value) ? ~bits : bits | kSign;
}
std::uint32_t rankOf(std::int32_t value) { return static_cast<std::uint32_t>(value) ^ kSign; }
template <class T>
std::uint32_t rankOf(T value) {
    return value;
}

template <class T>
T valueOf(std::uint32_t rank) {
    if constexpr (std::is_same_v<T, float>) {
        const std::uint32_t bits = (rank & kSign) != 0 ? rank & ~kSign : ~rank;
        float value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
        return static_cast<std::int32_t>(rank ^ kSign);
    } else {
        return static_cast<T>(rank);
    }
}

/// f(i) for all of them, and a look every few milliseconds whether to go on.
template <class F>
void forEach(std::size_t count, const std::stop_token& stop, F f) {
    constexpr std::size_t kBetweenLooks = std::size_t{1} << 22;
    for (std::size_t first = 0; first < count; first += kBetweenLooks) {
        stopWhenAsked(stop);
        for (std::size_t i = first; i < std::min(count, first + kBetweenLooks); ++i) f(i);
    }
}

/// Digits of 16 bits from the lowest on; values with equal ones keep their order.
void sortByCounting(std::vector<std::uint32_t>& ranks, std::size_t bytes, const std::stop_token& stop) {
    std::vector<std::uint32_t> to(ranks.size());
    for (unsigned shift = 0; shift < 8 * bytes; shift += 16) {
        std::vector<std::size_t> next(65537);
        forEach(ranks.size(), stop, [&](std::size_t i) { ++next[(ranks[i] >> shift & 0xffffU) + 1]; });
        for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
        forEach(ranks.size(), stop, [&](std::size_t i) { to[next[ranks[i] >> shift & 0xffffU]++] = ranks[i]; });
        ranks.swap(to);
    }
}

}  // namespace

io::Grid sorted(const io::Grid& input, const std::stop_token& stop) {
    io::Grid output(input.shape(), input.type());
    const auto pixels = static_cast<std::size_t>(input.shape().pixels());
    const auto channels = static_cast<std::size_t>(input.shape().channels);
    io::withType(input.type(), [&]<class T>(T) {
        std::vector<std::uint32_t> ranks(pixels);
        for (std::size_t c = 0; c < channels; ++c) {
            forEach(pixels, stop, [&](std::size_t i) { ranks[i] = rankOf(input.as<T>()[i * channels + c]); });
            sortByCounting(ranks, sizeof(T), stop);
            forEach(pixels, stop, [&](std::size_t i) { output.as<T>()[i * channels + c] = valueOf<T>(ranks[i]); });
        }
    });
    return output;
}

Verification compare(const io::Grid& output, const io::Grid& exact, bool bits, const std::stop_token& stop) {
    const io::Shape& s = exact.shape();
    if (ReferenceWitness::of(output) == nullptr && std::memcmp(output.data(), exact.data(), exact.bytes()) == 0)
        return {.checkedShare = 1, .firstMismatch = {}, .note = {}};
    ImageVerifier judge(output);
    std::int64_t others = 0;
    const std::size_t size = io::sizeOf(exact.type());
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y) {
            stopWhenAsked(stop);
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < s.channels; ++c) {
                    const double value = exact.value(x, y, z, c), got = output.value(x, y, z, c);
                    judge.kept({x, y, z}, c, value);
                    const std::size_t at = exact.index(x, y, z, c) * size;
                    const bool alike = value == got || (std::isnan(value) && std::isnan(got));
                    if (alike && std::memcmp(output.data() + at, exact.data() + at, size) != 0) ++others;
                }
        }
    Verification found = judge.result();
    if (bits && others > 0) {
        if (found.mismatches == 0)
            found.firstMismatch = std::to_string(others) + " zeros or NaN with other bits than in their place";
        found.mismatches += others;
    }
    return found;
}

}  // namespace warplens::gpu::merge
