// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "gpu/families/components/arguments.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace warplens::gpu::components {

/// One component; boxes are inclusive.
struct Measured {
    std::int64_t area = 0;
    std::array<std::int64_t, 3> low{}, high{};
    std::array<double, 3> centre{};
};

/// Of sums that are exact, so that every row of the ladder comes to the same centroid.
Measured measuredOf(const Row& row);

/// The table "components": a row a component, by label from 1 on.
std::shared_ptr<const Table> componentsTable(const std::vector<Measured>& components);

/// The table "passes" of propagation: labels that changed in each, of the last none.
std::shared_ptr<const Table> passesTable(const std::vector<std::uint32_t>& changes);

}  // namespace warplens::gpu::components
