// SPDX-License-Identifier: Apache-2.0
// Matrices of files: every kernel against sums in double of what the file lists.
#include "gpu/core/error.hpp"
#include "gpu/families/sparse/tests/sparse_case.hpp"
#include "io/text.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <random>

namespace warplens::gpu::testing {
namespace {

struct Entry {
    int row, column;
    double value;
};

class SparseGiven : public SparseOnDevice {
protected:
    ParameterValues listed(int rows, int columns, const std::vector<Entry>& entries) {
        const auto number = [](auto value) { return io::formatNumber(static_cast<double>(value)); };
        std::string text = "%%MatrixMarket matrix coordinate real general\n% of a test\n" + number(rows) + ' ' +
                           number(columns) + ' ' + number(entries.size()) + '\n';
        for (const Entry& e : entries)
            text += number(e.row + 1) + ' ' + number(e.column + 1) + ' ' + number(e.value) + '\n';
        test::writeText(m_folder / "m.mtx", text);
        return {{"matrix", m_folder / "m.mtx"}};
    }
    /// Every kernel's product is what the entries come to, and each runs or says why not.
    std::set<std::string> expectProducts(const io::Shape& shape, const std::vector<Entry>& entries) {
        const auto picture = noise(shape, io::PixelType::f32);
        const auto n = static_cast<int>(shape.pixels());
        std::set<std::string> ran;
        for (const auto& run : m_runner.run(requestOf(picture, listed(n, n, entries))).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty());
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << describe(run);
            if (run.status != Status::ok) continue;
            for (int c = 0; c < shape.channels; ++c) {
                std::vector<double> sums(static_cast<std::size_t>(n)), magnitudes(sums.size());
                for (const Entry& e : entries) {
                    const double product = e.value * picture->value(e.column, 0, 0, c);
                    sums[static_cast<std::size_t>(e.row)] += product;
                    magnitudes[static_cast<std::size_t>(e.row)] += std::fabs(product);
                }
                for (int i = 0; i < n; ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    EXPECT_NEAR(run.result.picture->value(i, 0, 0, c), sums[at], 1e-4 * magnitudes[at])
                        << run.variant << ' ' << i;
                    if (HasFailure()) return ran;
                }
            }
            ran.insert(run.variant);
        }
        return ran;
    }

private:
    test::TemporaryFolder m_folder;
};

const std::set<std::string> kWithoutDiagonals{"dense", "coo", "csc",        "csr_scalar", "csr_vector", "csr_stream",
                                              "ell",   "jds", "sliced_ell", "hybrid",     "merge_path"};

std::set<std::string> ours(std::set<std::string> ran) {
    std::erase_if(ran, [](const std::string& id) { return id.starts_with("cusparse"); });
    return ran;
}

// Rows without a nonzero, full ones, lengths beyond those of the built-in matrices, several channels, a volume.
TEST_P(SparseGiven, AnyPattern) {
    std::mt19937 random(7);
    for (const io::Shape& shape :
         {io::Shape{40, 1}, io::Shape{23, 11}, io::Shape{13, 5, 1, 3}, io::Shape{9, 5, 4}, io::Shape{700, 1}}) {
        const auto n = static_cast<int>(shape.pixels());
        std::vector<Entry> entries;
        for (int row = 0; row < n; ++row) {
            const int length = row % 7 == 3 ? 0 : row == 11 ? n : static_cast<int>(random() % 6);
            for (int k = 0; k < length; ++k) {
                const int column = length == n ? k : static_cast<int>(random() % static_cast<unsigned>(n));
                // Some stand twice: they are added up.
                entries.push_back({row, column, static_cast<double>(random() % 1000) / 100 - 4.995});
            }
        }
        std::shuffle(entries.begin(), entries.end(), random);
        EXPECT_EQ(ours(expectProducts(shape, entries)), kWithoutDiagonals) << n;
    }
}

TEST_P(SparseGiven, FewDiagonalsAndFewNonzeros) {
    std::vector<Entry> band;
    for (int row = 0; row < 300; ++row)
        for (const int offset : {-17, -1, 0, 2, 40})
            if (row + offset >= 0 && row + offset < 300) band.push_back({row, row + offset, 0.25 * offset - 1});
    auto all = kWithoutDiagonals;
    all.insert("diagonals");
    EXPECT_EQ(ours(expectProducts({20, 15}, band)), all);
    EXPECT_EQ(ours(expectProducts({5, 4}, {{19, 0, 2.5}})), all);
    EXPECT_EQ(ours(expectProducts({1, 1}, {{0, 0, -3}, {0, 0, 1}})), all);
}

TEST_P(SparseGiven, RefusesWhatDoesNotFit) {
    const auto why = [&](const ParameterValues& values) -> std::string {
        try {
            (void)familyOf("sparse").pose(noise({4, 3}, io::PixelType::u8), values);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::argument);
            return error.what();
        }
        return "taken";
    };
    EXPECT_EQ(why(listed(12, 12, {{0, 0, 1}})), "taken");
    EXPECT_NE(why(listed(12, 11, {{0, 0, 1}})).find("12 rows and 11 columns: give a square one"), std::string::npos);
    EXPECT_NE(why(listed(9, 9, {{0, 0, 1}})).find("has 9 columns, the picture 12 pixels: give a picture of as many"),
              std::string::npos);
    EXPECT_NE(why(listed(12, 12, {{0, 0, 1}, {0, 0, -1}})).find("has no value other than 0"), std::string::npos);
    EXPECT_NE(why(listed(12, 12, {{3, 4, 1e39}})).find("row 4, column 5 is beyond 32 bits"), std::string::npos);
    EXPECT_NE(why({{"matrix", std::string("absent.mtx")}}).find("absent.mtx"), std::string::npos);
    auto marked = listed(12, 12, {{0, 0, 1}});
    marked["mask"] = randomMask({4, 3}, 1);
    EXPECT_NE(why(marked).find("mask: "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Sparse, SparseGiven, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
