// SPDX-License-Identifier: Apache-2.0
// Networks by the 0-1 principle: what sorts all zeros and ones sorts everything (Knuth, vol. 3, section 5.3.4).
// Sixty-four inputs at once: a minimum is an AND, a maximum an OR.
#include "gpu/families/rank/networks.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace warplens::gpu::rank {
namespace {

using Lanes = std::vector<std::uint64_t>;  // a wire: bit i belongs to input i

void run(const Network& network, Lanes& wires) {
    for (int i = 0; i < network.count; ++i) {
        auto& low = wires[static_cast<std::size_t>(network.at[i].low)];
        auto& high = wires[static_cast<std::size_t>(network.at[i].high)];
        const std::uint64_t a = low, b = high;
        low = a & b;
        high = a | b;
    }
}

// Whether each rank's wire holds at most what the next one's holds.
bool ordered(const Network& network, const Lanes& wires) {
    for (int i = 0; i + 1 < network.order.count; ++i) {
        const std::uint64_t low = wires[static_cast<std::size_t>(network.order.at[i])];
        const std::uint64_t high = wires[static_cast<std::size_t>(network.order.at[i + 1])];
        if ((low & ~high) != 0) return false;
    }
    return true;
}

// All 2^N inputs, 64 at a time: the lowest six wires count within a word.
template <int N>
bool sortsEverything() {
    constexpr std::uint64_t kWithin[] = {0xaaaaaaaaaaaaaaaaU, 0xccccccccccccccccU, 0xf0f0f0f0f0f0f0f0U,
                                         0xff00ff00ff00ff00U, 0xffff0000ffff0000U, 0xffffffff00000000U};
    const std::uint64_t words = N > 6 ? std::uint64_t{1} << (N - 6) : 1;
    Lanes wires(N);
    for (std::uint64_t word = 0; word < words; ++word) {
        for (std::size_t i = 0; i < N; ++i)
            wires[i] = i < 6 ? kWithin[i] : (word >> (i - 6) & 1U) != 0 ? ~std::uint64_t{0} : 0;
        run(Sort<N>::kNetwork, wires);
        if (!ordered(Sort<N>::kNetwork, wires)) return false;
    }
    return Sort<N>::kNetwork.order.count == N;
}

// Sorted zeros and ones are given by how many ones there are.
template <int A, int B>
bool mergesEverything() {
    for (int a = 0; a <= A; ++a) {
        for (int b = 0; b <= B; ++b) {
            Lanes wires;
            for (int i = 0; i < A; ++i) wires.push_back(i >= A - a ? 1 : 0);
            for (int i = 0; i < B; ++i) wires.push_back(i >= B - b ? 1 : 0);
            run(Merge<A, B>::kNetwork, wires);
            if (!ordered(Merge<A, B>::kNetwork, wires)) return false;
        }
    }
    return Merge<A, B>::kNetwork.order.count == A + B;
}

TEST(RankNetworks, SortAllZerosAndOnes) {
    EXPECT_TRUE(sortsEverything<2>());
    EXPECT_TRUE(sortsEverything<3>());
    EXPECT_TRUE(sortsEverything<4>());
    EXPECT_TRUE(sortsEverything<5>());
    EXPECT_TRUE(sortsEverything<6>());
    EXPECT_TRUE(sortsEverything<7>());
    EXPECT_TRUE(sortsEverything<8>());
    EXPECT_TRUE(sortsEverything<9>());
    EXPECT_TRUE(sortsEverything<13>());
    EXPECT_TRUE(sortsEverything<16>());
}

// 2^25 inputs of the 5 x 5 window.
TEST(RankNetworks, SortTwentyFive) { EXPECT_TRUE(sortsEverything<25>()); }

template <int A, int... B>
bool mergesWithAll(std::integer_sequence<int, B...>) {
    return (mergesEverything<A, B + 1>() && ...);
}
template <int... A>
bool mergesAll(std::integer_sequence<int, A...>) {
    return (mergesWithAll<A + 1>(std::make_integer_sequence<int, 14>{}) && ...);
}
TEST(RankNetworks, MergeAllLengths) {
    EXPECT_TRUE(mergesAll(std::make_integer_sequence<int, 14>{}));
    EXPECT_TRUE((mergesEverything<24, 12>()));
    EXPECT_TRUE((mergesEverything<14, 6>()));
    EXPECT_TRUE((mergesEverything<40, 40>()));
    EXPECT_TRUE((mergesEverything<42, 20>()));
    EXPECT_TRUE((mergesEverything<50, 50>()));
}

// Without the exchanges that do not matter to them, the ranks asked for are what they were with all.
TEST(RankNetworks, PrunedKeepTheRanksAskedFor) {
    using Net = Merge<40, 40>;
    for (const auto& [first, count] : {std::pair{38, 42}, {0, 1}, {79, 1}, {40, 1}, {0, 80}}) {
        const Network pruned = prunedTo(Net::kNetwork, first, count);
        if (count == 1) {
            EXPECT_LT(pruned.count, Net::kNetwork.count);
        }
        for (int a = 0; a <= 40; ++a)
            for (int b = 0; b <= 40; ++b) {
                Lanes wires;
                for (int i = 0; i < 40; ++i) wires.push_back(i >= 40 - a ? 1 : 0);
                for (int i = 0; i < 40; ++i) wires.push_back(i >= 40 - b ? 1 : 0);
                run(pruned, wires);
                for (int i = first; i < first + count; ++i) {
                    const auto found = wires[static_cast<std::size_t>(pruned.order.at[i])];
                    EXPECT_EQ(found, i >= 80 - a - b ? 1U : 0U) << first << ' ' << count << ' ' << a << ' ' << b;
                }
            }
    }
}

// Of `seen` sorted values, those kept are the ones that some choice of the others makes the target.
TEST(RankNetworks, KeepsWhatCanStillBeTheTarget) {
    for (int of = 1; of <= 25; of += 2)
        for (int target = 0; target < of; ++target)
            for (int seen = 1; seen <= of; ++seen) {
                const int unseen = of - seen;
                const Kept kept = keptOf(seen, 0, 0, target, of);
                for (int i = 0; i < seen; ++i) {
                    bool possible = false;  // with k of the unseen ones smaller
                    for (int k = 0; k <= unseen; ++k) possible |= i + k == target;
                    EXPECT_EQ(possible, i >= kept.first && i < kept.first + kept.count) << of << target << seen << i;
                }
            }
}

// As textbooks have them: 5 exchanges sort 4 values, 19 sort 8, 9 merge 4 with 4.
TEST(RankNetworks, HaveBatchersNumberOfExchanges) {
    EXPECT_EQ(Sort<4>::kNetwork.count, 5);
    EXPECT_EQ(Sort<8>::kNetwork.count, 19);
    EXPECT_EQ((Merge<4, 4>::kNetwork.count), 9);
}

}  // namespace
}  // namespace warplens::gpu::rank
