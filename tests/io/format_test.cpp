// SPDX-License-Identifier: Apache-2.0
// The list of formats that dialogs, batches and documents ask.
#include "io/format.hpp"

#include <gtest/gtest.h>
#include <set>

namespace warplens::io {
namespace {

TEST(Formats, EachIsFoundByItsIdAndItsExtensionsAlone) {
    std::set<std::string> names;
    for (const Format& format : formats()) {
        EXPECT_EQ(formatNamed(format.id), &format);
        ASSERT_FALSE(format.extensions.empty()) << format.id;
        const auto belongs = [&](const char* extension, bool written) {
            EXPECT_EQ(formatNamed(extension), &format) << extension;
            EXPECT_TRUE(names.insert(extension).second) << extension << " belongs to two formats";
            EXPECT_EQ(writesAs(format, extension), written && !format.writes.empty()) << extension;
        };
        for (const char* extension : format.extensions) belongs(extension, true);
        for (const char* extension : format.readAs) belongs(extension, false);
    }
    EXPECT_EQ(formatNamed("docx"), nullptr);
    EXPECT_EQ(formatNamed(""), nullptr);
}

TEST(Formats, HoldTypesColoursAndVolumesAsTheirRowsSay) {
    const auto held = [](const char* name, Shape shape, PixelType type) {
        return holds(*formatNamed(name), Grid(shape, type));
    };
    EXPECT_TRUE(held("png", {2, 2, 1, 3}, PixelType::u16));
    EXPECT_FALSE(held("png", {2, 2, 1, 3}, PixelType::f32));
    EXPECT_FALSE(held("png", {2, 2, 2, 1}, PixelType::u8));
    EXPECT_TRUE(held("nii", {2, 2, 2, 1}, PixelType::f32));
    EXPECT_TRUE(held("nii", {2, 2, 2, 3}, PixelType::u8));
    EXPECT_FALSE(held("nii", {2, 2, 2, 3}, PixelType::f32));
    EXPECT_TRUE(held("jpg", {2, 2, 1, 3}, PixelType::u8));
    EXPECT_FALSE(held("jpg", {2, 2, 1, 4}, PixelType::u8));
    EXPECT_FALSE(held("bmp", {2, 2, 1, 1}, PixelType::u8));
    EXPECT_TRUE(held("npy", {2, 2, 2, 3}, PixelType::i32));
}

TEST(Formats, TheirUsualExtensionsStandInMessagesInOneOrder) {
    EXPECT_EQ(writtenExtensions(), ".png, .jpg, .webp, .tif, .exr, .nrrd, .mha, .nii, .npy or .csv");
}

}  // namespace
}  // namespace warplens::io
