// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace warplens::gpu {

/// A picture as a parameter, with the name it was read from. Files are read above gpu.
struct NamedGrid {
    std::string name;
    std::shared_ptr<const io::Grid> grid;
};

/// One thing the user may choose, declared once; the command line, the window, validation and help all derive from it.
struct Parameter {
    enum class Type { integer, real, flag, choice, text, picture };
    /// A picture is null until one is chosen.
    using Value = std::variant<bool, std::int64_t, double, std::string, std::shared_ptr<const NamedGrid>>;

    std::string id{};     ///< the option's name without dashes: "output-type"
    std::string title{};  ///< in a form: "Output type"
    Type type = Type::integer;
    Value fallback{};                    ///< the default
    double minimum = 0, maximum = 0;     ///< inclusive; integer and real
    double step = 1;                     ///< of a spin box
    std::string unit{};                  ///< "px", "degrees" or empty
    std::vector<std::string> choices{};  ///< of a choice
    bool open = false;                   ///< a choice that takes other text as well, as a file's name
    std::string help{};                  ///< one sentence
    /// Shown only when parameter `onlyWhen` has one of `onlyWhenIn`; it is accepted always.
    std::string onlyWhen{};
    std::vector<std::string> onlyWhenIn{};
    bool advanced = false;  ///< most tasks leave it at its default: a form may fold it away
    /// What the default stands for with these values of the others, for display; null: for itself.
    Value (*follows)(const std::map<std::string, Value>&) = nullptr;
    /// How far a number may go with these values of the others, for a slider; null: to the maximum.
    double (*reaches)(const std::map<std::string, Value>&) = nullptr;
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

/// Null when no picture was given.
std::shared_ptr<const NamedGrid> pictureOf(const std::vector<Parameter>&, const ParameterValues&,
                                           const std::string& id);

/// Parses what a user typed; a picture's file is read by the caller, so that only no text is possible here. Throws
/// Error(argument) that names the option, the text and what is allowed.
Parameter::Value parse(const Parameter& parameter, const std::string& text);
/// The shortest text that parse() turns into the same value; of a picture its name.
std::string format(const Parameter::Value& value);
/// Throws Error(argument) for an unknown id, a wrong type or a value out of range.
void validate(const std::vector<Parameter>& parameters, const ParameterValues& values);

}  // namespace warplens::gpu
