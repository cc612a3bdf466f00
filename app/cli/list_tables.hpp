// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace warplens::cli {

enum class ListFormat { text, json, markdown };

/// What `list WHAT` prints, straight from the registry. WHAT: families, variants, parameters, filters or stencils.
std::string listOf(const std::string& what, ListFormat format);

/// What listOf() takes.
const std::vector<std::string>& listNames();

}  // namespace warplens::cli
