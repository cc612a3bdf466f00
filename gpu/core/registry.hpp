// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

/// What stands for a variant that is chosen for the user (tuning.hpp): a row of selection, not of a kernel.
inline constexpr const char* kAuto = "auto";

/// Every family, in the order in which they are taught.
const std::vector<const Family*>& families();

/// Throws Error(argument) that names the families there are.
const Family& familyOf(const std::string& id);

/// Throws Error(argument) that names the family's variants.
const Variant& variantOf(const Family& family, const std::string& id);

}  // namespace warplens::gpu
