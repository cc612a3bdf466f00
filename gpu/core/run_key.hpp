// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warplens::gpu {

class Family;

/// What tells a run from the others of its comparison: its variant, and the tunables chosen where it was named. What is
/// set for all rows (--set) is no part of it; a value chosen here counts even where it is the default.
struct RunKey {
    std::string variant{};
    TunableValues chosen{};

    /// Its one spelling, the tunables in the order of their names: "tiled_output@block_height=8@block_width=32".
    std::string id() const;
    bool operator==(const RunKey&) const = default;
};

/// Reads what id() spells, in any order of the tunables. Throws Error(argument): not of that form, a tunable twice.
RunKey parseRunKey(const std::string& text);

/// The variant of an id: what stands before the first '@'.
std::string variantIn(std::string_view id);

/// A row that was asked for: one of a family's ladder, and what was chosen where it was named.
struct RunSpec {
    const Variant* variant = nullptr;
    TunableValues chosen{};

    std::string id() const;
    /// With those of `all` that the variant has; what was chosen by name wins.
    TunableValues over(const TunableValues& all) const;
};

/// Throws Error(argument): no such variant or tunable, a value out of range.
RunSpec parseRunSpec(const Family& family, const std::string& id);

/// In the order of the ladder, those of one variant as they are named; without ids every variant but those that run
/// only where they are named. Throws as parseRunSpec(),
/// and where one run is named twice.
std::vector<RunSpec> askedRuns(const Family& family, const std::vector<std::string>& ids);

}  // namespace warplens::gpu
