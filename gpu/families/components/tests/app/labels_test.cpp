// SPDX-License-Identifier: Apache-2.0
// Pictures of 32-bit integers, as one who types a command meets them.
#include "gpu/core/registry.hpp"
#include "io/write.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

std::string labelsIn(const TemporaryFolder& folder, io::PixelType type) {
    io::Grid grid({40, 30, 1, 1}, type);
    for (std::int64_t y = 0; y < 30; ++y)
        for (std::int64_t x = 0; x < 40; ++x) grid.setValue(x, y, 0, 0, static_cast<double>(16777216 + x / 8));
    const auto path = folder.path() / (std::string("labels-") + io::nameOf(type) + ".npy");
    io::write(grid, path);
    return path.string();
}

TEST(LabelPictures, AreSaidToBeWhatTheyAre) {
    const TemporaryFolder folder;
    for (const auto type : {io::PixelType::u32, io::PixelType::i32}) {
        const Outcome outcome = cli({"info", labelsIn(folder, type), "--json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const auto json = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(json.at("type"), io::nameOf(type));
        EXPECT_EQ(json.at("source_type"), io::nameOf(type));
        EXPECT_EQ(violation("info", outcome.out), "");
    }
}

TEST(LabelPictures, AreRefusedByEveryFamilyInOneLine) {
    const TemporaryFolder folder;
    const std::string picture = labelsIn(folder, io::PixelType::i32);
    for (const gpu::Family* family : gpu::families()) {
        if (family->info().wideIntegers) continue;
        for (const char* command : {"run", "compare"}) {
            const Outcome outcome = cli({command, picture, family->id(), "--device", "cpu"});
            EXPECT_EQ(outcome.status, 2) << command << ' ' << family->id() << outcome.err;
            EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
            EXPECT_THAT(outcome.err, testing::HasSubstr("the picture holds i32: read it as f32 (--as f32"));
            EXPECT_EQ(outcome.out, "");
        }
    }
}

TEST(LabelPictures, AreTakenByEveryFamilyAsFloats) {
    const TemporaryFolder folder;
    for (const auto type : {io::PixelType::u32, io::PixelType::i32}) {
        const std::string picture = labelsIn(folder, type);
        for (const gpu::Family* family : gpu::families()) {
            const Outcome outcome = cli({"run", picture, family->id(), "--as", "f32", "--device", "cpu"});
            EXPECT_EQ(outcome.status, 0) << family->id() << outcome.err;
        }
        const Outcome compared = cli({"compare", picture, "convolution", "--as", "f32", "--variants", "naive"});
        EXPECT_EQ(compared.status, 0) << compared.err;
        // A batch, and the other picture of a parameter.
        EXPECT_EQ(cli({"run", picture, picture, "histogram", "--as", "f32", "--device", "cpu"}).status, 0);
        const Outcome both = cli({"run", picture, "reduction", "--as", "f32", "--measure", "comparison", "--with",
                                  picture, "--device", "cpu"});
        EXPECT_EQ(both.status, 0) << both.err;
    }
    const Outcome other = cli({"run", "gen:noise:8x8:u8", "convolution", "--as", "u16"});
    EXPECT_EQ(other.status, 2);
    EXPECT_TRUE(isOneLine(other.err)) << other.err;
}

TEST(LabelPictures, AsFloatsSayWhatWasRounded) {
    const TemporaryFolder folder;
    for (const auto type : {io::PixelType::u32, io::PixelType::i32}) {
        // 16777216 + 0..4: the odd ones are no floats.
        const Outcome outcome = cli({"info", labelsIn(folder, type), "--as", "f32", "--json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const auto json = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(json.at("type"), "f32");
        EXPECT_EQ(json.at("source_type"), io::nameOf(type));
        ASSERT_EQ(json.at("notes").size(), 1U) << outcome.out;
        EXPECT_THAT(json.at("notes").front().get<std::string>(), testing::HasSubstr("480 of 1200 "));
        EXPECT_EQ(violation("info", outcome.out), "");
    }
    const Outcome exact = cli({"info", "gen:noise:8x8:u16", "--as", "f32", "--json"});
    EXPECT_TRUE(nlohmann::json::parse(exact.out).at("notes").empty()) << exact.out;
}

}  // namespace
}  // namespace warplens::test
