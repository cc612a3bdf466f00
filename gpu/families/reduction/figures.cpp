// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gpu::reduction {
namespace {

__extension__ using Wider = unsigned __int128;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::int64_t placeOf(Wide at) { return at == kNowhere ? -1 : static_cast<std::int64_t>(at); }

/// Columns are filled row by row.
class TableMaker {
public:
    TableMaker(std::string id, std::string title) : m_table{std::move(id), std::move(title), {}} {}
    template <class Rows, class Value>
    void add(const char* id, const char* title, const Rows& rows, Value value) {
        using V = decltype(value(rows.front()));
        std::vector<V> values;
        for (const auto& row : rows) values.push_back(value(row));
        m_table.columns.push_back({.id = id, .title = title, .values = std::move(values)});
    }
    /// As integers where they are.
    template <class Rows, class Value>
    void addNumber(const char* id, const char* title, bool floats, const Rows& rows, Value value) {
        if (floats)
            add(id, title, rows, value);
        else
            add(id, title, rows, [&](const auto& row) { return static_cast<std::int64_t>(value(row)); });
    }
    void addNames(const io::Shape& shape) {
        m_table.columns.push_back({.id = "channel", .title = "Channel", .values = channelNames(shape)});
    }
    Table take() { return std::move(m_table); }

private:
    Table m_table;
};

}  // namespace

std::vector<std::string> channelNames(const io::Shape& shape) {
    if (shape.channels == 1) return {"value"};
    std::vector<std::string> names{"red", "green", "blue", "alpha"};
    names.resize(static_cast<std::size_t>(shape.channels));
    return names;
}

double varianceOf(std::uint64_t n, std::uint64_t sum, std::uint64_t squares) {
    if (n == 0) return kNone;
    const Wider scaled = Wider{n} * squares - Wider{sum} * sum;
    return static_cast<double>(static_cast<long double>(scaled) / static_cast<long double>(n) /
                               static_cast<long double>(n));
}

double psnrOf(double peak, double rmse) {
    return rmse == 0 ? std::numeric_limits<double>::infinity() : 20 * std::log10(peak / rmse);
}

ChannelStatistics figuresOf(const IntegerStatistics& cell, std::int64_t count) {
    return {.count = count,
            .minimum = count == 0 ? 0 : static_cast<double>(cell.minimum),
            .maximum = static_cast<double>(cell.maximum),
            .minimumAt = placeOf(cell.minimumAt),
            .maximumAt = placeOf(cell.maximumAt),
            .total = static_cast<std::int64_t>(cell.sum),
            .sum = static_cast<double>(cell.sum),
            .mean = count == 0 ? kNone : static_cast<double>(cell.sum) / static_cast<double>(count),
            .variance = varianceOf(static_cast<std::uint64_t>(count), cell.sum, cell.squares)};
}

ChannelStatistics figuresOf(const FloatStatistics& cell, std::int64_t count) {
    const bool none = cell.minimumAt == kNowhere;
    const auto nan = static_cast<std::int64_t>(cell.nan);
    const auto n = static_cast<double>(count - nan);
    const double squares = cell.sums[2] - cell.sums[1] / n * cell.sums[1];
    return {.count = count - nan,
            .nan = nan,
            .minimum = none ? kNone : static_cast<double>(cell.minimum + 0.0F),
            .maximum = none ? kNone : static_cast<double>(cell.maximum + 0.0F),
            .minimumAt = placeOf(cell.minimumAt),
            .maximumAt = placeOf(cell.maximumAt),
            .sum = cell.sums[0],
            .mean = cell.sums[0] / n,
            // Rounding may leave a little less than nothing; NaN stays.
            .variance = squares < 0 ? 0 : squares / n};
}

ChannelComparison figuresOf(const IntegerComparison& cell, std::int64_t count, double peak) {
    const auto n = static_cast<double>(count);
    const double rmse = std::sqrt(static_cast<double>(cell.squares) / n);
    return {.dot = static_cast<double>(cell.dot),
            .exactDot = static_cast<std::int64_t>(cell.dot),
            .maxAbs = static_cast<double>(cell.largest),
            .meanAbs = static_cast<double>(cell.magnitude) / n,
            .rmse = rmse,
            .psnr = psnrOf(peak, rmse),
            .mismatches = static_cast<std::int64_t>(cell.mismatches)};
}

ChannelComparison figuresOf(const FloatComparison& cell, std::int64_t count) {
    const auto n = static_cast<double>(count) - static_cast<double>(cell.nan);
    const double rmse = std::sqrt(cell.sums[2] / n);
    const double span = static_cast<double>(cell.high) - static_cast<double>(cell.low);
    return {.dot = cell.sums[0],
            .maxAbs = static_cast<double>(cell.largest),
            .meanAbs = cell.sums[1] / n,
            .rmse = rmse,
            .psnr = psnrOf(span > 0 ? span : 1, rmse),
            .mismatches = static_cast<std::int64_t>(cell.mismatches)};
}

Table statisticsTable(const std::vector<ChannelStatistics>& channels, const io::Shape& shape, bool floats) {
    using Row = ChannelStatistics;
    TableMaker table("statistics", "Statistics");
    // Along an axis of `extent` places that lie `apart` pixels from each other.
    const auto addPlace = [&](const char* id, const char* title, std::int64_t Row::*at, std::int64_t apart,
                              std::int64_t extent) {
        table.add(id, title, channels, [&](const Row& r) { return r.*at < 0 ? -1 : r.*at / apart % extent; });
    };
    table.addNames(shape);
    table.add("count", "Count", channels, [](const Row& r) { return r.count; });
    table.add("nan", "NaN", channels, [](const Row& r) { return r.nan; });
    const std::int64_t slice = shape.width * shape.height;
    table.addNumber("minimum", "Minimum", floats, channels, [](const Row& r) { return r.minimum; });
    addPlace("minimum_x", "Minimum at x", &Row::minimumAt, 1, shape.width);
    addPlace("minimum_y", "Minimum at y", &Row::minimumAt, shape.width, shape.height);
    addPlace("minimum_z", "Minimum at z", &Row::minimumAt, slice, shape.depth);
    table.addNumber("maximum", "Maximum", floats, channels, [](const Row& r) { return r.maximum; });
    addPlace("maximum_x", "Maximum at x", &Row::maximumAt, 1, shape.width);
    addPlace("maximum_y", "Maximum at y", &Row::maximumAt, shape.width, shape.height);
    addPlace("maximum_z", "Maximum at z", &Row::maximumAt, slice, shape.depth);
    if (floats)
        table.add("sum", "Sum", channels, [](const Row& r) { return r.sum; });
    else
        table.add("sum", "Sum", channels, [](const Row& r) { return r.total; });
    table.add("mean", "Mean", channels, [](const Row& r) { return r.mean; });
    table.add("variance", "Variance", channels, [](const Row& r) { return r.variance; });
    return table.take();
}

Table comparisonTable(const std::vector<ChannelComparison>& channels, const io::Shape& shape, bool floats) {
    using Row = ChannelComparison;
    TableMaker table("comparison", "Comparison");
    table.addNames(shape);
    if (floats)
        table.add("dot", "Dot product", channels, [](const Row& r) { return r.dot; });
    else
        table.add("dot", "Dot product", channels, [](const Row& r) { return r.exactDot; });
    table.addNumber("max_abs", "Largest", floats, channels, [](const Row& r) { return r.maxAbs; });
    table.add("mean_abs", "Mean", channels, [](const Row& r) { return r.meanAbs; });
    table.add("rmse", "RMSE", channels, [](const Row& r) { return r.rmse; });
    table.add("psnr", "PSNR", channels, [](const Row& r) { return r.psnr; });
    table.add("mismatches", "Pixels differ", channels, [](const Row& r) { return r.mismatches; });
    return table.take();
}

}  // namespace warplens::gpu::reduction
