// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/length.hpp"

#include "gpu/core/parameter_effects.hpp"
#include "io/in_space.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace warplens::gpu {
namespace {

/// Finer than this, lengths are µm rather than mm.
constexpr double kFinestMm = 0.1;
/// Of the larger spacing: what files round away.
constexpr double kSame = 1e-4;
constexpr const char* kMillimetres = "mm";
constexpr const char* kFile = "file";

constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
    {{"nm", 1e-6}, {"um", 1e-3}, {"\u00b5m", 1e-3}, {"\u03bcm", 1e-3}, {kMillimetres, 1}, {"cm", 10}}};

/// The choice by which a family takes the spacing itself, in mm; null: it has none.
const Parameter* spacingChoice(const std::vector<Parameter>& parameters) {
    const auto found = std::ranges::find_if(parameters, [](const Parameter& p) {
        return p.type == Parameter::Type::choice && std::ranges::find(p.choices, kMillimetres) != p.choices.end();
    });
    return found == parameters.end() ? nullptr : &*found;
}

/// Whether it has an effect with these values, and lengths are mm by it.
bool takesMillimetres(const Parameter& choice, const std::vector<Parameter>& parameters,
                      const ParameterValues& values) {
    return format(valueOf(parameters, values, choice.id)) == kMillimetres && !leftAside(choice, parameters, values);
}

/// Whether steps are as long as the file has them, and lengths pixels of the finest axis.
bool followsFile(const std::vector<Parameter>& parameters, const ParameterValues& values) {
    return std::ranges::any_of(parameters, [&](const Parameter& p) {
        return std::ranges::find(p.choices, kFile) != p.choices.end() &&
               format(valueOf(parameters, values, p.id)) == kFile;
    });
}

bool worksAlongZ(const std::vector<Parameter>& parameters, const ParameterValues& values) {
    const Parameter* dimensions = findRole(parameters, Parameter::Role::dimensions);
    return dimensions != nullptr && format(valueOf(parameters, values, dimensions->id)) != "2";
}

}  // namespace

LengthUnit lengthUnitOf(const io::Grid& picture) {
    if (!io::hasGeometry(picture.geometry)) return {};
    const auto& mm = picture.geometry.spacing;
    const double finest = std::min({mm[0], mm[1], picture.shape().depth > 1 ? mm[2] : mm[0]});
    return finest < kFinestMm ? LengthUnit{"µm", 1e-3} : LengthUnit{kMillimetres, 1};
}

bool isLength(const Parameter& parameter) {
    return parameter.unit == "px" &&
           (parameter.type == Parameter::Type::integer || parameter.type == Parameter::Type::real);
}

std::optional<double> millimetresOf(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    const auto found = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
    return found == kUnits.end() ? std::nullopt : std::optional(number * found->second);
}

PixelLength pixelLength(const std::vector<Parameter>& parameters, const ParameterValues& values,
                        const io::Grid& picture) {
    if (!io::hasGeometry(picture.geometry)) return {.why = "the file has no pixel size"};
    const Parameter* own = spacingChoice(parameters);
    if (own != nullptr && takesMillimetres(*own, parameters, values))
        return {.why = own->id + " " + kMillimetres + " says what plain numbers mean"};
    const auto& mm = picture.geometry.spacing;
    const bool volume = picture.shape().depth > 1 && worksAlongZ(parameters, values);
    const auto [least, most] = std::minmax({mm[0], mm[1], volume ? mm[2] : mm[0]});
    if (!(least > 0) || !std::isfinite(most)) return {.why = "the file's pixel size is no length"};
    if (followsFile(parameters, values)) return {.mm = least};
    if (most - least > kSame * most) {
        const std::string sizes = format(mm[0]) + " x " + format(mm[1]) + (volume ? " x " + format(mm[2]) : ""),
                          hint = own == nullptr ? "" : " unless " + own->id + " is " + kMillimetres;
        return {.why = "a pixel is " + sizes + " mm, and one number stands for all axes" + hint};
    }
    return {.mm = mm[0]};
}

Parameter::Value inPixels(const Parameter& parameter, double mm, double pixelMm) {
    const double pixels = mm / pixelMm;
    constexpr double kMost = 1e9;  // beyond every parameter's range, and no overflow
    if (parameter.type == Parameter::Type::real) return pixels;
    return static_cast<std::int64_t>(std::llround(std::clamp(pixels, -kMost, kMost)));
}

}  // namespace warplens::gpu
