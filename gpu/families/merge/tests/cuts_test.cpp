// SPDX-License-Identifier: Apache-2.0
// Every cut of every pair of short sorted lists: the search ends, and ends where a stable merge is.
#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <utility>
#include <vector>

// The search needs nothing else of a kernel.
#define __device__
#define WARPLENS_BUILD host_build
#include "gpu/families/merge/co_rank.cuh"
#undef WARPLENS_BUILD
#undef __device__

namespace warplens::gpu::testing {
namespace {

using List = std::vector<int>;

/// All sorted lists of up to `longest` values out of 0 to 3.
std::vector<List> sortedLists(std::size_t longest) {
    std::vector<List> all{{}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].size() == longest) continue;
        for (int next = all[i].empty() ? 0 : all[i].back(); next < 4; ++next) {
            all.push_back(all[i]);
            all.back().push_back(next);
        }
    }
    return all;
}

TEST(CoRank, IsWhereAStableMergeIsForEveryPairOfShortLists) {
    const auto lists = sortedLists(7);
    EXPECT_EQ(lists.size(), 330U);
    for (const List& a : lists)
        for (const List& b : lists) {
            // Whether a value is the first list's stands beside it, where the order does not look.
            std::vector<std::pair<int, bool>> from, other, merged;
            for (const int value : a) from.emplace_back(value, true);
            for (const int value : b) other.emplace_back(value, false);
            std::merge(from.begin(), from.end(), other.begin(), other.end(), std::back_inserter(merged),
                       [](const auto& x, const auto& y) { return x.first < y.first; });
            unsigned expected = 0;
            for (unsigned k = 0; k <= merged.size(); ++k) {
                const auto aCount = static_cast<unsigned>(a.size()), bCount = static_cast<unsigned>(b.size());
                const auto keyA = [&](unsigned i) { return a.at(i); };
                const auto keyB = [&](unsigned i) { return b.at(i); };
                ASSERT_EQ(merge::coRank(k, aCount, bCount, keyA, keyB), expected)
                    << "of " << aCount << " and " << bCount << " at " << k;
                ASSERT_EQ(merge::coRankByQuarters(k, aCount, bCount, keyA, keyB), expected)
                    << "of " << aCount << " and " << bCount << " at " << k;
                if (k < merged.size() && merged[k].second) ++expected;
            }
        }
}

}  // namespace
}  // namespace warplens::gpu::testing
