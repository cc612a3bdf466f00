// SPDX-License-Identifier: Apache-2.0
// Pixels come apart into planes and together again, value by value, and nothing is written beside them.
#include "gpu/kernels/transfer.hpp"

#include "gpu/kernels/layout.hpp"
#include "tests/support/devices.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace warplens::gpu {
namespace {

using io::PixelType;

constexpr std::size_t kBeyond = 64;
constexpr std::byte kUntouched{0xa5};

class Transfer : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { testing::requireDevice(GetParam()); }
};

std::vector<std::byte> valuesOf(std::size_t bytes) {
    std::vector<std::byte> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::byte>(i * 2654435761U >> 13);
    return values;
}

/// What belongs behind each other in planes, and bytes that stay as they were.
std::vector<std::byte> planesOf(const std::vector<std::byte>& pixels, std::size_t channels, std::size_t size) {
    const std::size_t count = pixels.size() / channels / size;
    std::vector<std::byte> planes(pixels.size() + kBeyond, kUntouched);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t c = 0; c < channels; ++c)
            std::memcpy(&planes[(c * count + i) * size], &pixels[(i * channels + c) * size], size);
    return planes;
}

TEST_P(Transfer, MovesEveryValueAndNothingElse) {
    const auto device = openDevice(GetParam());
    const LayoutEntry& layout = layoutEntry(device->info());
    const auto moved = [&](const std::vector<std::byte>& from, auto move) {
        const Buffer input = device->allocate(from.size() + kBeyond), output = device->allocate(from.size() + kBeyond);
        device->upload(input, from.data(), from.size());
        device->fill(output, static_cast<int>(kUntouched));
        move(input.handle(), output.handle());
        std::vector<std::byte> made(from.size() + kBeyond);
        device->download(made.data(), output, made.size());
        return made;
    };
    std::vector<std::size_t> counts{97, 127, 128, 511, 512, 513, 2039, 2048, 4099, 100003};
    for (std::size_t n = 1; n <= 70; ++n) counts.push_back(n);
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32, PixelType::i32})
        for (const int channels : {2, 3, 4})
            for (const std::size_t count : counts) {
                const std::size_t size = io::sizeOf(type), bytes = count * static_cast<std::size_t>(channels) * size;
                const std::string what = std::to_string(count) + " of " + std::to_string(channels) + nameOf(type);
                auto pixels = valuesOf(bytes);
                const auto planes = planesOf(pixels, static_cast<std::size_t>(channels), size);
                ASSERT_EQ(moved(pixels,
                                [&](std::uint64_t from, std::uint64_t to) {
                                    layout.deinterleave(device->context(), from, to, count, channels, type);
                                }),
                          planes)
                    << what;
                const std::vector<std::byte> own(planes.begin(), planes.end() - kBeyond);
                pixels.resize(bytes + kBeyond, kUntouched);
                ASSERT_EQ(moved(own,
                                [&](std::uint64_t from, std::uint64_t to) {
                                    layout.interleave(device->context(), from, to, count, channels, type);
                                }),
                          pixels)
                    << what;
            }
}

INSTANTIATE_TEST_SUITE_P(Devices, Transfer, testing::kDevices, testing::nameOfDevice);

}  // namespace
}  // namespace warplens::gpu
