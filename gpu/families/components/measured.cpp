// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/components/measured.hpp"

#include <numeric>
#include <utility>

namespace warplens::gpu::components {
namespace {

Column::Integers countedFrom1(std::size_t rows) {
    Column::Integers numbers(rows);
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
}

}  // namespace

Measured measuredOf(const Row& row) {
    Measured measured{.area = row.area};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        measured.low[axis] = row.low[axis];
        measured.high[axis] = row.high[axis];
        measured.centre[axis] = static_cast<double>(row.sum[axis]) / static_cast<double>(row.area);
    }
    return measured;
}

std::shared_ptr<const Table> componentsTable(const std::vector<Measured>& components) {
    auto table = std::make_shared<Table>(Table{.id = "components", .title = "Components", .columns = {}});
    const auto add = [&](const char* id, const char* title, const char* unit, auto values) {
        table->columns.push_back({.id = id, .title = title, .unit = unit, .values = std::move(values)});
    };
    const auto integers = [&](auto of) {
        Column::Integers values(components.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = of(components[i]);
        return values;
    };
    constexpr const char *kLow[] = {"x0", "y0", "z0"}, *kHigh[] = {"x1", "y1", "z1"}, *kCentre[] = {"cx", "cy", "cz"};
    add("label", "Label", "", countedFrom1(components.size()));
    add("area", "Area", "px", integers([](const Measured& m) { return m.area; }));
    for (std::size_t axis = 0; axis < 3; ++axis)
        add(kLow[axis], kLow[axis], "px", integers([axis](const Measured& m) { return m.low[axis]; }));
    for (std::size_t axis = 0; axis < 3; ++axis)
        add(kHigh[axis], kHigh[axis], "px", integers([axis](const Measured& m) { return m.high[axis]; }));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Column::Reals values(components.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = components[i].centre[axis];
        add(kCentre[axis], kCentre[axis], "px", std::move(values));
    }
    return table;
}

std::shared_ptr<const Table> passesTable(const std::vector<std::uint32_t>& changes) {
    auto table = std::make_shared<Table>(Table{.id = "passes", .title = "Passes", .columns = {}});
    table->columns.push_back({.id = "pass", .title = "Pass", .values = countedFrom1(changes.size())});
    table->columns.push_back({.id = "changed",
                              .title = "Labels changed",
                              .origin = Origin::counted,
                              .values = Column::Integers(changes.begin(), changes.end())});
    return table;
}

}  // namespace warplens::gpu::components
