// SPDX-License-Identifier: Apache-2.0
#include "io/sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace warplens::io {
namespace {

using Word = std::uint32_t;

/// The first 32 bits of what follows the point of a root of each of the first primes.
template <std::size_t N>
std::array<Word, N> rootsOfPrimes(long double (*root)(long double)) {
    std::array<Word, N> words{};
    std::size_t found = 0;
    for (int candidate = 2; found < N; ++candidate) {
        bool prime = true;
        for (int divisor = 2; divisor * divisor <= candidate; ++divisor) prime = prime && candidate % divisor != 0;
        if (!prime) continue;
        const long double value = root(candidate);
        words[found++] = static_cast<Word>(std::floor((value - std::floor(value)) * 4294967296.0L));
    }
    return words;
}

void addBlock(std::array<Word, 8>& state, const unsigned char* block) {
    static const auto constants = rootsOfPrimes<64>([](long double prime) { return std::cbrt(prime); });
    std::array<Word, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] =
            Word{block[4 * i]} << 24U | Word{block[4 * i + 1]} << 16U | Word{block[4 * i + 2]} << 8U | block[4 * i + 3];
    for (std::size_t i = 16; i < 64; ++i) {
        const Word a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const Word first =
            h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        const Word second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<Word, 8> added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view text) {
    static const auto initial = rootsOfPrimes<8>([](long double prime) { return std::sqrt(prime); });
    std::array<Word, 8> state = initial;
    // The text, a one, and its length in bits at the end of the last block.
    std::string padded(text);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> static_cast<unsigned>(shift));
    for (std::size_t at = 0; at < padded.size(); at += 64)
        addBlock(state, reinterpret_cast<const unsigned char*>(padded.data()) + at);
    std::string digits;
    for (const Word word : state) {
        char eight[9];
        std::snprintf(eight, sizeof eight, "%08x", word);
        digits += eight;
    }
    return digits;
}

}  // namespace warplens::io
