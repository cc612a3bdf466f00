// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace warplens::gpu {

/// One thing the user may choose, declared once; the command line, the window, validation and help all derive from it.
struct Parameter {
    enum class Type { integer, real, flag, choice, text };
    using Value = std::variant<bool, std::int64_t, double, std::string>;

    std::string id{};     ///< the option's name without dashes: "output-type"
    std::string title{};  ///< in a form: "Output type"
    Type type = Type::integer;
    Value fallback{};                    ///< the default
    double minimum = 0, maximum = 0;   ///< inclusive; integer and real
    double step = 1;                   ///< of a spin box
    std::string unit{};                  ///< "px", "degrees" or empty
    std::vector<std::string> choices{};  ///< of a choice
    bool open = false;                 ///< a choice that takes other text as well, as a file's name
    std::string help{};                  ///< one sentence
    /// Shown only when parameter `onlyWhen` has one of `onlyWhenIn`; it is accepted always.
    std::string onlyWhen{};
    std::vector<std::string> onlyWhenIn{};
};

/// Values by parameter id; an absent id means the default.
using ParameterValues = std::map<std::string, Parameter::Value>;

/// The value of `id`, or its default. Throws Error(argument) when the family has no such parameter.
const Parameter::Value& valueOf(const std::vector<Parameter>& parameters, const ParameterValues& values,
                                const std::string& id);
std::int64_t integerOf(const std::vector<Parameter>&, const ParameterValues&, const std::string& id);
double realOf(const std::vector<Parameter>&, const ParameterValues&, const std::string& id);
bool flagOf(const std::vector<Parameter>&, const ParameterValues&, const std::string& id);
const std::string& textOf(const std::vector<Parameter>&, const ParameterValues&, const std::string& id);

/// Parses what a user typed. Throws Error(argument) that names the option, the text and what is allowed.
Parameter::Value parse(const Parameter& parameter, const std::string& text);
/// The shortest text that parse() turns into the same value.
std::string format(const Parameter::Value& value);
/// Throws Error(argument) for an unknown id, a wrong type or a value out of range.
void validate(const std::vector<Parameter>& parameters, const ParameterValues& values);

}  // namespace warplens::gpu
