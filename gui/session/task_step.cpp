// SPDX-License-Identifier: Apache-2.0
#include "gui/session/task_step.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/recipe/file.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/request_state.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr int kMostLetters = 24;

gpu::recipe::Source sourceOf(const std::shared_ptr<const gpu::NamedGrid>& named) {
    using Kind = gpu::recipe::Source::Kind;
    if (named->name == kPaintedMask) return {Kind::held, {}, named};
    return {Kind::file, named->name, {}};
}

}  // namespace

gpu::recipe::Step stepOf(const RequestState& request) {
    const ParameterState& parameters = request.parameters();
    gpu::recipe::Step step;
    step.family = parameters.family()->id();
    step.variant = request.current();
    for (const auto& [id, value] : parameters.shaping()) {
        if (parameters.isDefault(id)) continue;
        const auto* named = std::get_if<std::shared_ptr<const gpu::NamedGrid>>(&value);
        if (named == nullptr)
            step.parameters[id] = value;
        else if (*named != nullptr)
            step.pictures[id] = sourceOf(*named);
    }
    return step;
}

bool isItsStep(const RequestState& request, const RecipePlace& place) {
    return !place.behindLast() && request.parameters().family() != nullptr &&
           place.recipe.steps[place.at].family == request.parameters().family()->id();
}

gpu::recipe::Recipe recipeToHere(const RequestState& request, const RecipePlace& place) {
    gpu::recipe::Recipe recipe = place.recipe;
    const bool its = isItsStep(request, place);
    recipe.steps.resize(std::min(recipe.steps.size(), place.at + (its ? 1 : 0)));
    if (its)
        recipe.steps.back().on = true;  // its result is what is looked at
    else
        recipe.steps.push_back(stepOf(request));
    return recipe;
}

QString titleOf(const gpu::recipe::Step& step) {
    const gpu::Family* family = gpu::findFamily(step.family);
    return QString::fromStdString(family == nullptr ? step.family : family->title());
}

QString valuesOf(const gpu::recipe::Step& step) {
    const gpu::Family* family = gpu::findFamily(step.family);
    QStringList words;
    if (family == nullptr) return {};
    for (const gpu::Parameter& parameter : family->parameters()) {
        const QString title = QString::fromStdString(parameter.title).toLower();
        const auto value = step.parameters.find(parameter.id);
        if (value == step.parameters.end()) continue;
        const QString text = QString::fromStdString(gpu::format(value->second)).left(kMostLetters);
        words << (parameter.type == gpu::Parameter::Type::choice ? text : title + ' ' + text);
    }
    for (const auto& [id, source] : step.pictures)
        words << (source.kind == gpu::recipe::Source::Kind::step
                      ? QCoreApplication::translate("RecipeStrip", "%1 from %2")
                            .arg(QString::fromStdString(id), QString::fromStdString(source.name))
                      : QCoreApplication::translate("RecipeStrip", "with %1").arg(QString::fromStdString(id)));
    return words.join(QStringLiteral(", "));
}

QString recipeCommand(const RequestState& request, const RecipePlace& place) {
    const Document::State& origin = place.origin;
    if (origin.derived) return {};
    const gpu::recipe::Recipe steps = recipeToHere(request, place);
    QString given = place.file;
    if (given.isEmpty() || steps != place.recipe) {
        try {
            given = QString::fromStdString(gpu::recipe::toJson(steps, {}, true));
        } catch (const gpu::Error&) {
            return {};  // a painted mask
        }
    }
    return recipeLine(origin.input, origin.choice, given, request.devices().id());
}

}  // namespace warplens::gui
