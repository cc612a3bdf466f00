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
    /// What it means to those who do not know the family; at most one parameter of a family has each.
    enum class Role {
        none,
        level,           ///< a real, or text where the picture says it (separating_level.hpp): what is above is inside
        connectivity,    ///< "4", "8", "6", "26", or "all" of a picture's or a volume's neighbours
        seeds,           ///< text "x,y;x,y", in volumes "x,y,z"
        valueTolerance,  ///< a real: how far a value may be from a seed's
        iterations,      ///< an integer: the steps of an iteration
        stopTolerance,   ///< a real: an iteration stops below it
        residualInterval,  ///< an integer: steps from one residual to the next
        dimensions,        ///< "2": a volume goes slice by slice
        alpha,             ///< "keep": the fourth channel is copied
        outputType,        ///< "same", "f32" or what the family makes of them
        mask,              ///< a picture: where it is above 0
        valueRange,        ///< text "LO,HI"
        box,               ///< text "X,Y,W,H" or "X,Y,Z,W,H,D" of the picture
        otherPicture,      ///< a picture to compare with
        filter             ///< a choice that stands in titles beside the family
    };

    std::string id{};     ///< the option's name without dashes: "output-type"
    std::string title{};  ///< in a form: "Output type"
    Role role = Role::none;
    Type type = Type::integer;
    Value fallback{};                    ///< the default
    double minimum = 0, maximum = 0;     ///< inclusive; integer and real
    double step = 1;                     ///< of a spin box
    std::string unit{};                  ///< "px", "degrees" or empty
    std::vector<std::string> choices{};  ///< of a choice
    bool open = false;                   ///< a choice that takes other text as well, as a file's name
    std::string help{};                  ///< one sentence
    std::string example{};               ///< of a text: what may stand there
    /// Shown only when parameter `visibleWhen` has one of `visibleWhenIn`; it is accepted always.
    std::string visibleWhen{};
    std::vector<std::string> visibleWhenIn{};
    bool advanced = false;  ///< most tasks leave it at its default: a form may fold it away
    /// What the default stands for with these values of the others, for display; null: for itself.
    Value (*follows)(const std::map<std::string, Value>&) = nullptr;
    /// How far a number may go with these values of the others, for a slider; null: to the maximum.
    double (*reaches)(const std::map<std::string, Value>&) = nullptr;
};

/// Values by parameter id; an absent id means the default.
using ParameterValues = std::map<std::string, Parameter::Value>;

/// Null when none of them has that role.
const Parameter* findRole(const std::vector<Parameter>& parameters, Parameter::Role role);

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
