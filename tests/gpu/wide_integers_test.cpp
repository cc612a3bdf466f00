// SPDX-License-Identifier: Apache-2.0
// Integers of 32 bits: results and labels, which a device carries bit for bit and a filter refuses.
#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/kernels/transfer.hpp"

#include <array>
#include <cstring>
#include <gtest/gtest.h>

namespace warplens::gpu {
namespace {

using io::PixelType;

constexpr std::array<std::uint32_t, 6> kExtremes{0, (1U << 24) + 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

std::shared_ptr<io::Grid> extremes(const io::Shape& shape, PixelType type) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    for (std::int64_t i = 0; i < shape.values(); ++i)
        grid->as<std::uint32_t>()[i] = kExtremes[static_cast<std::size_t>(i) % kExtremes.size()];
    return grid;
}

TEST(WideIntegers, GoToADeviceAndBackBitForBit) {
    for (const std::string& id : testing::devicesHere()) {
        const auto device = openDevice(id);
        for (const auto type : {PixelType::u32, PixelType::i32})
            for (const int channels : {1, 3, 4})
                for (const auto& shape : {io::Shape{7, 5, 1, channels}, io::Shape{3, 4, 5, channels}}) {
                    const auto grid = extremes(shape, type);
                    Resident resident;
                    keepResident(*device, grid, resident);
                    io::Grid back(shape, type);
                    double layoutMs = 0, downloadMs = 0;
                    downloadPlanes(*device, resident.planes, back, layoutMs, downloadMs);
                    EXPECT_EQ(std::memcmp(back.data(), grid->data(), grid->bytes()), 0) << id << nameOf(type);
                }
    }
}

TEST(WideIntegers, EveryFamilyThatDoesNotTakeThemSaysSoInOneSentence) {
    for (const Family* family : families())
        for (const auto type : {PixelType::u32, PixelType::i32}) {
            const auto grid = extremes({64, 48, 1, 1}, type);
            const auto refused = [&](auto work) {
                try {
                    work();
                } catch (const Error& error) {
                    const std::string text = error.what();
                    EXPECT_EQ(error.kind(), Error::Kind::unsupported);
                    EXPECT_NE(text.find(family->id() + " takes u8, u16 and f32"), std::string::npos) << text;
                    EXPECT_NE(text.find(std::string("holds ") + nameOf(type)), std::string::npos) << text;
                    EXPECT_NE(text.find("--as f32 on the command line"), std::string::npos) << text;
                    EXPECT_NE(text.find("Edit > Convert to 32-bit float in the window"), std::string::npos) << text;
                    return true;
                }
                return false;
            };
            EXPECT_EQ(refused([&] { (void)family->pose(grid, {}); }), !family->info().wideIntegers) << family->id();
            if (!family->info().iterates) continue;
            EXPECT_EQ(refused([&] { (void)family->play(grid, {}, {"naive"}, "cpu"); }), !family->info().wideIntegers);
        }
}

TEST(WideIntegers, AreJudgedToTheLastUnit) {
    for (const auto type : {PixelType::u32, PixelType::i32}) {
        const auto grid = extremes({6, 1, 1, 1}, type);
        ImageVerifier right(*grid), wrong(*grid);
        for (std::int64_t x = 0; x < 6; ++x) {
            const double value = grid->value(x, 0);
            right.computed({x, 0, 0}, 0, value, 0);
            wrong.computed({x, 0, 0}, 0, value == 0 ? 1 : value - 1, 0);
            right.kept({x, 0, 0}, 0, value);
        }
        EXPECT_EQ(right.result().mismatches, 0) << nameOf(type);
        // Below its least value an integer is saturated, so that one of them is right.
        EXPECT_EQ(wrong.result().mismatches, type == PixelType::i32 ? 5 : 6) << nameOf(type);
        EXPECT_EQ(right.result().maxAbsError, 0);
    }
}

}  // namespace
}  // namespace warplens::gpu
