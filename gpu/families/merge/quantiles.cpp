// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/quantiles.hpp"

#include "gpu/families/merge/arguments.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace warplens::gpu::merge {
namespace {

/// Rows channel by channel: value(channel, quantile) of `channels`.
template <class ValueAt>
std::shared_ptr<const Table> tableOf(int channels, io::PixelType type, ValueAt value) {
    Column::Integers channel, wholes;
    Column::Reals percent, reals;
    for (int c = 0; c < channels; ++c) {
        for (std::size_t q = 0; q < kPermille.size(); ++q) {
            channel.push_back(c);
            percent.push_back(kPermille[q] / 10.0);
            const double v = value(c, q);
            if (type == io::PixelType::f32)
                reals.push_back(v);
            else
                wholes.push_back(static_cast<std::int64_t>(v));
        }
    }
    Table table{.id = "quantiles", .title = "Quantiles", .columns = {}};
    table.columns.push_back({.id = "channel", .title = "Channel", .values = std::move(channel)});
    table.columns.push_back({.id = "percent", .title = "Quantile", .unit = "%", .values = std::move(percent)});
    Column values{.id = "value", .title = "Value"};
    if (type == io::PixelType::f32)
        values.values = std::move(reals);
    else
        values.values = std::move(wholes);
    table.columns.push_back(std::move(values));
    return std::make_shared<const Table>(std::move(table));
}

}  // namespace

std::shared_ptr<const Table> quantilesOf(const io::Grid& sorted) {
    const io::Shape& s = sorted.shape();
    const auto valueAt = [&](int channel, std::uint64_t place) {
        const auto at =
            static_cast<std::size_t>(place) * static_cast<std::size_t>(s.channels) + static_cast<std::size_t>(channel);
        return io::withType(sorted.type(), [&]<class T>(T) { return static_cast<double>(sorted.as<T>()[at]); });
    };
    std::vector<std::uint64_t> numbers;
    for (int c = 0; c < s.channels; ++c) {
        std::uint64_t low = 0, high = static_cast<std::uint64_t>(s.pixels());
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (std::isnan(valueAt(c, middle)))
                high = middle;
            else
                low = middle + 1;
        }
        numbers.push_back(low);
    }
    return tableOf(s.channels, sorted.type(), [&](int c, std::size_t q) {
        const std::uint64_t count = numbers[static_cast<std::size_t>(c)];
        return valueAt(c, count == 0 ? 0 : placeOf(kPermille[q], count));
    });
}

std::shared_ptr<const Table> quantilesOf(const std::vector<std::uint64_t>& picked, io::PixelType type) {
    return tableOf(static_cast<int>(picked.size() / Picks::kWords), type, [&](int c, std::size_t q) {
        const std::uint64_t* const row = picked.data() + static_cast<std::size_t>(c) * Picks::kWords;
        return io::withType(type, [&]<class T>(T) {
            const auto bits = static_cast<std::uint32_t>(row[q]);
            if constexpr (std::is_same_v<T, float>) {
                if (row[kPermille.size()] == 0) return std::numeric_limits<double>::quiet_NaN();
                float v;
                std::memcpy(&v, &bits, sizeof v);
                return static_cast<double>(v);
            } else {
                return static_cast<double>(static_cast<T>(bits));
            }
        });
    });
}

}  // namespace warplens::gpu::merge
