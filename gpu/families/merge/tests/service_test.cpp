// SPDX-License-Identifier: Apache-2.0
// Quantiles that a program asks for without knowing who makes them: the very values of each channel, NaN left out.
#include "gpu/run/service.hpp"

#include "gpu/families/merge/tests/merge_case.hpp"

#include <limits>

namespace warplens::gpu::testing {
namespace {

class QuantilesAsAService : public MergeCase {};

TEST_P(QuantilesAsAService, AreValuesOfEachChannel) {
    constexpr int kWidth = 97, kHeight = 31, kChannels = 3;
    auto picture = std::make_shared<io::Grid>(io::Shape{kWidth, kHeight, 1, kChannels}, io::PixelType::f32);
    for (std::int64_t i = 0; i < picture->shape().values(); ++i)
        picture->as<float>()[i] =
            i % 41 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i * 7919 % 6007) / 8 - 300;
    const DeviceInfo device = openDevice(GetParam())->info();
    const Result made = serve(m_runner, Service::quantiles, picture, device);
    EXPECT_EQ(made.picture, nullptr);
    const Table& table = *made.tables.at(0);
    const auto& channels = table.integers("channel");
    const auto &percents = table.reals("percent"), &values = table.reals("value");
    ASSERT_EQ(channels.size() % kChannels, 0U);
    EXPECT_GE(channels.size(), 5U * kChannels);
    const auto sorted = sortedByStd(*picture);
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const auto channel = static_cast<int>(channels[i]);
        std::int64_t numbers = 0;
        const auto at = [&](std::int64_t place) { return sorted->value(place % kWidth, place / kWidth, 0, channel); };
        while (numbers < kWidth * kHeight && !std::isnan(at(numbers))) ++numbers;
        const auto permille = std::llround(percents[i] * 10);
        EXPECT_EQ(values[i], at((numbers - 1) * permille / 1000)) << "channel " << channel << ", " << percents[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Merge, QuantilesAsAService, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
