// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/evolution.hpp"

#include <utility>

namespace warplens::gpu {

Tables tablesOf(const ConvergenceHistory& evolution) {
    Table steps{.id = "steps", .title = "Steps", .columns = {}};
    steps.columns.push_back({.id = "done", .title = "Done", .values = Column::Integers{evolution.iterations}});
    steps.columns.push_back({.id = "stopped", .title = "Stopped by", .values = Column::Texts{evolution.stopped}});
    Column::Integers iterations;
    Column::Reals values;
    for (const ResidualPoint& point : evolution.residuals) {
        iterations.push_back(point.iteration);
        values.push_back(point.value);
    }
    Table residuals{.id = "residuals", .title = "Residuals", .columns = {}};
    residuals.columns.push_back({.id = "iteration", .title = "Iteration", .values = std::move(iterations)});
    residuals.columns.push_back(evolution.measure == ConvergenceHistory::Measure::residual
                                    ? Column{.id = "residual", .title = "Residual, of the first"}
                                    : Column{.id = "max_change", .title = "Largest change"});
    residuals.columns.back().values = std::move(values);
    return {std::make_shared<const Table>(std::move(residuals)), std::make_shared<const Table>(std::move(steps))};
}

std::optional<ConvergenceHistory> evolutionOf(const Tables& tables) {
    const Table* steps = findTable(tables, "steps");
    const Table* residuals = findTable(tables, "residuals");
    if (steps == nullptr || residuals == nullptr || steps->rows() == 0) return std::nullopt;
    const auto* done = steps->values<Column::Integers>("done");
    const auto* stopped = steps->values<Column::Texts>("stopped");
    const auto* iterations = residuals->values<Column::Integers>("iteration");
    const auto* changes = residuals->values<Column::Reals>("max_change");
    const auto* values = changes != nullptr ? changes : residuals->values<Column::Reals>("residual");
    if (!done || !stopped || !iterations || !values) return std::nullopt;
    ConvergenceHistory evolution{
        .iterations = done->front(),
        .stopped = stopped->front(),
        .residuals = {},
        .measure = changes != nullptr ? ConvergenceHistory::Measure::change : ConvergenceHistory::Measure::residual};
    for (std::size_t i = 0; i < iterations->size(); ++i)
        evolution.residuals.push_back({(*iterations)[i], (*values)[i]});
    return evolution;
}

}  // namespace warplens::gpu
