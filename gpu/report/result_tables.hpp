// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/table.hpp"

#include <cstddef>
#include <vector>

namespace warplens::gpu {

/// Text, Markdown and HTML show tables of so many rows, and say of longer ones how many they have.
inline constexpr std::size_t kMostShownRows = 20;

/// The tables of the first run that is ok, as people read them, for families whose results are, or come with, tables.
/// Right variants agree in them within their bounds.
std::vector<TextTable> resultTables(const Report& report);

/// All that stands below the table of the runs: where the time goes, errors that were asked for, the result's tables.
std::vector<TextTable> furtherTables(const Report& report);

}  // namespace warplens::gpu
