// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A value that was given and shapes nothing, as the one it depends on is another.
struct NoEffect {
    std::string parameter, owner, ownersValue;
    std::string fitting;  ///< "a, b or c": with which values of the owner it would
};

/// "a", "a or b", "a, b or c"
inline std::string anyOf(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return text;
}

/// Values that need no choice to be made, as coefficients need no stencil: a custom choice's, that have no default.
inline bool decides(const Parameter& parameter) {
    return parameter.type == Parameter::Type::text && format(parameter.fallback).empty() &&
           parameter.visibleWhenIn == std::vector<std::string>{"custom"};
}

/// What parameter `id` comes to: as given, or as another decides that needs it so, or its default.
inline std::string effective(const std::vector<Parameter>& parameters, const ParameterValues& values,
                             const std::string& id) {
    for (const Parameter& parameter : parameters) {
        if (decides(parameter) && parameter.visibleWhen == id && values.contains(parameter.id) && !values.contains(id))
            return parameter.visibleWhenIn.front();
    }
    return format(valueOf(parameters, values, id));
}

/// Why the parameter shapes nothing with these values, given or not: what it depends on is another, or shapes nothing
/// itself. None: it does.
inline std::optional<NoEffect> leftAside(const Parameter& parameter, const std::vector<Parameter>& parameters,
                                         const ParameterValues& values) {
    if (parameter.visibleWhen.empty()) return std::nullopt;
    const auto owner = std::ranges::find(parameters, parameter.visibleWhen, &Parameter::id);
    if (owner != parameters.end() && owner->id != parameter.id)
        if (auto above = leftAside(*owner, parameters, values)) {
            above->parameter = parameter.id;
            return above;
        }
    const std::string now = effective(parameters, values, parameter.visibleWhen);
    if (std::ranges::find(parameter.visibleWhenIn, now) != parameter.visibleWhenIn.end()) return std::nullopt;
    return NoEffect{parameter.id, parameter.visibleWhen, now, anyOf(parameter.visibleWhenIn)};
}

/// The first that was given and is left aside.
inline std::optional<NoEffect> withoutEffect(const std::vector<Parameter>& parameters, const ParameterValues& values) {
    for (const Parameter& parameter : parameters)
        if (values.contains(parameter.id))
            if (auto why = leftAside(parameter, parameters, values)) return why;
    return std::nullopt;
}

}  // namespace warplens::gpu
