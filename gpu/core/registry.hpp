// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What stands for a variant that is chosen for the user (tuning.hpp): a row of selection, not of a kernel.
inline constexpr const char* kAuto = "auto";

/// Every family, in the order in which they are taught.
const std::vector<const Family*>& families();

/// The ids of those that `which` takes, with commas between them: for help and messages.
std::string familyIds(const std::function<bool(const FamilyInfo&)>& which = {});

/// Null when this version has none of that id: a report may name what another one has.
const Family* findFamily(const std::string& id);
const Variant* findVariant(const std::string& family, const std::string& id);

/// The value that a run of the family was given for the parameter of that role; null: none, or no such family.
const Parameter::Value* givenFor(Parameter::Role role, const std::string& family, const ParameterValues& values);
/// The same of an integer's; absent likewise.
std::optional<std::int64_t> integerFor(Parameter::Role role, const std::string& family, const ParameterValues& values);

/// The first family that does it. Throws Error(unsupported) when there is none.
const Family& familyFor(Service service);

/// Throws Error(argument) that names the families there are.
const Family& familyOf(const std::string& id);

/// Throws Error(argument) that names the family's variants.
const Variant& variantOf(const Family& family, const std::string& id);

}  // namespace warplens::gpu
