// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/residual_chart.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kMostDecades = 12;  // further down a change says nothing in single precision

/// 0.01, 100, 1e−7.
QString powerOfTen(double value) {
    const auto exponent = static_cast<int>(std::lround(std::log10(value)));
    if (exponent >= -4 && exponent <= 0) return QString::number(std::pow(10.0, exponent), 'f', -exponent);
    if (exponent > 0 && exponent <= 5) return wholeNumber(std::pow(10.0, exponent));
    return QStringLiteral("1e%1").arg(exponent).replace(u'-', QChar(0x2212));
}

/// Up to the end of the axis; the changes widen `least` and `most`.
LineMark lineOf(const std::vector<ResidualPoint>& points, std::int64_t steps, double& least, double& most) {
    LineMark line;
    for (const ResidualPoint& point : points) {
        if (point.step <= steps) line.at << QPointF(static_cast<double>(point.step), point.change);
        if (!std::isfinite(point.change) || point.change <= 0) continue;
        least = std::min(least, point.change);
        most = std::max(most, point.change);
    }
    return line;
}

}  // namespace

ResidualChart::ResidualChart(QWidget* parent) : PlotView(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Residual over the steps"));
    setCurves({}, {}, 0, 0);
}

void ResidualChart::setCurves(const std::vector<ResidualPoint>& now, const std::vector<ResidualPoint>& earlier,
                              std::int64_t steps, std::int64_t at) {
    steps = std::max<std::int64_t>({1, steps, at});
    double least = std::numeric_limits<double>::infinity(), most = 0;
    LineMark before = lineOf(earlier, steps, least, most), line = lineOf(now, steps, least, most);
    before.name = tr("earlier run");
    before.ink = Role::text3;
    before.width = 1.5;
    before.dashes = {4 / 1.5, 3 / 1.5};
    line.name = tr("this run");
    const double top = most > 0 ? std::ceil(std::log10(most)) : 0;
    const double bottom = most > 0 ? std::max(std::floor(std::log10(least)), top - kMostDecades) : -1;
    PlotData plot{.axesWhenEmpty = true, .pointer = Pointer::rule, .pointerText = format::brief};
    plot.left = Length(52);
    plot.right = Length(64);
    plot.x = {.low = 0,
              .high = static_cast<double>(steps),
              .end = tr("%1 steps").arg(format::integer(steps)),
              .apart = 56,
              .whole = true,
              .grid = true,
              .text = wholeNumber};
    plot.y = {.kind = ScaleKind::logarithmic,
              .low = std::pow(10.0, std::min(bottom, top - 1)),
              .high = std::pow(10.0, top),
              .apart = 26,
              .powers = true,
              .grid = true,
              .text = powerOfTen};
    plot.choices = {.by = PlotChoices::By::column, .told = true, .at = line.at, .spoken = [at = line.at](int i) {
                        return tr("Step %1: %2").arg(wholeNumber(at[i].x()), format::brief(at[i].y()));
                    }};
    plot.tip = tr("Largest change of a cell per step, log scale.");
    const auto here = std::ranges::lower_bound(line.at, static_cast<double>(at), {}, &QPointF::x);
    const bool there = here != line.at.end() && here->x() == static_cast<double>(at);
    const int choice = there ? static_cast<int>(here - line.at.begin()) : -1;
    if (!earlier.empty()) {
        plot.note = tr("dashed: earlier run, kept");
        plot.marks.emplace_back(std::move(before));
    }
    plot.marks.emplace_back(std::move(line));
    if (!there) {
        plot.spoken = tr("No step yet.");
        plot.marks.emplace_back(RuleMark{.at = static_cast<double>(at)});
    }
    setPlot(std::move(plot));
    setChosen(choice);
}

}  // namespace warplens::gui
