// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warplens::cli {

enum class ListFormat { text, json, markdown };

/// What `list WHAT [FAMILY]` prints, straight from the registry. WHAT: families, variants, parameters, formats or a
/// list of the families' own, as filters. `family`: of variants and parameters, those of this one alone; empty: of all.
/// `width`: of a line of text, in columns. Throws ArgumentError and gpu::Error(argument).
std::string listOf(const std::string& what, const std::string& family, ListFormat format, std::size_t width);

/// What listOf() takes.
const std::vector<std::string>& listNames();

}  // namespace warplens::cli
