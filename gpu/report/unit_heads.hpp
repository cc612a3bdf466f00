// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"

namespace warplens::gpu {

/// The table with the unit in the id of each column that has one, as "area [um^2]": for people, where programs take the
/// ids alone. In ASCII, as spreadsheets guess how a CSV is encoded.
Table withUnitHeads(Table table);

}  // namespace warplens::gpu
