// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/families/stencil/arguments.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::stencil {

/// The rows of variants.inc.
const std::vector<Variant>& variants();

/// The kernel behind a row, as built for a device of kind "simt" or "cuda"; null when that build does not exist.
const KernelEntry* entryOf(const std::string& variant, const std::string& deviceKind);

/// Residual and held regions, as built for that kind of device.
const FieldEntry& fieldEntry(const std::string& deviceKind);

}  // namespace warplens::gpu::stencil
