// SPDX-License-Identifier: Apache-2.0
// Lengths in the unit of the file are the pixels that they are.
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test {

using testing::HasSubstr;

class Lengths : public testing::Test {
protected:
    void SetUp() override {
        std::ofstream file(m_folder / "values.bin", std::ios::binary);
        for (int i = 0; i < 4096; ++i) file.put(static_cast<char>(i * 2654435761U >> 24));
    }
    /// The result of a call and what was said.
    std::pair<std::string, std::string> run(const std::string& shape, std::vector<std::string> rest) {
        const std::string result = m_folder / "result.npy";
        rest.insert(rest.begin(), {"run", "raw:" + (m_folder / "values.bin") + ":" + shape});
        rest.insert(rest.end(), {"--device", "cpu", "-o", result});
        const Outcome outcome = cli(rest);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return {readText(result), outcome.out};
    }
    void refuses(const std::string& input, std::vector<std::string> rest, const std::string& says) {
        rest.insert(rest.begin(), {"run", input});
        rest.insert(rest.end(), {"--device", "cpu"});
        const Outcome outcome = cli(rest);
        EXPECT_EQ(outcome.status, 2) << outcome.out;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(says));
    }
    std::string raw(const std::string& shape) { return "raw:" + (m_folder / "values.bin") + ":" + shape; }

    TemporaryFolder m_folder;
};

TEST_F(Lengths, areThePixelsThatTheyAre) {
    const std::string fine = "64x64:u8:spacing=0.0005,0.0005,1";
    const std::vector<std::string> gaussian{"convolution", "--filter", "gaussian"};
    auto inPixels = gaussian, inUnit = gaussian;
    inPixels.insert(inPixels.end(), {"--sigma", "3", "--radius", "6"});
    inUnit.insert(inUnit.end(), {"--sigma", "1.5um", "--radius", "0.0029 mm"});
    const auto [wanted, plain] = run(fine, inPixels);
    const auto [found, said] = run(fine, inUnit);
    EXPECT_EQ(found, wanted);
    EXPECT_THAT(said, HasSubstr("sigma 1.5um is 3 pixels\n"));
    EXPECT_THAT(said, HasSubstr("radius 0.0029 mm is 5.8 pixels: 6 taken\n"));
    EXPECT_THAT(plain, testing::Not(HasSubstr("pixels:")));
    // Slice by slice the distance of slices does not matter.
    const std::string stack = "16x16x16:u8:spacing=0.002,0.002,0.5";
    EXPECT_EQ(run(stack, {"rank", "--radius", "4um"}).first, run(stack, {"rank", "--radius", "2"}).first);
}

TEST_F(Lengths, areRefusedWhereTheyAreNoPixels) {
    refuses("gen:noise:16x16:u8", {"rank", "--radius", "2um"}, "--radius 2um: the file has no pixel size: give it");
    refuses(raw("64x64:u8:spacing=0.5,0.25,1"), {"rank", "--radius", "2mm"}, "a pixel is 0.5 x 0.25 mm, and one");
    refuses(raw("16x16x16:u8:spacing=0.5,0.5,2"), {"convolution", "--dimensions", "3", "--sigma", "1mm"},
            "0.5 x 0.5 x 2 mm, and one number stands for all axes unless sigma-unit is mm");
    refuses(raw("16x16x16:u8:spacing=0.5,0.5,2"),
            {"convolution", "--dimensions", "3", "--sigma-unit", "mm", "--sigma", "1mm"},
            "sigma-unit mm says what plain numbers mean");
    refuses(raw("64x64:u8:spacing=0.5,0.5,1"), {"rank", "--radius", "2um"}, "0.004 pixels: radius: '0'");
    refuses(raw("64x64:u8:spacing=0.5,0.5,1"), {"rank", "--radius", "2miles"}, "'2miles' is not possible");
    refuses(raw("64x64:u8:spacing=0.5,0.5,1"), {"rank", "--percentile", "2mm"}, "'2mm' is not possible");
}

TEST_F(Lengths, areThoseOfEachInputOfABatch) {
    const Outcome outcome = cli({"compare", raw("64x64:u8:spacing=1,1,2"), raw("64x64:u8:spacing=0.5,0.5,1"), "rank",
                                 "--radius", "2mm", "--variants", "naive", "--device", "cpu"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("2 pixels: 2 taken"));
    EXPECT_THAT(outcome.out, HasSubstr("4 pixels: 4 taken"));
}

}  // namespace warplens::test
