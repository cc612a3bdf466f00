// SPDX-License-Identifier: Apache-2.0
// Who checks the check: tables are made wrong on purpose, count by count and edge by edge. What is right is counted
// here once more, from the definition.
#include "gpu/core/counts.hpp"
#include "gpu/families/histogram/tests/histogram_case.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

struct VerifierCase {
    std::shared_ptr<const io::Grid> input;
    ParameterValues parameters;
    double lo, hi;
    int bins;
    std::vector<std::string> names;
};

std::vector<VerifierCase> cases() {
    const auto with = [](int n, const char* range) {
        auto values = bins(n);
        values["range"] = std::string(range);
        return values;
    };
    auto floats = std::make_shared<io::Grid>(inputOf("normal", {37, 11}, io::PixelType::f32)->clone());
    float* const values = floats->as<float>();
    values[0] = std::numeric_limits<float>::quiet_NaN();
    values[5] = values[8] = std::numeric_limits<float>::infinity();
    values[400] = -std::numeric_limits<float>::infinity();
    return {{inputOf("uniform", {31, 17}, io::PixelType::u8), with(7, "20,220"), 20, 220, 7, {"value"}},
            {inputOf("normal", {13, 9, 1, 3}, io::PixelType::u16),
             with(5, "1000,60000"),
             1000,
             60000,
             5,
             {"red", "green", "blue"}},
            {inputOf("uniform", {5, 6, 7}, io::PixelType::u16), with(16, "0,65536"), 0, 65536, 16, {"value"}},
            {floats, with(9, "0.2,0.7"), 0.2, 0.7, 9, {"value"}},
            {rowOf({0, 1, 2, 3}), with(1, "1,3"), 1, 3, 1, {"value"}}};
}

/// Counts by the definition: bin k holds e_k <= v < e_{k+1}, e_k = lo + k (hi - lo) / bins.
BinnedCounts counted(const VerifierCase& asked) {
    BinnedCounts table;
    for (int k = 0; k <= asked.bins; ++k)
        table.edges.push_back(k == asked.bins ? asked.hi : asked.lo + k * (asked.hi - asked.lo) / asked.bins);
    const auto& s = asked.input->shape();
    for (int c = 0; c < s.channels; ++c) {
        CountedChannel channel;
        channel.name = asked.names[static_cast<std::size_t>(c)];
        channel.bins.resize(static_cast<std::size_t>(asked.bins));
        for (std::int64_t i = 0; i < s.pixels(); ++i) {
            const double v = asked.input->value(i % s.width, i / s.width % s.height, i / s.width / s.height, c);
            if (std::isnan(v)) ++channel.nan;
            if (v < asked.lo) ++channel.below;
            if (v >= asked.hi) ++channel.above;
            for (std::size_t k = 0; k < channel.bins.size(); ++k)
                if (table.edges[k] <= v && v < table.edges[k + 1]) ++channel.bins[k];
        }
        table.channels.push_back(std::move(channel));
    }
    return table;
}

class HistogramVerifier : public ::testing::Test {
protected:
    Verification verify(const VerifierCase& asked, const BinnedCounts& table, const char* variant = "naive") {
        const Family& family = familyOf("histogram");
        if (m_posed != &asked) m_problem = family.pose(asked.input, asked.parameters);
        m_posed = &asked;
        Result result;
        result.tables = tablesOf(table);
        return m_problem->verify(result, variantOf(family, variant), {});
    }

private:
    const VerifierCase* m_posed = nullptr;
    std::unique_ptr<Problem> m_problem;
};

TEST_F(HistogramVerifier, FindsEveryCountThatIsOffByOne) {
    for (const VerifierCase& asked : cases()) {
        BinnedCounts table = counted(asked);
        const auto fine = verify(asked, table);
        EXPECT_EQ(fine.mismatches, 0) << fine.firstMismatch;
        EXPECT_EQ(fine.checkedShare, 1.0);
        for (CountedChannel& channel : table.channels) {
            EXPECT_EQ(totalOf(channel), asked.input->shape().pixels());
            std::vector<std::pair<std::string, std::int64_t*>> counts{
                {"below", &channel.below}, {"above", &channel.above}, {"not a number", &channel.nan}};
            for (std::size_t k = 0; k < channel.bins.size(); ++k)
                counts.emplace_back("bin " + std::to_string(k), &channel.bins[k]);
            for (const auto& [name, count] : counts) {
                for (const int by : {1, -1}) {
                    *count += by;
                    const auto found = verify(asked, table);
                    EXPECT_EQ(found.mismatches, 1) << channel.name << ' ' << name;
                    EXPECT_EQ(found.maxAbsError, 1);
                    EXPECT_EQ(found.firstMismatch.find("channel " + channel.name + " " + name + ": "), 0U)
                        << found.firstMismatch;
                    *count -= by;
                }
            }
            // A value that is counted one bin too far leaves the sum as it is.
            for (std::size_t k = 0; k + 1 < channel.bins.size(); ++k) {
                --channel.bins[k];
                channel.bins[k + 1] += 1;
                EXPECT_EQ(verify(asked, table).mismatches, 2) << k;
                ++channel.bins[k];
                channel.bins[k + 1] -= 1;
            }
        }
        EXPECT_EQ(verify(asked, table).mismatches, 0);
    }
}

TEST_F(HistogramVerifier, FindsOtherEdgesBinsAndChannels) {
    for (const VerifierCase& asked : cases()) {
        const BinnedCounts table = counted(asked);
        for (std::size_t k = 0; k < table.edges.size(); ++k) {
            BinnedCounts moved = table;
            moved.edges[k] = std::nextafter(moved.edges[k], 1e9);
            const auto found = verify(asked, moved);
            EXPECT_EQ(found.mismatches, 1) << k;
            EXPECT_EQ(found.firstMismatch.find("edge " + std::to_string(k) + ": "), 0U) << found.firstMismatch;
        }
        BinnedCounts other = table;
        other.edges.pop_back();
        EXPECT_EQ(verify(asked, other).mismatches, 1);
        other = table;
        other.channels.back().bins.pop_back();
        EXPECT_EQ(verify(asked, other).mismatches, 1);
        other = table;
        other.channels.pop_back();
        EXPECT_EQ(verify(asked, other).mismatches, 1);
        other = table;
        other.channels.back().name = "alpha";
        EXPECT_EQ(verify(asked, other).mismatches, 1);
    }
}

TEST_F(HistogramVerifier, CubDiffersOnlyWhereAnInfiniteValueIsCountedElsewhere) {
#if !WARPLENS_HAVE_CUDA
    GTEST_SKIP() << "what CUB may differ in is known where it is built";
#endif
    for (const VerifierCase& asked : cases()) {
        BinnedCounts table = counted(asked);
        EXPECT_EQ(verify(asked, table, "cub").note, "");
        table.channels.back().above -= 1;
        table.channels.back().nan += 1;
        const auto other = verify(asked, table, "cub");
        EXPECT_EQ(other.mismatches, 0);
        EXPECT_NE(other.note, "");
    }
}

TEST_F(HistogramVerifier, ALibraryIsHeldToItsBinsAlone) {
    for (const VerifierCase& asked : cases()) {
        BinnedCounts table = counted(asked);
        table.channels.front().below += 1;
        EXPECT_EQ(verify(asked, table, "opencv").mismatches, 0) << "OpenCV does not count what lies beside";
        table.channels.front().bins.front() += 1;
        const auto found = verify(asked, table, "opencv");
        EXPECT_EQ(found.mismatches, 1);
        EXPECT_FALSE(found.note.empty());
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
