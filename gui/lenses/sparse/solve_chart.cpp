// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/solve_chart.hpp"

#include "gui/kit/form.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kBefore = 0.5;  // where no product was taken, on a log scale
constexpr int kMostDots = 48, kMostPowers = 8;

gpu::Idea ideaOf(const std::string& solver) {
    return solver == "jacobi" ? gpu::Idea::plain : solver == "cg" ? gpu::Idea::cache : gpu::Idea::registers;
}

QString titleOf(const std::string& solver) {
    return solver == "jacobi" ? QStringLiteral("Jacobi")
           : solver == "cg"   ? QStringLiteral("CG")
                              : SolveChart::tr("multigrid");
}

QString power(double value) {
    const auto exponent = std::lround(std::log10(value));
    return exponent == 0 ? QStringLiteral("1") : QStringLiteral("1e") + QChar(0x2212) + QString::number(-exponent);
}

QString spokenOf(const std::map<std::string, SolveCurve>& curves) {
    QStringList all;
    for (const auto& [solver, curve] : curves) {
        const SolveCurve::Point& last = curve.points.back();
        all << SolveChart::tr(
                   "%1: %2 of the first residual after %3 products, %4 "
                   "steps (counted)")
                   .arg(titleOf(solver), format::brief(last.left), format::integer(last.products),
                        format::integer(last.step));
    }
    return all.isEmpty() ? SolveChart::tr("No solver has run.") : all.join(u'\n');
}

}  // namespace

SolveChart::SolveChart(QWidget* parent) : PlotView(parent) {
    setWidgetText(this, {.id = "solve-curves", .name = tr("Residual over products with the matrix")});
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setCurves({}, {}, std::nullopt);
}

// Type grows with a projector, and what is written around the curves with it.
QPointF SolveChart::valueOf(const SolveCurve::Point& point) {
    return {static_cast<double>(point.products), std::max(0.0, point.left)};
}

void SolveChart::setCurves(const std::map<std::string, SolveCurve>& curves, const std::string& solver,
                           std::optional<std::int64_t> at) {
    m_curves = curves;
    m_steps.clear();
    PlotData plot{.empty = tr("No solver has run for this task."),
                  .axesWhenEmpty = true,
                  .legend = LegendPlace::beside,
                  .pointer = Pointer::ring};
    plot.ground = true;
    plot.left = Length(52);
    plot.top = Length(12);
    plot.right = Length(74);
    double most = 10, least = 1e-3;
    int shown = -1;
    for (const auto& [name, curve] : m_curves) {
        LineMark line{.name = titleOf(name), .ink = ideaOf(name)};
        plot.choices.lineStarts.push_back(static_cast<int>(m_steps.size()));
        for (const SolveCurve::Point& point : curve.points) {
            line.at << valueOf(point);
            most = std::max(most, static_cast<double>(point.products));
            if (point.left > 0) least = std::min(least, point.left);
            // A picture is made by a step.
            if (point.step == 0 && curve.points.size() > 1) continue;
            if (name == solver && (!at || shown < 0 || m_steps[static_cast<std::size_t>(shown)].point.step < *at))
                shown = static_cast<int>(m_steps.size());
            m_steps.push_back({name, point});
            plot.choices.at << valueOf(point);
        }
        PointMark dots{.name = line.name, .at = line.at, .idea = ideaOf(name), .size = 10};
        const bool few = line.at.size() <= kMostDots;
        plot.marks.emplace_back(std::move(line));
        if (few) plot.marks.emplace_back(std::move(dots));
    }
    const int decades = std::clamp(static_cast<int>(std::ceil(-std::log10(least) - 1e-9)), 1, kMostPowers);
    plot.x = {.kind = ScaleKind::logarithmic,
              .low = kBefore,
              .high = most,
              .title = tr("products with the matrix, log scale"),
              .shortTitle = tr("products, log scale"),
              .powers = true,
              .grid = true,
              .text = wholeNumber};
    plot.y = {.kind = ScaleKind::logarithmic,
              .low = std::pow(10.0, -decades),
              .high = 1,
              .apart = 18,
              .powers = true,
              .grid = true,
              .text = power};
    plot.choices.by = PlotChoices::By::point;
    plot.choices.spoken = [this](int choice) {
        const auto& [of, point] = m_steps[static_cast<std::size_t>(choice)];
        return tr("%1, step %2, %3 products: %4 of the first residual (counted)")
            .arg(titleOf(of), format::integer(point.step), format::integer(point.products), format::brief(point.left));
    };
    plot.tip =
        tr("The residual, relative to the first. A click shows the "
           "picture at that step.");
    plot.spoken = spokenOf(m_curves);
    setPlot(std::move(plot));
    setChosen(shown);
}

QPointF SolveChart::pointAt(const std::string& solver, std::size_t point) const {
    return places().place(valueOf(m_curves.at(solver).points.at(point)));
}

void SolveChart::pick(int choice) {
    const auto& [solver, point] = m_steps[static_cast<std::size_t>(choice)];
    emit stepChosen(std::string(solver), point.step);
}

}  // namespace warplens::gui
