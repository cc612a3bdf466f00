// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/html.hpp"
#include "gpu/report/html_text.hpp"
#include "gpu/report/table.hpp"
#include "tests/gpu/report/sample_comparison.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {

using namespace gpu;
using testing::HasSubstr;
using testing::Not;

namespace {

std::vector<std::byte> bytesOf(const std::string& text) {
    std::vector<std::byte> bytes;
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    return bytes;
}

/// Fields of each line; knows quotes, so that a badly quoted file does not come out even.
std::vector<std::vector<std::string>> parseCsv(const std::string& text) {
    std::vector<std::vector<std::string>> lines{{""}};
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            lines.back().emplace_back();
        } else if (c == '\n' && !quoted) {
            lines.push_back({""});
        } else if (c != '\r') {
            lines.back().back() += c;
        }
    }
    lines.pop_back();
    return lines;
}

}  // namespace

TEST(Csv, hasARowARunAndAsManyFieldsInEach) {
    const auto lines = parseCsv(toCsv(makeReport(test::cudaComparison())));
    ASSERT_EQ(lines.size(), 6U);
    for (const auto& line : lines) EXPECT_EQ(line.size(), lines.front().size());
    const auto column = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), name) - lines[0].begin());
    };
    EXPECT_EQ(lines[2][column("variant")], "constant");
    EXPECT_EQ(lines[2][column("median_ms")], "1");
    EXPECT_EQ(lines[2][column("block")], "32x8x1");
    EXPECT_EQ(lines[3][column("status")], "wrong");
    EXPECT_EQ(lines[3][column("median_ms")], "");
    EXPECT_EQ(lines[3][column("mismatches")], "3");
    EXPECT_EQ(lines[4][column("reason")], "the filter is not separable, really");
}

TEST(Csv, quotesAreDoubled) {
    EXPECT_THAT(toCsv(makeReport(test::cudaComparison())),
                HasSubstr("\"the filter is not separable, \"\"really\"\"\""));
}

TEST(Markdown, isATableWithOriginsAndEscapesNames) {
    const std::string text = toMarkdown(makeReport(test::cudaComparison()));
    EXPECT_THAT(text, HasSubstr("| Variant | Median ms M |"));
    EXPECT_THAT(text, HasSubstr("ramp\\|\\<b\\>.npy"));
    EXPECT_THAT(text, HasSubstr("- Warplens 0.1.0, 2026-01-31"));
}

TEST(Html, isSelfContainedAndEscapesNames) {
    const std::string text = toHtml(makeReport(test::cudaComparison()));
    EXPECT_THAT(text, HasSubstr("ramp|&lt;b&gt;.npy"));
    EXPECT_THAT(text, Not(HasSubstr("<b>")));
    EXPECT_THAT(text, Not(HasSubstr("<script")));
    EXPECT_THAT(text, Not(HasSubstr("http")));
    EXPECT_THAT(text, HasSubstr("prefers-color-scheme: dark"));
    EXPECT_THAT(text, HasSubstr("title=\"measured\">M</span>"));
}

TEST(Html, drawsBarsForTheCudaClockAlone) {
    const std::string text = toHtml(makeReport(test::cudaComparison()));
    const auto bars = [](const std::string& html) {
        const auto chart = html.find("Median kernel time");
        if (chart == std::string::npos) return std::size_t{0};
        std::size_t count = 0;
        const auto end = html.find("</svg>", chart);
        for (auto at = html.find("<rect", chart); at < end; at = html.find("<rect", at + 1)) ++count;
        return count;
    };
    EXPECT_EQ(bars(text), 2U);
    EXPECT_EQ(bars(toHtml(makeReport(test::cpuComparison()))), 0U);
    // naive is the longest bar and spans what is left beside its own third quartile; constant is half of it.
    EXPECT_THAT(text, HasSubstr("width=\"514.85\""));
    EXPECT_THAT(text, HasSubstr("width=\"257.43\""));
}

TEST(Html, holdsPicturesOrSaysWhyNot) {
    const Report report = makeReport(test::cpuComparison());
    HtmlExtras extras;
    extras.pictures.push_back({"input \"x\"", bytesOf("abcd")});
    EXPECT_THAT(toHtml(report, extras),
                HasSubstr("alt=\"input &quot;x&quot;\" src=\"data:image/png;base64,YWJjZA==\""));
    extras = {.pictures = {}, .whyNoPictures = "There are no pictures."};
    EXPECT_THAT(toHtml(report, extras), HasSubstr("<p>There are no pictures.</p>"));
}

TEST(Html, encodesEveryLengthOfPicture) {
    const auto encoded = [](const std::string& text) { return html::pngUrl(bytesOf(text)).substr(22); };
    EXPECT_EQ(encoded(""), "");
    EXPECT_EQ(encoded("f"), "Zg==");
    EXPECT_EQ(encoded("fo"), "Zm8=");
    EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
    EXPECT_EQ(encoded("\xff\xff\xff"), "////");
}

}  // namespace warplens
