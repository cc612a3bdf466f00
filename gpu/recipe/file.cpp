// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe/file.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "io/file.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

namespace warplens::gpu::recipe {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr const char* kInput = "input";
constexpr const char* kPrevious = "previous";

[[noreturn]] void refuse(const std::string& what) { throw Error(Error::Kind::argument, what); }

/// Whether a name is a path alone: other texts say more than a path.
bool isPath(const std::string& name) {
    static constexpr std::string_view kSchemes[] = {"gen:", "raw:", "series:"};
    return !name.empty() && std::ranges::none_of(kSchemes, [&](auto scheme) { return name.starts_with(scheme); });
}

std::string relativeTo(const fs::path& folder, const std::string& name) {
    if (folder.empty() || !isPath(name)) return name;
    const fs::path near =
        fs::absolute(name).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
    return near.empty() ? name : near.string();
}

std::string absoluteFrom(const fs::path& folder, const std::string& name) {
    if (folder.empty() || !isPath(name)) return name;
    return (fs::absolute(folder) / name).lexically_normal().string();
}

const Parameter* parameterOf(const std::string& family, const std::string& id) {
    const auto& list = familyOf(family).parameters();
    const auto at = std::ranges::find(list, id, &Parameter::id);
    return at == list.end() ? nullptr : &*at;
}

/// Whether the value is the name of a file: a choice that takes one instead of its own names.
bool namesFile(const Parameter& parameter, const Parameter::Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return parameter.open && text != nullptr && !text->empty() &&
           std::ranges::find(parameter.choices, *text) == parameter.choices.end();
}

Json jsonOf(const Source& source, const fs::path& folder) {
    switch (source.kind) {
        case Source::Kind::previous: return kPrevious;
        case Source::Kind::input: return kInput;
        case Source::Kind::step: return {{"step", source.name}};
        case Source::Kind::file: return {{"file", relativeTo(folder, source.name)}};
        case Source::Kind::held: break;
    }
    refuse("its picture" + (source.held ? " (" + source.held->name + ")" : "") +
           " lies in no file: save it and choose the file");
}

Json jsonOf(const Parameter::Value& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return format(value);
}

Json jsonOf(const Step& step, const fs::path& folder) {
    Json json = Json::object();
    if (!step.name.empty()) json["name"] = step.name;
    json["family"] = step.family;
    Json parameters = Json::object();
    for (const auto& [id, value] : step.parameters) {
        const Parameter* parameter = parameterOf(step.family, id);
        const bool file = parameter != nullptr && namesFile(*parameter, value);
        parameters[id] = file ? Json(relativeTo(folder, format(value))) : jsonOf(value);
    }
    for (const auto& [id, source] : step.pictures) {
        try {
            parameters[id] = jsonOf(source, folder);
        } catch (const Error& error) {
            refuse(id + ": " + error.what());
        }
    }
    json["parameters"] = parameters;
    if (step.input.kind != Source::Kind::previous) json["input"] = jsonOf(step.input, folder);
    json["variant"] = step.variant;
    if (!step.on) json["on"] = false;
    return json;
}

/// The field's text. Throws Error(argument) that names it.
std::string textOf(const Json& json, const std::string& field) {
    if (!json.is_string()) refuse(field + ": " + json.dump() + " is no text");
    return json.get<std::string>();
}

void checkFields(const Json& json, std::initializer_list<std::string_view> known) {
    if (!json.is_object()) refuse(json.dump().substr(0, 40) + " is no object: give {...}");
    for (const auto& [key, value] : json.items()) {
        if (std::ranges::find(known, std::string_view(key)) != known.end()) continue;
        std::string list;
        for (const auto& one : known) list += (list.empty() ? "" : ", ") + std::string(one);
        refuse("unknown field '" + key.substr(0, 40) + "': give " + list);
    }
}

Source sourceOf(const Json& json, const std::string& field, const fs::path& folder) {
    if (json == kInput) return {Source::Kind::input, {}, {}};
    if (json == kPrevious) return {Source::Kind::previous, {}, {}};
    if (json.is_object() && json.size() == 1) {
        const std::string& key = json.begin().key();
        if (key == "step") return {Source::Kind::step, textOf(json.front(), field), {}};
        if (key == "file") return {Source::Kind::file, absoluteFrom(folder, textOf(json.front(), field)), {}};
    }
    refuse(field + ": " + json.dump().substr(0, 60) +
           R"( is no picture: give "input", "previous", {"step": NAME} or {"file": PATH})");
}

/// As the parameter's type wants it, without conversions but that of a whole number to a real one.
Parameter::Value valueOf(const Parameter& parameter, const Json& json, const fs::path& folder) {
    using Type = Parameter::Type;
    if (parameter.type == Type::real && json.is_number()) return json.get<double>();
    if (parameter.type == Type::integer && json.is_number_integer() &&
        (!json.is_number_unsigned() || json.get<std::uint64_t>() < 1ULL << 63U))
        return json.get<std::int64_t>();
    if (parameter.type == Type::flag && json.is_boolean()) return json.get<bool>();
    const bool text = parameter.type == Type::choice || parameter.type == Type::text;
    if (text && json.is_string()) {
        const Parameter::Value value = json.get<std::string>();
        return namesFile(parameter, value) ? Parameter::Value(absoluteFrom(folder, format(value))) : value;
    }
    // What is allowed is said by whoever checks values; a text is right for none of these.
    if (text) refuse(parameter.id + ": " + json.dump().substr(0, 60) + " is no text: put it in quotes");
    validate({parameter}, {{parameter.id, json.dump()}});
    refuse(parameter.id + ": " + json.dump().substr(0, 60) + " is not possible");
}

Step stepOf(const Json& json, const fs::path& folder) {
    checkFields(json, {"name", "family", "parameters", "input", "variant", "on"});
    Step step;
    if (!json.contains("family")) refuse("the field 'family' is missing");
    step.family = textOf(json["family"], "family");
    familyOf(step.family);
    if (json.contains("name")) step.name = textOf(json["name"], "name");
    if (json.contains("variant")) step.variant = textOf(json["variant"], "variant");
    if (json.contains("input")) step.input = sourceOf(json["input"], "input", folder);
    if (json.contains("on")) {
        if (!json["on"].is_boolean()) refuse("on: " + json["on"].dump() + " is neither true nor false");
        step.on = json["on"].get<bool>();
    }
    if (!json.contains("parameters")) return step;
    if (!json["parameters"].is_object()) refuse("parameters: give an object, as in {\"radius\": 2}");
    for (const auto& [id, value] : json["parameters"].items()) {
        const Parameter* parameter = parameterOf(step.family, id);
        if (parameter == nullptr) refuse("no parameter '" + id.substr(0, 40) + "': see 'list parameters'");
        if (parameter->type == Parameter::Type::picture)
            step.pictures[id] = sourceOf(value, id, folder);
        else
            step.parameters[id] = valueOf(*parameter, value, folder);
    }
    return step;
}

Recipe recipeOf(const std::string& text, const fs::path& folder) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        refuse("no JSON: " + reasonOf(error));
    }
    checkFields(json, {"schema", "steps"});
    if (!json.contains("schema") || !json["schema"].is_number_integer())
        refuse("the field 'schema' is missing: this is no recipe, give another file");
    if (json["schema"] != kSchema)
        refuse("schema " + json["schema"].dump() + ", this version reads " + std::to_string(kSchema) +
               ": update the program");
    if (!json.contains("steps") || !json["steps"].is_array() || json["steps"].empty())
        refuse("the field 'steps' must be a list with a step or more");
    Recipe recipe;
    for (const Json& step : json["steps"]) {
        try {
            recipe.steps.push_back(stepOf(step, folder));
        } catch (const Error& error) {
            refuse(placeOf(recipe.steps.size()) + ": " + error.what());
        }
    }
    check(recipe);
    return recipe;
}

}  // namespace

std::string toJson(const Recipe& recipe, const fs::path& folder, bool oneLine) {
    Json steps = Json::array();
    for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
        try {
            steps.push_back(jsonOf(recipe.steps[i], folder));
        } catch (const Error& error) {
            refuse(placeOf(i) + ": " + error.what());
        }
    }
    const Json json{{"schema", kSchema}, {"steps", steps}};
    return oneLine ? json.dump() : json.dump(2) + "\n";
}

Recipe parse(const std::string& json, const std::string& where, const fs::path& folder) {
    try {
        return recipeOf(json, folder);
    } catch (const Error& error) {
        throw Error(error.kind(), where + ", " + error.what());
    }
}

Recipe load(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    return parse(io::readText(path.string(), kMostBytes), path.string(), folder);
}

void save(const Recipe& recipe, const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    io::writeFileAtomically(path, toJson(recipe, folder));
}

std::vector<std::string> filesOf(const Recipe& recipe) {
    std::vector<std::string> files;
    const auto add = [&](const Source& source) {
        if (source.kind == Source::Kind::file && !source.name.starts_with("gen:")) files.push_back(source.name);
    };
    for (const Step& step : recipe.steps) {
        add(step.input);
        for (const auto& [id, source] : step.pictures) add(source);
        for (const auto& [id, value] : step.parameters) {
            const Parameter* parameter = parameterOf(step.family, id);
            if (parameter != nullptr && namesFile(*parameter, value)) files.push_back(format(value));
        }
    }
    return files;
}

}  // namespace warplens::gpu::recipe
