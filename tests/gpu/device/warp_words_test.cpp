// SPDX-License-Identifier: Apache-2.0
// The functions of warps, bits and atomics against what a loop on the host says, on every device.
#include "gpu/device/device.hpp"
#include "gpu/kernels/builds.hpp"
#include "tests/gpu/device/warp_words_kernels.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace warplens::gpu::testing {

WARPLENS_DECLARE_BUILDS(WarpWordsKernels warpWordsKernels())

namespace {

template <class T>
class OnDevice {
public:
    OnDevice(Device& device, const std::vector<T>& values)
        : m_device(device), m_buffer(device.allocate(values.size() * sizeof(T))), m_count(values.size()) {
        device.upload(m_buffer, values.data(), m_buffer.bytes());
    }
    T* get() const { return static_cast<T*>(m_device.context().address(m_buffer.handle())); }
    std::vector<T> back() const {
        std::vector<T> values(m_count);
        m_device.download(values.data(), m_buffer, m_buffer.bytes());
        m_device.synchronize();
        return values;
    }

private:
    Device& m_device;
    Buffer m_buffer;
    std::size_t m_count;
};

class WarpWords : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (IsSkipped()) return;
        m_device = openDevice(GetParam());
        const Builds<WarpWordsKernels> builds WARPLENS_BUILDS(warpWordsKernels);
        m_kernels = *builds.of(m_device->info());
    }
    template <class T>
    OnDevice<T> put(const std::vector<T>& values) const {
        return OnDevice<T>(*m_device, values);
    }
    template <class T, class Launch>
    void expectAtomics(const std::vector<T>& values, Launch launch) const;

    std::unique_ptr<Device> m_device;
    WarpWordsKernels m_kernels{};
};

/// Single lanes, all up to a lane, all from a lane on, pairs, every other, and some without a pattern.
std::vector<unsigned> manyMasks() {
    std::vector<unsigned> masks{~0U, 0x55555555U, 0xaaaaaaaaU, 0x0f0f0f0fU};
    for (unsigned lane = 0; lane < 32; ++lane) {
        masks.insert(masks.end(), {1U << lane, ~0U >> lane, ~0U << lane, ~(1U << lane)});
        for (unsigned other = lane + 1; other < 32; ++other) masks.push_back(1U << lane | 1U << other);
    }
    std::mt19937 random(7);
    for (int i = 0; i < 64; ++i) masks.push_back(static_cast<unsigned>(random()) | 1U << i % 32);
    return masks;
}

LaneWords expected(unsigned mask, const std::vector<unsigned>& values, unsigned lane) {
    LaneWords w{};
    const unsigned mine = values[lane];
    w.all = w.allSame = 1;
    w.low = w.both = ~0U;
    w.signedLow = 0x7fffffff;
    w.signedHigh = -0x7fffffff - 1;
    for (unsigned i = 0; i < 32; ++i) {
        if ((mask >> i & 1U) == 0) continue;
        const unsigned value = values[i], bit = 1U << i;
        if (value % 3 == 0)
            w.ballot |= bit;
        else
            w.all = 0;
        if (value % 5 == mine % 5) w.anyMatch |= bit;
        if (value % 2 != mine % 2) w.allSame = 0;
        w.add += value;
        w.low = std::min(w.low, value);
        w.high = std::max(w.high, value);
        w.both &= value;
        w.either |= value;
        w.odd ^= value;
        w.signedLow = std::min(w.signedLow, static_cast<int>(value));
        w.signedHigh = std::max(w.signedHigh, static_cast<int>(value));
    }
    w.any = w.ballot != 0;
    w.allMatch = w.allSame ? mask : 0;
    w.wideMatch = w.floatMatch = w.anyMatch;
    w.signedAdd = static_cast<int>(w.add);
    return w;
}

std::string listed(const LaneWords& w) {
    std::string text;
    const std::array<unsigned, 14> words{w.ballot,     w.any, w.all, w.anyMatch, w.allMatch, w.allSame, w.wideMatch,
                                         w.floatMatch, w.add, w.low, w.high,     w.both,     w.either,  w.odd};
    for (const unsigned word : words) text += std::to_string(word) + " ";
    for (const int word : {w.signedAdd, w.signedLow, w.signedHigh}) text += std::to_string(word) + " ";
    return text;
}

TEST_P(WarpWords, LanesVoteMatchAndReduceWithEveryMask) {
    const auto masks = manyMasks();
    std::mt19937 random(3);
    std::vector<unsigned> mixed(32), small(32), same(32, 12U);
    for (auto& value : mixed) value = static_cast<unsigned>(random());  // of both signs
    for (unsigned lane = 0; lane < 32; ++lane) small[lane] = 3 * (lane / 4);
    for (const auto& values : {mixed, small, same}) {
        const auto out = put(std::vector<LaneWords>(masks.size() * 32));
        const auto maskWords = put(masks), valueWords = put(values);
        m_kernels.together(m_device->context(), static_cast<int>(masks.size()), maskWords.get(), valueWords.get(),
                           out.get());
        const auto told = out.back();
        for (std::size_t i = 0; i < told.size(); ++i) {
            const unsigned mask = masks[i / 32], lane = static_cast<unsigned>(i % 32);
            const LaneWords want = (mask >> lane & 1U) != 0 ? expected(mask, values, lane) : LaneWords{};
            ASSERT_EQ(listed(told[i]), listed(want)) << "mask " << mask << " lane " << lane;
        }
    }
}

template <class T>
T reversedBits(T word) {
    T reversed = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i) reversed |= (word >> i & 1U) << (8 * sizeof(T) - 1 - i);
    return reversed;
}

/// Set bits, the first from 1 on, zeros above the last: counted one by one.
template <class T>
std::array<int, 3> countedBits(T word) {
    std::array<int, 3> counts{0, 0, static_cast<int>(8 * sizeof(T))};
    for (int i = 0; i < static_cast<int>(8 * sizeof(T)); ++i) {
        if ((word >> i & 1U) == 0) continue;
        ++counts[0];
        if (counts[1] == 0) counts[1] = i + 1;
        counts[2] = static_cast<int>(8 * sizeof(T)) - 1 - i;
    }
    return counts;
}

TEST_P(WarpWords, BitsAreCountedFoundTurnedAndChosen) {
    std::mt19937_64 random(11);
    std::vector<unsigned> words, selectors;
    std::vector<Wide> wide;
    for (unsigned i = 0; i < 4096; ++i) {  // every choice of four bytes out of eight
        selectors.push_back((i & 7U) | (i >> 3 & 7U) << 4 | (i >> 6 & 7U) << 8 | (i >> 9) << 12);
        wide.push_back(i == 0 ? 0 : i <= 64 ? 1ULL << (i - 1) : i <= 128 ? ~0ULL >> (i - 65) : random());
        words.push_back(i == 0 ? 0 : i <= 32 ? 1U << (i - 1) : i <= 64 ? ~0U >> (i - 33) : unsigned(random()));
    }
    const auto out = put(std::vector<BitWords>(words.size()));
    const auto wordsThere = put(words), selectorsThere = put(selectors);
    const auto wideThere = put(wide);
    m_kernels.bits(m_device->context(), static_cast<int>(words.size()), wordsThere.get(), wideThere.get(),
                   selectorsThere.get(), out.get());
    const auto told = out.back();
    for (std::size_t i = 0; i < told.size(); ++i) {
        const BitWords& t = told[i];
        EXPECT_EQ((std::array{t.ones, t.first, t.zerosAbove}), countedBits(words[i])) << words[i];
        EXPECT_EQ((std::array{t.wideOnes, t.wideFirst, t.wideZerosAbove}), countedBits(wide[i])) << wide[i];
        EXPECT_EQ(t.reversed, reversedBits(words[i]));
        EXPECT_EQ(t.wideReversed, reversedBits(wide[i]));
        for (unsigned byte = 0; byte < 4; ++byte) {
            const unsigned chosen = selectors[i] >> 4 * byte & 0xfU;
            const unsigned from = chosen < 4 ? words[i] >> 8 * chosen : unsigned(wide[i]) >> 8 * (chosen - 4);
            ASSERT_EQ(t.bytes >> 8 * byte & 0xffU, from & 0xffU) << selectors[i] << " byte " << byte;
        }
    }
}

template <class T, class Launch>
void WarpWords::expectAtomics(const std::vector<T>& values, Launch launch) const {
    using Bits = std::conditional_t<sizeof(T) == 8, Wide, unsigned>;
    for (const T a : values) {
        for (const T b : values) {
            const auto after = put(std::vector<AtomicWords<T>>(1)), before = put(std::vector<AtomicWords<T>>(1));
            launch(m_device->context(), a, b, after.get(), before.get());
            const AtomicWords<T> is = after.back()[0], was = before.back()[0];
            const auto want = [&](T got, T truth, T old, const char* what) {
                EXPECT_EQ(got, truth) << what << " of " << a << " and " << b;
                EXPECT_EQ(old, a) << what << " of " << a << " and " << b;
            };
            want(is.added, static_cast<T>(static_cast<Bits>(a) + static_cast<Bits>(b)), was.added, "add");
            want(is.exchanged, b, was.exchanged, "exchange");
            want(is.lowest, std::min(a, b), was.lowest, "min");
            want(is.highest, std::max(a, b), was.highest, "max");
            want(is.swapped, a == b ? T{77} : a, was.swapped, "compare and swap");
            want(is.both, static_cast<T>(a & b), was.both, "and");
            want(is.either, static_cast<T>(a | b), was.either, "or");
            want(is.odd, static_cast<T>(a ^ b), was.odd, "xor");
        }
    }
}

const std::vector<unsigned> kEdges{0, 1, 2, 5, 77, 0x7fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU};

TEST_P(WarpWords, AtomicsOfWords) {
    expectAtomics(kEdges, m_kernels.ofUnsigned);
    expectAtomics(std::vector<int>(kEdges.begin(), kEdges.end()), m_kernels.ofInt);
    expectAtomics(std::vector<Wide>{0, 1, 77, 0xffffffffULL, 1ULL << 32, ~0ULL >> 1, 1ULL << 63, ~0ULL},
                  m_kernels.ofWide);
}

TEST_P(WarpWords, AtomicsThatSubtractCountAndCompareSigned) {
    for (const unsigned a : kEdges) {
        for (const unsigned b : kEdges) {
            const auto after = put(std::vector<unsigned>(5)), before = put(std::vector<unsigned>(5));
            const auto wide = put(std::vector<long long>(2));
            m_kernels.others(m_device->context(), a, b, after.get(), before.get(), wide.get());
            const unsigned up = a >= b ? 0 : a + 1, down = a == 0 || a > b ? b : a - 1;
            EXPECT_EQ(after.back(), (std::vector<unsigned>{a - b, up, down, a - b, 0x40200000U})) << a << " " << b;
            EXPECT_EQ(before.back(), (std::vector<unsigned>{a, a, a, a, 3})) << a << " " << b;
            const auto left = static_cast<long long>(static_cast<int>(a)) * 0x40000001LL;
            const auto right = static_cast<long long>(static_cast<int>(b)) * 0x40000001LL;
            EXPECT_EQ(wide.back(), (std::vector<long long>{std::min(left, right), std::max(left, right)}));
        }
    }
}

TEST_P(WarpWords, ContendedAtomicsLoseNothing) {
    for (const int blocks : {1, 7, 64}) {
        const unsigned threads = static_cast<unsigned>(blocks) * 96;
        const auto cells = put(std::vector<unsigned>{0, 0, 0, 0, 0, 0, 0, ~0U, ~0U});
        m_kernels.contended(m_device->context(), blocks, cells.get());
        unsigned highest = 0, lowest = ~0U;
        for (unsigned i = 0; i < threads; ++i) {
            highest = std::max(highest, i * 2654435761U);
            lowest = std::min(lowest, i * 2654435761U);
        }
        EXPECT_EQ(cells.back(),
                  (std::vector<unsigned>{threads % 5, 0 - 2 * threads, ~0U, threads / 32 % 2 ? ~0U : 0, highest,
                                         3 * threads, (7 - threads % 7) % 7, 0x80000000U, lowest}))
            << blocks;
    }
}

INSTANTIATE_TEST_SUITE_P(Device, WarpWords, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
