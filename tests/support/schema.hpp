// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warplens::test {

/// The first way in which `value` breaks `schema`, as "/runs/0/time: ..."; empty when it obeys. Knows type, required,
/// properties, additionalProperties, enum, items, minItems, maxItems, minimum, maximum and anyOf; any other keyword is
/// itself a violation, so that a schema cannot promise what is not checked.
std::string violation(const nlohmann::json& schema, const nlohmann::json& value, const std::string& where = "");

/// resources/schema/NAME.schema.json
nlohmann::json loadSchema(const std::string& name);

/// Parses `text` and checks it; text that is no JSON is a violation.
std::string violation(const std::string& schemaName, const std::string& text);

}  // namespace warplens::test
