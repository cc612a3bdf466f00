// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/families/histogram/arguments.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::histogram {

/// The rows of variants.inc.
const std::vector<Variant>& variants();

/// The kernel behind a row, as built for a device of kind "simt" or "cuda"; null when that build does not exist.
const KernelEntry* entryOf(const std::string& variant, const std::string& deviceKind);

}  // namespace warplens::gpu::histogram
