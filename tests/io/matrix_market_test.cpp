// SPDX-License-Identifier: Apache-2.0
// Matrix Market files: what is listed, what is mirrored, and one sentence for whatever is damaged or hostile.
#include "io/matrix_market.hpp"

#include "io/error.hpp"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace warplens::io {
namespace {

std::vector<std::tuple<int, int, double>> entriesOf(const std::string& text) {
    std::vector<std::tuple<int, int, double>> made;
    for (const auto& entry : parseMatrixMarket(text, "m.mtx").entries)
        made.emplace_back(entry.row, entry.column, entry.value);
    return made;
}

std::string refusalOf(const std::string& text) {
    try {
        (void)parseMatrixMarket(text, "m.mtx");
    } catch (const Error& error) {
        return error.what();
    }
    return "taken";
}

using Entries = std::vector<std::tuple<int, int, double>>;

TEST(MatrixMarket, ListsWhatIsThere) {
    EXPECT_EQ(entriesOf("%%MatrixMarket matrix coordinate real general\n% a comment\n\n3 4 3\n1 1 2.5\n3 4 -1e-3\n"
                        "2 1 +7\n"),
              (Entries{{0, 0, 2.5}, {2, 3, -1e-3}, {1, 0, 7}}));
    EXPECT_EQ(entriesOf("%%matrixmarket MATRIX Coordinate Integer General\r\n2 2 1\r\n2 2 -9\r\n"),
              (Entries{{1, 1, -9}}));
    EXPECT_EQ(entriesOf("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n% between\n2 1"),
              (Entries{{0, 1, 1}, {1, 0, 1}}));
    EXPECT_EQ(entriesOf("%%MatrixMarket matrix coordinate real general\n5 5 0\n"), Entries{});
}

TEST(MatrixMarket, WritesOutSymmetricHalves) {
    EXPECT_EQ(entriesOf("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 2 5\n3 1 4\n"),
              (Entries{{1, 1, 5}, {2, 0, 4}, {0, 2, 4}}));
    EXPECT_EQ(entriesOf("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 4\n"),
              (Entries{{2, 0, 4}, {0, 2, -4}}));
}

TEST(MatrixMarket, RefusesWhatIsDamagedInOneSentence) {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
             {"", "does not begin with '%%MatrixMarket matrix'"},
             {"1 2 3\n", "does not begin with"},
             {"%%MatrixMarket matrix array real general\n", "format 'array'"},
             {"%%MatrixMarket matrix coordinate complex general\n", "values 'complex'"},
             {"%%MatrixMarket matrix coordinate real hermitian\n", "symmetry 'hermitian'"},
             {head, "the file ends before its size"},
             {head + "2 2\n", "is no number of entries"},
             {head + "2 2 1 1\n", "one word more"},
             {head + "0 2 1\n1 1 1\n", "is no number of rows: give a number from 1"},
             {head + "99999999999999999999 2 1\n1 1 1\n", "is no number of rows"},
             {head + "2 2 2000000000\n1 1 1\n", "2000000000 entries do not fit the 6 bytes"},
             {head + "2 2 -1\n", "is no number of entries"},
             {head + "2 2 2\n1 1 1\n", "the file ends before its last entry"},
             {head + "2 2 1\n3 1 1\n", "line 3: '3' is no row: give a number from 1 to 2"},
             {head + "2 2 1\n1 0 1\n", "'0' is no column"},
             {head + "2 2 1\n1 1 x\n", "'x' is no finite number"},
             {head + "2 2 1\n1 1 inf\n", "'inf' is no finite number"},
             {head + "2 2 1\n1 1\n", "is no finite number"},
             {head + "2 2 1\n1 1 1 1\n", "one word more"},
             {head + "2 2 1\n1 1 1\n2 2 2\n", "line 4: more entries than the 1"},
             {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "a symmetric matrix is square"},
             {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "above the diagonal"},
             {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "on the diagonal"}}) {
        const std::string why = refusalOf(text);
        EXPECT_NE(why.find(says), std::string::npos) << why;
        EXPECT_TRUE(why.starts_with("m.mtx: ")) << why;
        EXPECT_EQ(why.find('\n'), std::string::npos) << why;
    }
}

// Whatever is changed in a file: it is read with every entry in its place, or refused.
TEST(MatrixMarket, SurvivesAnyChangeOfAFile) {
    const std::string whole =
        "%%MatrixMarket matrix coordinate real symmetric\n% c\n12 12 4\n1 1 2\n12 3 -1.5e2\n"
        "7 7 0\n9 2 4\n";
    std::uint32_t state = 1;
    const auto random = [&state](std::size_t below) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % below;
    };
    const std::string letters = "0123456789 -+.e%\n\t\rxM\xff";
    int read = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text = whole;
        for (std::size_t n = 1 + random(3); n > 0 && !text.empty(); --n) {
            const std::size_t at = random(text.size());
            switch (random(4)) {
                case 0: text[at] = letters[random(letters.size())]; break;
                case 1: text.insert(at, 1, letters[random(letters.size())]); break;
                case 2: text.erase(at, 1 + random(5)); break;
                default: text.resize(at); break;
            }
        }
        try {
            const MatrixEntries made = parseMatrixMarket(text, "m.mtx");
            ++read;
            for (const auto& entry : made.entries) {
                ASSERT_TRUE(entry.row >= 0 && entry.row < made.rows && entry.column >= 0 && entry.column < made.columns)
                    << text;
            }
        } catch (const Error& error) {
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
    EXPECT_GT(read, 200);
}

}  // namespace
}  // namespace warplens::io
