// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/report/fields.hpp"

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>

/// Fields of a document that may be absent or null, and names of enumerations.
namespace warplens::gpu::fields::reading {

template <class T>
std::optional<T> optional(const Json& json, const char* field) {
    const auto found = json.find(field);
    return found == json.end() || found->is_null() ? std::nullopt : std::optional<T>(found->get<T>());
}

inline std::string text(const Json& json, const char* field) { return optional<std::string>(json, field).value_or(""); }

inline double real(const Json& json, const char* field) { return optional<double>(json, field).value_or(0.0); }

/// A time, a rate or a share: 0 or more.
inline std::optional<double> amount(const Json& json, const char* field) {
    const auto value = optional<double>(json, field);
    if (value && *value < 0)
        throw std::runtime_error(std::string(field) + " is " + json.at(field).dump() + ", and must be 0 or more");
    return value;
}

inline int integer(const Json& json, const char* field) { return optional<int>(json, field).value_or(0); }

template <class Enum>
Enum named(const Json& json, const char* field, std::initializer_list<Enum> all) {
    const auto name = json.at(field).get<std::string>();
    for (const Enum value : all) {
        if (name == nameOf(value)) return value;
    }
    throw std::runtime_error(std::string(field) + " is \"" + name + "\"");
}

/// Of a run. In documents of earlier versions it has no id, and was called by its variant alone.
inline RunKey key(const Json& run) {
    RunKey key{.variant = run.at("variant").get<std::string>(), .chosen = {}};
    const std::string id = text(run, "id");
    if (id.empty() || id == key.variant) return key;
    try {
        if (RunKey named = parseRunKey(id); named.variant == key.variant) return named;
    } catch (const Error&) {
        throw std::runtime_error("id is \"" + id + "\", which names no run");
    }
    throw std::runtime_error("id is \"" + id + "\", and variant is \"" + key.variant + "\"");
}

}  // namespace warplens::gpu::fields::reading
