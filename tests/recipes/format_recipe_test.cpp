// SPDX-License-Identifier: Apache-2.0
// A format as the recipe of CONTRIBUTING.md makes it: its row is all that the list of formats and the codec need.
#include "io/codecs/codec.hpp"
#include "io/error.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace warplens::io {

TEST(Recipes, FormatIsListedAndRead) {
    const Format* format = formatNamed("plain_bytes");
    ASSERT_NE(format, nullptr);
    EXPECT_STREQ(format->title, "PlainBytes");
    const std::string text = "plain_bytes 3 2\n\1\2\3\4\5\6";
    const auto decoded = [](const std::string& file) {
        return codecs::decode(std::as_bytes(std::span(file)), {}, "x.plain_bytes");
    };
    const Grid grid = decoded(text);
    EXPECT_EQ(grid.metadata.format, "plain_bytes");
    EXPECT_EQ(grid.shape().width, 3);
    EXPECT_EQ(grid.value(2, 1, 0), 6);
    for (std::size_t length = std::strlen("plain_bytes "); length < text.size(); ++length)
        EXPECT_THROW(decoded(text.substr(0, length)), Error) << length;
    EXPECT_THROW(codecs::encode(grid, "plain_bytes", "x"), Error) << "it is read only";
}

}  // namespace warplens::io
