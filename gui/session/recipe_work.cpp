// SPDX-License-Identifier: Apache-2.0
#include "gui/session/recipe_work.hpp"

#include "gpu/core/error.hpp"
#include "io/read.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

namespace recipe = gpu::recipe;

std::shared_ptr<const io::Grid> readGrid(const std::string& name) {
    return std::make_shared<const io::Grid>(io::read(name));
}

}  // namespace

RecipeMade makeStep(gpu::Runner& runner, const recipe::Recipe& steps, std::size_t at, const gpu::Request& base,
                    std::vector<StepResult> known, const JobContext& context) {
    const recipe::Recipe before{{steps.steps.begin(), steps.steps.begin() + static_cast<std::ptrdiff_t>(at)}};
    std::string why;
    recipe::Hooks hooks{.read = readGrid};
    hooks.progress = [&](double fraction, const std::string& what) {
        context.progress(fraction, QString::fromStdString(what));
    };
    hooks.known = [&](std::size_t step) {
        return step < known.size() ? known[step].picture : std::shared_ptr<const io::Grid>();
    };
    const auto reach = [&](std::size_t step) {
        for (std::size_t i = known.size(); i <= step; ++i) known.push_back({.step = before.steps[i]});
    };
    hooks.ran = [&](std::size_t step) { return step < known.size() && known[step].ran(); };
    hooks.wanted = [&](std::size_t step) {
        if (at >= steps.steps.size()) return false;
        const recipe::Step& taker = steps.steps[at];
        const auto from = [&](const recipe::Source& source) {
            return recipe::stepMeant(steps, at, source) == static_cast<int>(step);
        };
        return from(taker.input) ||
               std::ranges::any_of(taker.pictures, [&](const auto& picture) { return from(picture.second); });
    };
    hooks.fused = [&](std::size_t first, std::size_t in) {
        reach(first);
        known[first].within = in;
    };
    hooks.done = [&](std::size_t step, const gpu::Comparison& comparison) {
        if (comparison.runs.empty()) return;
        const gpu::RunRecord& record = comparison.runs.front();
        reach(step);
        if (!record.time) why = record.id() + ": " + record.reason;
        known[step].take(record);
    };
    if (!recipe::stepsOn(before).empty()) {
        const recipe::Outcome outcome = recipe::run(runner, before, base, hooks, context.stop());
        if (outcome.interrupted) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
        if (outcome.failed != recipe::kNoStep)
            throw gpu::Error(gpu::Error::Kind::unsupported,
                             recipe::placeOf(static_cast<std::size_t>(outcome.failed)) + ", " + why);
    }
    const auto pictureOf = [&](const recipe::Source& source) -> std::shared_ptr<const io::Grid> {
        if (source.kind == recipe::Source::Kind::file) return readGrid(source.name);
        if (source.kind == recipe::Source::Kind::held) return source.held->grid;
        const int from = recipe::stepMeant(steps, at, source);
        if (from == recipe::kNoStep) return base.input;
        const auto step = static_cast<std::size_t>(from);
        if (step < known.size() && known[step].picture != nullptr) return known[step].picture;
        throw gpu::Error(gpu::Error::Kind::unsupported,
                         recipe::placeOf(step) + " makes no picture for the next one; keep it the last, or remove it");
    };
    RecipeMade made{base.device, known, {}, {}};
    const bool own = at < steps.steps.size();
    made.picture.grid = pictureOf(own ? steps.steps[at].input : recipe::Source());
    made.picture.thumbnail = thumbnailOf(*made.picture.grid);
    if (!own) return made;
    for (const auto& [id, source] : steps.steps[at].pictures)
        made.pictures[id] = source.kind == recipe::Source::Kind::held
                                ? source.held
                                : std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{
                                      source.name.empty() ? "picture of the recipe" : source.name, pictureOf(source)});
    return made;
}

RecipeMade timeStep(gpu::Runner& runner, const recipe::Recipe& steps, std::size_t at, const gpu::Request& base,
                    std::vector<StepResult> known, const JobContext& context) {
    known.resize(std::min(known.size(), at));
    RecipeMade made = makeStep(runner, steps, at, base, std::move(known), context);
    recipe::Recipe alone{{steps.steps[at]}};
    recipe::Step& step = alone.steps.front();
    step.on = true;
    step.input = {};
    for (auto& [id, source] : step.pictures) source = {recipe::Source::Kind::held, {}, made.pictures.at(id)};
    gpu::Request often = base;
    often.input = made.picture.grid;
    often.timing = gpu::TimingPolicy();
    StepResult timed{.step = steps.steps[at]};
    const recipe::Hooks hooks{.read = readGrid, .done = [&](std::size_t, const gpu::Comparison& comparison) {
                                  timed.take(comparison.runs.front());
                              }};
    recipe::run(runner, alone, often, hooks, context.stop());
    if (!timed.measured) throw gpu::Error(gpu::Error::Kind::cancelled, "Cancelled.");
    for (std::size_t i = made.steps.size(); i < at; ++i) made.steps.push_back({.step = steps.steps[i]});
    made.steps.resize(at);
    made.steps.push_back(timed);
    return made;
}

}  // namespace warplens::gui
