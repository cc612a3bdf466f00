// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/family.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

/// Every family, in the order in which they are taught.
const std::vector<const Family*>& families();

/// Throws Error(argument) that names the families there are.
const Family& familyOf(const std::string& id);

/// Throws Error(argument) that names the family's variants.
const Variant& variantOf(const Family& family, const std::string& id);

}  // namespace warplens::gpu
