// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/sweep_axis.hpp"

#include "gpu/core/error.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace warplens::gpu {

namespace {

constexpr std::array kTypes{"u8", "u16", "f32"};

bool varies(const Parameter& parameter) {
    return parameter.type != Parameter::Type::text && parameter.type != Parameter::Type::picture;
}

/// Of whichever kernel has it first; null where none has.
const Tunable* findTunable(const Family& family, const std::string& id) {
    for (const Variant& variant : family.variants())
        for (const Tunable& tunable : variant.tunables)
            if (tunable.id == id) return &tunable;
    return nullptr;
}

bool allows(const Family& family, const std::string& id, int value) {
    return std::ranges::any_of(family.variants(), [&](const Variant& variant) {
        const auto found = std::ranges::find(variant.tunables, id, &Tunable::id);
        if (found == variant.tunables.end()) return false;
        if (found->choices.empty()) return value >= found->minimum && value <= found->maximum;
        return std::ranges::find(found->choices, value) != found->choices.end();
    });
}

void add(std::vector<std::string>& values, std::string value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
}

/// What a few steps away from its default are.
std::vector<std::string> usual(const Parameter& parameter) {
    if (parameter.type == Parameter::Type::choice) return parameter.choices;
    if (parameter.type == Parameter::Type::flag) return {"false", "true"};
    std::vector<std::string> values;
    if (const auto* whole = std::get_if<std::int64_t>(&parameter.fallback)) {
        const auto least = static_cast<std::int64_t>(std::max(parameter.minimum, 1.0));
        const auto most = static_cast<std::int64_t>(parameter.maximum);
        for (const std::int64_t value : {least, *whole, *whole + 1, 2 * *whole, 4 * *whole})
            add(values, std::to_string(std::clamp(value, least, most)));
    } else {
        // A word such as auto stands beside numbers.
        if (parameter.type == Parameter::Type::real) values = parameter.choices;
        const auto* real = std::get_if<double>(&parameter.fallback);
        const double from = real != nullptr && *real > 0 ? *real : 1;
        for (const double factor : {0.5, 1.0, 2.0, 4.0})
            add(values, io::formatNumber(std::clamp(from * factor, parameter.minimum, parameter.maximum)));
    }
    return values;
}

std::vector<std::string> usual(const Tunable& tunable) {
    std::vector<std::string> values;
    for (const int choice : tunable.choices) values.push_back(std::to_string(choice));
    if (!values.empty()) return values;
    if (tunable.id.starts_with("block_")) return {"4", "8", "16", "32"};
    for (const int value : {tunable.fallback / 2, tunable.fallback, 2 * tunable.fallback, 4 * tunable.fallback})
        add(values, std::to_string(std::clamp(value, tunable.minimum, tunable.maximum)));
    return values;
}

[[noreturn]] void refuse(const std::string& axis, std::string_view item, const std::string& allowed) {
    throw Error(Error::Kind::argument, axis + ": " + io::inQuotes(item) + " is not possible: give " + allowed);
}

/// "1:7" and "1:7:2" as their numbers; nothing for what is no range.
std::vector<std::string> rangeOf(const std::string& axis, std::string_view item) {
    if (item.find(':') == std::string_view::npos) return {};
    const auto parts = io::split(item, ':');
    std::array<double, 3> numbers{0, 0, 1};
    bool good = parts.size() <= numbers.size();
    for (std::size_t i = 0; good && i < parts.size(); ++i) {
        const auto number = io::parseNumber<double>(parts[i]);
        good = number && std::isfinite(*number);
        if (good) numbers[i] = *number;
    }
    const auto& [first, last, step] = numbers;
    if (!good || step <= 0 || last < first) refuse(axis, item, "FIRST:LAST or FIRST:LAST:STEP, as in 1:7 or 0.5:2:0.5");
    // A last value that rounding lets pass by a hair is still meant.
    const double steps = std::floor((last - first) / step + 1e-9);
    if (steps >= static_cast<double>(kMostSweepValues))
        refuse(axis, item, "at most " + std::to_string(kMostSweepValues) + " values");
    std::vector<std::string> values;
    for (int i = 0; i <= static_cast<int>(steps); ++i) {
        // As people write it: 0.1 + 0.2 is 0.3.
        const double value = std::round((first + i * step) * 1e9) / 1e9;
        values.push_back(io::formatNumber(value));
    }
    return values;
}

/// Kind and one value, checked and in its one spelling.
class AxisReader {
public:
    AxisReader(const Family& family, const std::string& id) : m_family(family), m_id(id) {
        const auto& parameters = family.parameters();
        const auto found = std::ranges::find(parameters, id, &Parameter::id);
        if (found != parameters.end()) m_parameter = &*found;
        m_tunable = findTunable(family, id);
    }

    SweepAxis::Kind kind() const {
        if (m_id == "size") return SweepAxis::Kind::size;
        if (m_id == "type") return SweepAxis::Kind::type;
        if (m_parameter != nullptr && varies(*m_parameter)) return SweepAxis::Kind::parameter;
        if (m_tunable != nullptr) return SweepAxis::Kind::tunable;
        std::string there;
        for (const SweepAxis& axis : sweepAxes(m_family)) there += (there.empty() ? "" : ", ") + axis.id;
        const std::string what = m_parameter != nullptr ? " is a text or a picture, of which there are no steps"
                                                        : " is nothing that " + m_family.id() + " has";
        throw Error(Error::Kind::argument, "sweep: " + io::inQuotes(m_id) + what + ": vary one of " + there);
    }

    std::string value(const std::string& item) const {
        switch (kind()) {
            case SweepAxis::Kind::size: {
                const auto [width, height] = parseSize(m_id, item);
                return std::to_string(width) + "x" + std::to_string(height);
            }
            case SweepAxis::Kind::type:
                if (std::ranges::find(kTypes, item) == kTypes.end()) refuse(m_id, item, "u8, u16 or f32");
                return item;
            case SweepAxis::Kind::parameter: return format(parse(*m_parameter, item));
            case SweepAxis::Kind::tunable: break;
        }
        const auto number = io::parseNumber<int>(item);
        if (!number || !allows(m_family, m_id, *number)) {
            std::string allowed;
            for (const int choice : m_tunable->choices)
                allowed += (allowed.empty() ? "" : ", ") + std::to_string(choice);
            if (allowed.empty())
                allowed = "whole numbers from " + std::to_string(m_tunable->minimum) + " to " +
                          std::to_string(m_tunable->maximum);
            refuse(m_id, item, allowed);
        }
        return std::to_string(*number);
    }

private:
    const Family& m_family;
    std::string m_id;
    const Parameter* m_parameter = nullptr;
    const Tunable* m_tunable = nullptr;
};

}  // namespace

const char* nameOf(SweepAxis::Kind kind) {
    switch (kind) {
        case SweepAxis::Kind::parameter: return "parameter";
        case SweepAxis::Kind::tunable: return "tunable";
        case SweepAxis::Kind::size: return "size";
        case SweepAxis::Kind::type: return "type";
    }
    return "";
}

std::vector<SweepAxis> sweepAxes(const Family& family) {
    std::vector<SweepAxis> axes;
    for (const Variant& variant : family.variants())
        for (const Tunable& tunable : variant.tunables)
            if (std::ranges::find(axes, tunable.id, &SweepAxis::id) == axes.end())
                axes.push_back({SweepAxis::Kind::tunable, tunable.id, usual(tunable)});
    for (const Parameter& parameter : family.parameters())
        if (varies(parameter)) axes.push_back({SweepAxis::Kind::parameter, parameter.id, usual(parameter)});
    axes.push_back({SweepAxis::Kind::size, "size", {"256x256", "512x512", "1024x1024", "2048x2048"}});
    axes.push_back({SweepAxis::Kind::type, "type", {kTypes.begin(), kTypes.end()}});
    return axes;
}

SweepAxis parseSweepAxis(const Family& family, const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error(Error::Kind::argument,
                    "sweep: " + io::inQuotes(text) + ": give ID=VALUES, as in block_width=8,16,32 or radius=1:7");
    SweepAxis axis{.id = text.substr(0, equals)};
    const AxisReader reader(family, axis.id);
    axis.kind = reader.kind();
    std::string list = text.substr(equals + 1);
    std::erase(list, ' ');
    for (const std::string_view item : io::split(list, ',')) {
        const auto range = rangeOf(axis.id, item);
        if (range.empty()) add(axis.values, reader.value(std::string(item)));
        for (const std::string& value : range) add(axis.values, reader.value(value));
    }
    if (axis.values.size() > kMostSweepValues)
        throw Error(Error::Kind::argument, "sweep: " + axis.id + " has " + std::to_string(axis.values.size()) +
                                               " values: give at most " + std::to_string(kMostSweepValues));
    return axis;
}

std::string textOf(const SweepAxis& axis) {
    std::string text;
    for (const std::string& value : axis.values) text += (text.empty() ? axis.id + "=" : ",") + value;
    return text;
}

std::array<std::int64_t, 2> parseSize(const std::string& name, const std::string& text) {
    const auto extents = io::split(text, 'x');
    std::array<std::int64_t, 2> size{};
    bool good = extents.size() <= size.size();
    for (std::size_t i = 0; good && i < size.size(); ++i) {
        const auto extent = io::parseNumber<std::int64_t>(i < extents.size() ? extents[i] : extents.front());
        good = extent && *extent > 0;
        if (good) size[i] = *extent;
    }
    if (!good) refuse(name, text, "the side of a square or WIDTHxHEIGHT, as in 512 or 1024x768");
    return size;
}

}  // namespace warplens::gpu
