// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/parameter.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace warplens::gpu {
namespace {

[[noreturn]] void refuse(const Parameter& parameter, const std::string& text, const std::string& allowed) {
    throw Error(Error::Kind::argument,
                parameter.id + ": '" + text.substr(0, 60) + "' is not possible: give " + allowed);
}

std::string listOf(const std::vector<std::string>& choices) {
    std::string text;
    for (const auto& choice : choices) text += (text.empty() ? "" : ", ") + choice;
    return text;
}

std::string rangeOf(const Parameter& p) {
    return (p.type == Parameter::Type::integer ? "a whole number from " : "a number from ") +
           format(Parameter::Value(p.minimum)) + " to " + format(Parameter::Value(p.maximum)) +
           (p.choices.empty() ? "" : ", or " + listOf(p.choices));
}

/// Whether it is one of the words: those of a choice, or those that a number may be instead.
bool isChoice(const Parameter& p, const Parameter::Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && std::find(p.choices.begin(), p.choices.end(), *text) != p.choices.end();
}

const Parameter& parameterOf(const std::vector<Parameter>& parameters, const std::string& id) {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.id == id; });
    if (found == parameters.end())
        throw Error(Error::Kind::argument, "no parameter '" + id + "': see 'list parameters'");
    return *found;
}

void check(const Parameter& p, const Parameter::Value& value) {
    const auto inRange = [&](double v) { return v >= p.minimum && v <= p.maximum; };
    switch (p.type) {
        case Parameter::Type::integer:
            if (!std::holds_alternative<std::int64_t>(value) ||
                !inRange(static_cast<double>(std::get<std::int64_t>(value)))) {
                refuse(p, format(value), rangeOf(p));
            }
            break;
        case Parameter::Type::real:
            if (!isChoice(p, value) && (!std::holds_alternative<double>(value) || !inRange(std::get<double>(value))))
                refuse(p, format(value), rangeOf(p));
            break;
        case Parameter::Type::flag:
            if (!std::holds_alternative<bool>(value)) refuse(p, format(value), "true or false");
            break;
        case Parameter::Type::choice:
            if (!isChoice(p, value) && !(p.open && std::holds_alternative<std::string>(value)))
                refuse(p, format(value), "one of " + listOf(p.choices));
            break;
        case Parameter::Type::text:
            if (!std::holds_alternative<std::string>(value)) refuse(p, format(value), "text");
            break;
        case Parameter::Type::picture:
            if (!std::holds_alternative<std::shared_ptr<const NamedGrid>>(value)) refuse(p, format(value), "a picture");
            break;
    }
}

}  // namespace

const Parameter* findRole(const std::vector<Parameter>& parameters, Parameter::Role role) {
    const auto found = std::ranges::find(parameters, role, &Parameter::role);
    return found == parameters.end() ? nullptr : &*found;
}

const Parameter::Value& valueOf(const std::vector<Parameter>& parameters, const ParameterValues& values,
                                const std::string& id) {
    const Parameter& parameter = parameterOf(parameters, id);
    const auto found = values.find(id);
    return found == values.end() ? parameter.fallback : found->second;
}

std::int64_t integerOf(const std::vector<Parameter>& p, const ParameterValues& v, const std::string& id) {
    return std::get<std::int64_t>(valueOf(p, v, id));
}
double realOf(const std::vector<Parameter>& p, const ParameterValues& v, const std::string& id) {
    return std::get<double>(valueOf(p, v, id));
}
bool flagOf(const std::vector<Parameter>& p, const ParameterValues& v, const std::string& id) {
    return std::get<bool>(valueOf(p, v, id));
}
const std::string& textOf(const std::vector<Parameter>& p, const ParameterValues& v, const std::string& id) {
    return std::get<std::string>(valueOf(p, v, id));
}

std::shared_ptr<const NamedGrid> pictureOf(const std::vector<Parameter>& p, const ParameterValues& v,
                                           const std::string& id) {
    return std::get<std::shared_ptr<const NamedGrid>>(valueOf(p, v, id));
}

Parameter::Value parse(const Parameter& p, const std::string& text) {
    Parameter::Value value;
    switch (p.type) {
        case Parameter::Type::integer: {
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error != std::errc() || end != text.data() + text.size()) refuse(p, text, rangeOf(p));
            value = number;
            break;
        }
        case Parameter::Type::real: {
            if (isChoice(p, text)) {
                value = text;
                break;
            }
            double number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
                refuse(p, text, rangeOf(p));
            value = number;
            break;
        }
        case Parameter::Type::flag:
            if (text == "true" || text == "1" || text == "yes" || text == "on")
                value = true;
            else if (text == "false" || text == "0" || text == "no" || text == "off")
                value = false;
            else
                refuse(p, text, "true or false");
            break;
        case Parameter::Type::choice:
        case Parameter::Type::text: value = text; break;
        case Parameter::Type::picture:
            if (!text.empty()) refuse(p, text, "a picture that has been read");
            value = std::shared_ptr<const NamedGrid>();
            break;
    }
    check(p, value);
    return value;
}

std::string format(const Parameter::Value& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* picture = std::get_if<std::shared_ptr<const NamedGrid>>(&value)) {
        return *picture == nullptr ? std::string() : (*picture)->name;
    }
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::get<double>(value)).ptr;
    return {buffer, end};
}

void validate(const std::vector<Parameter>& parameters, const ParameterValues& values) {
    for (const auto& [id, value] : values) check(parameterOf(parameters, id), value);
}

}  // namespace warplens::gpu
