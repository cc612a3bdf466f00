// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe/recipe.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"

#include <algorithm>
#include <iterator>

namespace warplens::gpu::recipe {
namespace {

[[noreturn]] void refuse(std::size_t step, const std::string& what) {
    throw Error(Error::Kind::argument, placeOf(step) + ": " + what);
}

void checkSource(const Recipe& recipe, std::size_t step, const std::string& field, const Source& source) {
    if (source.kind != Source::Kind::step) return;
    const int meant = stepMeant(recipe, step, source);
    if (meant == kNoStep)
        refuse(step,
               field + ": no earlier step is called '" + source.name + "': name one, or move this step behind it");
    if (!recipe.steps[static_cast<std::size_t>(meant)].on)
        refuse(step, field + ": " + placeOf(static_cast<std::size_t>(meant)) + " ('" + source.name +
                         "') is switched off: switch it on, or this step off");
}

void checkPictures(const Recipe& recipe, std::size_t at, const Family& family) {
    const Step& step = recipe.steps[at];
    for (const auto& [id, source] : step.pictures) {
        const auto parameter = std::ranges::find(family.parameters(), id, &Parameter::id);
        if (parameter == family.parameters().end()) refuse(at, "no parameter '" + id + "': see 'list parameters'");
        if (parameter->type != Parameter::Type::picture) refuse(at, id + ": takes no picture: give a value");
        if (step.on) checkSource(recipe, at, id, source);
    }
    if (step.on) checkSource(recipe, at, "input", step.input);
}

/// Nothing that was given is left aside in silence.
void checkEffects(const Step& step, std::size_t at, const Family& family) {
    ParameterValues given = step.parameters;
    for (const auto& [id, source] : step.pictures) given[id] = std::shared_ptr<const NamedGrid>();
    if (const auto idle = withoutEffect(family.parameters(), given))
        refuse(at, idle->parameter + ": has no effect with " + idle->owner + " " + idle->ownersValue +
                       ": leave it out, or give " + idle->owner + " " + idle->fitting);
}

}  // namespace

std::string placeOf(std::size_t step) { return "step " + std::to_string(step + 1); }

std::vector<std::size_t> stepsOn(const Recipe& recipe) {
    std::vector<std::size_t> on;
    for (std::size_t i = 0; i < recipe.steps.size(); ++i)
        if (recipe.steps[i].on) on.push_back(i);
    return on;
}

const Step& lastOf(const Recipe& recipe) {
    const auto on = stepsOn(recipe);
    if (on.empty()) throw Error(Error::Kind::argument, "no step is switched on: switch one on");
    return recipe.steps[on.back()];
}

int stepMeant(const Recipe& recipe, std::size_t step, const Source& source) {
    for (std::size_t i = step; i-- > 0;) {
        const Step& earlier = recipe.steps[i];
        const bool meant = source.kind == Source::Kind::previous
                               ? earlier.on
                               : source.kind == Source::Kind::step && earlier.name == source.name;
        if (meant) return static_cast<int>(i);
    }
    return kNoStep;
}

void check(const Recipe& recipe) {
    for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
        const Step& step = recipe.steps[i];
        try {
            const Family& family = familyOf(step.family);
            validate(family.parameters(), step.parameters);
            if (step.variant != kAuto) parseRunSpec(family, step.variant);
        } catch (const Error& error) {
            refuse(i, error.what());
        }
        checkPictures(recipe, i, familyOf(step.family));
        checkEffects(step, i, familyOf(step.family));
        const auto same = std::ranges::find(recipe.steps.begin(), recipe.steps.begin() + static_cast<std::ptrdiff_t>(i),
                                            step.name, &Step::name);
        const auto before = static_cast<std::size_t>(std::distance(recipe.steps.begin(), same));
        if (!step.name.empty() && before < i)
            refuse(i, "name: " + placeOf(before) + " is called '" + step.name + "' too: give another name");
    }
}

}  // namespace warplens::gpu::recipe
