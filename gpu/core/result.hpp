// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "io/grid.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

using Tables = std::vector<std::shared_ptr<const Table>>;

/// Null when there is none of that id.
const Table* findTable(const Tables& tables, const std::string& id);

/// What a variant computed: a picture, tables or both. The first table is the one a family is asked for.
struct Result {
    std::shared_ptr<const io::Grid> picture{};  ///< null for families that make none
    Tables tables{};

    bool empty() const { return picture == nullptr && tables.empty(); }
};

}  // namespace warplens::gpu
