// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schema.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace warplens::test {

namespace {

using Json = nlohmann::json;

bool hasType(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "null") return value.is_null();
    return false;
}

std::string checkType(const Json& types, const Json& value) {
    const Json list = types.is_array() ? types : Json::array({types});
    const bool fits = std::any_of(list.begin(), list.end(), [&](const Json& type) { return hasType(value, type); });
    return fits ? "" : "is " + value.dump().substr(0, 60) + " instead of " + types.dump();
}

std::string checkMembers(const Json& schema, const Json& value, const std::string& where) {
    if (!value.is_object()) return "";
    for (const auto& name : schema.value("required", Json::array())) {
        if (!value.contains(name)) return where + ": lacks " + name.dump();
    }
    const Json properties = schema.value("properties", Json::object());
    const Json others = schema.value("additionalProperties", Json(true));
    for (const auto& [name, member] : value.items()) {
        const std::string at = where + "/" + name;
        const auto declared = properties.find(name);
        if (declared == properties.end() && others == Json(false)) return at + ": is not in the schema";
        const Json& rule = declared != properties.end() ? *declared : others;
        if (const std::string found = violation(rule, member, at); !found.empty()) return found;
    }
    return "";
}

std::string checkItems(const Json& items, const Json& value, const std::string& where) {
    if (!value.is_array()) return "";
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (const auto found = violation(items, value[i], where + "/" + std::to_string(i)); !found.empty())
            return found;
    }
    return "";
}

std::string checkAnyOf(const Json& rules, const Json& value, const std::string& where) {
    std::string all;
    for (const Json& rule : rules) {
        const std::string found = violation(rule, value, where);
        if (found.empty()) return "";
        all += (all.empty() ? "" : "; or ") + found;
    }
    return all;
}

}  // namespace

std::string violation(const Json& schema, const Json& value, const std::string& where) {
    if (schema.is_boolean()) return schema.get<bool>() ? "" : where + ": is not allowed";
    const auto at = [&where](const std::string& found) { return found.empty() ? "" : where + ": " + found; };
    const auto number = [&value](bool good) {
        return !value.is_number() || good ? "" : "is out of range: " + value.dump();
    };
    const auto size = [&value](bool good) { return !value.is_array() || good ? "" : "has the wrong number of items"; };
    for (const auto& [keyword, rule] : schema.items()) {
        std::string found;
        if (keyword == "type") {
            found = at(checkType(rule, value));
        } else if (keyword == "enum") {
            found = at(std::find(rule.begin(), rule.end(), value) != rule.end()
                           ? ""
                           : value.dump() + " is not one of " + rule.dump());
        } else if (keyword == "minimum") {
            found = at(number(value.is_number() && value.get<double>() >= rule.get<double>()));
        } else if (keyword == "maximum") {
            found = at(number(value.is_number() && value.get<double>() <= rule.get<double>()));
        } else if (keyword == "minItems") {
            found = at(size(value.size() >= rule.get<std::size_t>()));
        } else if (keyword == "maxItems") {
            found = at(size(value.size() <= rule.get<std::size_t>()));
        } else if (keyword == "items") {
            found = checkItems(rule, value, where);
        } else if (keyword == "anyOf") {
            found = checkAnyOf(rule, value, where);
        } else if (keyword == "$ref") {
            // A schema beside this one, or a part of it: "report.schema.json#/properties/device".
            const auto name = rule.get<std::string>();
            const auto hash = std::min(name.find('#'), name.size());
            const Json::json_pointer part(hash < name.size() ? name.substr(hash + 1) : "");
            found = violation(loadSchema(name.substr(0, name.find('.'))).at(part), value, where);
        } else if (keyword == "properties") {
            found = checkMembers(schema, value, where);
        } else if (keyword == "additionalProperties" || keyword == "required") {
            if (!schema.contains("properties")) found = checkMembers(schema, value, where);
        } else if (keyword != "$schema" && keyword != "title") {
            found = where + ": the schema uses " + keyword + ", which is not checked here";
        }
        if (!found.empty()) return found;
    }
    return "";
}

Json loadSchema(const std::string& name) {
    std::ifstream file(std::string(WARPLENS_SOURCE_DIR) + "/resources/schema/" + name + ".schema.json");
    if (!file) throw std::runtime_error("no schema " + name);
    return Json::parse(file);
}

std::string violation(const std::string& schemaName, const std::string& text) {
    const Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? "is no JSON: " + text.substr(0, 200) : violation(loadSchema(schemaName), value);
}

}  // namespace warplens::test
