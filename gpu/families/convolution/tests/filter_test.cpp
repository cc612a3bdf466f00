// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/filter.hpp"

#include "gpu/core/error.hpp"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>

namespace warplens::gpu::convolution {
namespace {

ParameterValues named(const std::string& filter, std::int64_t radius = 2) {
    return {{"filter", filter}, {"radius", radius}};
}

std::string refusalOf(const std::string& matrix) {
    try {
        parseMatrix(matrix, "m.csv");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::argument);
        return error.what();
    }
    return "accepted";
}

TEST(Filter, EveryNameMakesAnOddFilterOfFiniteWeights) {
    for (const auto& name : filterNames()) {
        for (const std::int64_t radius : {0, 1, 2, 7, 31}) {
            const auto filter = makeFilter(named(name, radius));
            EXPECT_EQ(filter.width % 2, 1) << name;
            EXPECT_EQ(filter.weights.size(), static_cast<std::size_t>(filter.width * filter.height)) << name;
            for (const float w : filter.weights) EXPECT_TRUE(std::isfinite(w)) << name << " r" << radius;
        }
    }
}

TEST(Filter, SmoothingSumsToOneAndDifferencesToZero) {
    for (const auto* name : {"identity", "box", "gaussian", "unsharp", "motion", "sharpen"}) {
        EXPECT_NEAR(makeFilter(named(name, 5)).sum(), 1, 1e-6) << name;
    }
    for (const auto* name : {"laplacian4", "laplacian8", "log", "sobel_x", "sobel_y", "scharr_x", "prewitt_y"}) {
        EXPECT_NEAR(makeFilter(named(name, 5)).sum(), 0, 1e-6) << name;
    }
}

TEST(Filter, GaussianFollowsOpenCvsSigma) {
    // sigma 0.3 (2 - 1) + 0.8 = 1.1: exp(-x^2 / 2.42), normalised.
    const auto filter = makeFilter(named("gaussian"));
    const double side[3] = {1, std::exp(-1 / 2.42), std::exp(-4 / 2.42)};
    const double sum = side[0] + 2 * side[1] + 2 * side[2];
    EXPECT_NEAR(filter.weights[12], 1 / (sum * sum), 1e-8);
    EXPECT_NEAR(filter.weights[0], side[2] * side[2] / (sum * sum), 1e-8);
}

TEST(Filter, MotionAtRightAnglesIsALine) {
    for (const double angle : {0.0, 180.0, -360.0}) {
        const auto filter =
            makeFilter({{"filter", std::string("motion")}, {"radius", std::int64_t{3}}, {"angle", angle}});
        for (int y = 0; y < 7; ++y) {
            for (int x = 0; x < 7; ++x)
                EXPECT_EQ(filter.weights[static_cast<std::size_t>(y * 7 + x)] != 0.0F, y == 3) << angle;
        }
    }
}

TEST(Filter, NormaliseDividesByTheSumUnlessItIsZero) {
    const auto filter = makeFilter(
        {{"filter", std::string("custom")}, {"matrix", std::string("1 2 1; 2 4 2; 1 2 1")}, {"normalise", true}});
    EXPECT_FLOAT_EQ(filter.weights[4], 0.25F);
    const auto sobel = makeFilter({{"filter", std::string("sobel_x")}, {"normalise", true}});
    EXPECT_FLOAT_EQ(sobel.weights[5], 2.0F);
}

TEST(Filter, ReadsMatricesFromTextAndFile) {
    const auto filter = parseMatrix("# a comment\n1, 2,3\n\n4\t5 6 ; 7 8 9", "text");
    EXPECT_EQ(filter.width, 3);
    EXPECT_EQ(filter.height, 3);
    EXPECT_EQ(filter.weights[5], 6.0F);
    const std::string path = ::testing::TempDir() + "warplens-filter.csv";
    std::ofstream(path) << "0.5,0.25,0.25\n";
    EXPECT_EQ(makeFilter({{"filter", path}}).width, 3);
    EXPECT_THROW(makeFilter({{"filter", std::string("no-such-file.csv")}}), Error);
}

TEST(Filter, RefusesWhatIsNoMatrixAndSaysWhere) {
    EXPECT_NE(refusalOf("1 2 x").find("m.csv: row 1, column 3: 'x'"), std::string::npos);
    EXPECT_NE(refusalOf("1 2 3\n4 5").find("row 2 has 2 values"), std::string::npos);
    EXPECT_NE(refusalOf("1 2\n3 4").find("must be odd"), std::string::npos);
    EXPECT_NE(refusalOf("").find("no matrix"), std::string::npos);
    EXPECT_NE(refusalOf("nan").find("not a finite number"), std::string::npos);
    EXPECT_NE(refusalOf("1e300").find("not finite"), std::string::npos);
    std::string wide;
    for (int i = 0; i < 65; ++i) wide += "1 ";
    EXPECT_NE(refusalOf(wide).find("63 x 63"), std::string::npos);
}

TEST(Filter, ReadsBoxesOfWeights) {
    // By blank line, by two semicolons, with comments and line ends behind semicolons: the same 3 x 1 x 3 and 1 x 3
    // x 3.
    for (const auto* text : {"1 2 3\n\n4 5 6\n\n7 8 9", "1,2,3;;4,5,6;;7,8,9",
                             "# first\n1 2 3;\n;\n4 5 6\n\n\n# note\n7 8 9\n\n", "\n1 2 3\r\n\r\n4 5 6 ; ; 7 8 9;"}) {
        const auto filter = parseMatrix(text, "box", 3);
        EXPECT_EQ(filter.width, 3) << text;
        EXPECT_EQ(filter.height, 1) << text;
        EXPECT_EQ(filter.depth, 3) << text;
        EXPECT_EQ(filter.weights, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9})) << text;
    }
    const auto flat = parseMatrix("1;\n2;\n3\n# between\n", "box", 3);
    EXPECT_EQ(flat.height, 3);
    EXPECT_EQ(flat.depth, 1);
    EXPECT_EQ(separate(parseMatrix("1;;2;;4", "box", 3))->stack, (std::vector<float>{1, 2, 4}));
    EXPECT_FALSE(separate(parseMatrix("1 2 3;;4 5 6;;7 8 10", "box", 3)));
    const auto product = separate(parseMatrix("1 2 1;2 4 2;1 2 1;;3 6 3;6 12 6;3 6 3;;2 4 2;4 8 4;2 4 2", "box", 3));
    ASSERT_TRUE(product) << "column 1 2 1, row 1 2 1, stack 1 3 2";
    EXPECT_NEAR(product->stack[1] / product->stack[0], 3, 1e-6);
    EXPECT_NEAR(product->stack[2] * product->row[1] * product->column[1], 8, 1e-5);
}

TEST(Filter, RefusesWhatIsNoBoxAndSaysWhere) {
    const auto refusal = [](const std::string& text) {
        try {
            parseMatrix(text, "m.csv", 3);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_NE(refusal("1 2 3;;4 5 x").find("m.csv: slice 2, row 1, column 3: 'x'"), std::string::npos);
    EXPECT_NE(refusal("1 2 3;;4 5").find("slice 2, row 1 has 2 values"), std::string::npos);
    EXPECT_NE(refusal("1;2;3;;4;;5").find("slice 2 has 1 rows"), std::string::npos);
    EXPECT_NE(refusal("1;;2").find("1 x 1 x 2"), std::string::npos);
    EXPECT_NE(refusal("1 2 3 4 5 6 7 8 9 10 11 12").find("11 x 11 x 11"), std::string::npos);
    EXPECT_NE(refusal(" \n\n").find("no matrix"), std::string::npos);
}

TEST(Separate, KnowsWhatIsSeparable) {
    for (const auto* name : {"gaussian", "box", "identity", "sobel_x", "sobel_y", "scharr_x", "prewitt_y"}) {
        for (const std::int64_t radius : {1, 2, 7, 15, 31}) {
            const auto filter = makeFilter(named(name, radius));
            const auto separation = separate(filter);
            ASSERT_TRUE(separation) << name << " r" << radius << " residual " << rankOneResidualUlp(filter);
            EXPECT_LE(separation->residualUlp, 2);
            for (int y = 0; y < filter.height; ++y) {
                for (int x = 0; x < filter.width; ++x) {
                    const double product = static_cast<double>(separation->column[static_cast<std::size_t>(y)]) *
                                           separation->row[static_cast<std::size_t>(x)];
                    const double weight = filter.weights[static_cast<std::size_t>(y * filter.width + x)];
                    EXPECT_NEAR(product, weight, 4e-7 * std::fabs(weight) + 1e-44) << name;
                }
            }
        }
    }
    for (const auto* name : {"laplacian4", "laplacian8", "unsharp", "log", "emboss", "sharpen"}) {
        EXPECT_FALSE(separate(makeFilter(named(name)))) << name;
    }
}

TEST(Separate, RowsAndColumnsKeepTheirWeights) {
    const auto row = parseMatrix("0.1 0.7 0.3", "row");
    ASSERT_TRUE(separate(row));
    EXPECT_EQ(separate(row)->row, row.weights);
    const auto column = parseMatrix("0.1;0.7;0.3", "column");
    ASSERT_TRUE(separate(column));
    EXPECT_EQ(separate(column)->column, column.weights);
    EXPECT_TRUE(separate(parseMatrix("0 0 0;0 0 0;0 0 0", "zeros")));
}

}  // namespace
}  // namespace warplens::gpu::convolution
