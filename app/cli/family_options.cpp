// SPDX-License-Identifier: Apache-2.0
#include "app/cli/family_options.hpp"

#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/length.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warplens::cli {

namespace {

const char* placeholder(gpu::Parameter::Type type) {
    switch (type) {
        case gpu::Parameter::Type::integer: return "N";
        case gpu::Parameter::Type::real: return "X";
        case gpu::Parameter::Type::flag: return "";
        case gpu::Parameter::Type::choice: return "NAME";
        case gpu::Parameter::Type::text: return "TEXT";
        case gpu::Parameter::Type::picture: return "FILE";
    }
    return "";
}

/// What a custom choice consists of.
bool isCustom(const gpu::Parameter& parameter) {
    return parameter.type == gpu::Parameter::Type::text &&
           parameter.visibleWhenIn == std::vector<std::string>{"custom"};
}

/// Nothing that was given is left aside in silence.
void checkEffects(const std::vector<gpu::Parameter>& parameters, const gpu::ParameterValues& values) {
    if (const auto idle = gpu::withoutEffect(parameters, values))
        throw ArgumentError("--" + idle->parameter + ": has no effect with --" + idle->owner + " " + idle->ownersValue +
                            ": leave it out, or give --" + idle->owner + " " + idle->fitting);
}

/// What a custom choice consists of was given with it: nobody means its default.
void checkCustom(const std::vector<gpu::Parameter>& parameters, const gpu::ParameterValues& values) {
    for (const gpu::Parameter& parameter : parameters) {
        if (!isCustom(parameter) || values.contains(parameter.id)) continue;
        const auto choice = values.find(parameter.visibleWhen);
        if (choice == values.end() || gpu::format(choice->second) != parameter.visibleWhenIn.front()) continue;
        throw ArgumentError("--" + parameter.visibleWhen + " custom: give --" + parameter.id +
                            " with it; see warplens-cli list parameters");
    }
}

}  // namespace

std::string describe(const gpu::Parameter& parameter) {
    const std::string unit = parameter.unit.empty() ? "" : " " + parameter.unit;
    const std::string fallback = "default " + gpu::format(parameter.fallback);
    switch (parameter.type) {
        case gpu::Parameter::Type::integer:
        case gpu::Parameter::Type::real:
            return fmt::format("{} {} to {}{}{}, {}",
                               parameter.type == gpu::Parameter::Type::integer ? "integer" : "number",
                               parameter.minimum, parameter.maximum, unit,
                               parameter.choices.empty() ? "" : " or " + gpu::anyOf(parameter.choices), fallback);
        case gpu::Parameter::Type::choice:
            return fmt::format("{}{}, {}", fmt::join(parameter.choices, "|"), parameter.open ? "|FILE" : "", fallback);
        case gpu::Parameter::Type::flag: return "flag, off unless given";
        case gpu::Parameter::Type::text: return fallback;
        case gpu::Parameter::Type::picture: return "a picture, none unless given";
    }
    return fallback;
}

FamilyOptions::FamilyOptions(CLI::App& command) {
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Parameter& parameter : family->parameters()) {
            if (m_options.count(parameter.id) != 0) continue;
            const std::string name = "--" + parameter.id;
            const std::string help = fmt::format("{} [{}]", parameter.help, describe(parameter));
            std::string& text = m_texts[parameter.id];
            CLI::Option* option = parameter.type == gpu::Parameter::Type::flag ? command.add_flag(name, text, help)
                                                                               : command.add_option(name, text, help);
            if (parameter.type == gpu::Parameter::Type::picture)
                namesFile(option);
            else if (parameter.type != gpu::Parameter::Type::flag)
                option->type_name(placeholder(parameter.type));
            option->group(family->title());
            m_options[parameter.id] = option;
        }
    }
}

gpu::ParameterValues FamilyOptions::valuesFor(const gpu::Family& family, const ReadChoices& choices,
                                              bool lengths) const {
    gpu::ParameterValues values;
    for (const auto& [id, option] : m_options) {
        if (option->count() == 0) continue;
        const auto& parameters = family.parameters();
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&id = id](const gpu::Parameter& parameter) { return parameter.id == id; });
        if (found == parameters.end()) {
            throw ArgumentError("--" + id + ": " + family.id() +
                                " has no such parameter; see warplens-cli list parameters");
        }
        const std::string& text = m_texts.at(id);
        if (found->type == gpu::Parameter::Type::picture) {
            const auto grid = std::make_shared<const io::Grid>(choices.readParameter(text));
            values[id] = std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{text, grid});
        } else if (lengths && gpu::isLength(*found) && gpu::millimetresOf(text)) {
            values[id] = found->fallback;
        } else {
            values[id] = gpu::parse(*found, text);
        }
    }
    gpu::validate(family.parameters(), values);
    checkEffects(family.parameters(), values);
    checkCustom(family.parameters(), values);
    return values;
}

std::vector<std::string> FamilyOptions::toPixels(const gpu::Family& family, const io::Grid& picture,
                                                 gpu::ParameterValues& values) const {
    std::vector<std::string> said;
    for (const gpu::Parameter& parameter : family.parameters()) {
        const auto text = m_texts.find(parameter.id);
        if (text == m_texts.end() || m_options.at(parameter.id)->count() == 0 || !gpu::isLength(parameter)) continue;
        const auto mm = gpu::millimetresOf(text->second);
        if (!mm) continue;
        const std::string given = parameter.id + " " + text->second;
        const gpu::PixelLength pixel = gpu::pixelLength(family.parameters(), values, picture);
        if (!pixel.why.empty()) throw ArgumentError("--" + given + ": " + pixel.why + ": give it without a unit");
        const double exact = *mm / pixel.mm;
        const gpu::Parameter::Value value = gpu::inPixels(parameter, *mm, pixel.mm);
        try {
            gpu::validate(family.parameters(), {{parameter.id, value}});
        } catch (const gpu::Error& error) {
            throw ArgumentError(fmt::format("--{}: {:.4g} pixels: {}", given, exact, error.what()));
        }
        values[parameter.id] = value;
        const bool rounded = parameter.type == gpu::Parameter::Type::integer;
        said.push_back(fmt::format("{} is {:.4g} pixels{}", given, exact,
                                   rounded ? ": " + gpu::format(value) + " taken" : std::string()));
    }
    return said;
}

std::string FamilyOptions::firstGiven() const {
    const auto given = std::ranges::find_if(m_options, [](const auto& option) { return option.second->count() > 0; });
    return given == m_options.end() ? std::string() : given->first;
}

void FamilyOptions::addFiles(const gpu::Family& family, CallFiles& files) const {
    for (const gpu::Parameter& parameter : family.parameters()) {
        const auto option = m_options.find(parameter.id);
        if (option == m_options.end() || option->second->count() == 0) continue;
        const std::string& text = m_texts.at(parameter.id);
        const auto& choices = parameter.choices;
        const bool other = parameter.open && std::find(choices.begin(), choices.end(), text) == choices.end();
        if (parameter.type == gpu::Parameter::Type::picture)
            files.reads(text);
        else if (other)
            files.readsFile(text);
    }
}

}  // namespace warplens::cli
