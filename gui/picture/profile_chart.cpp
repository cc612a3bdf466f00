// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/profile_chart.hpp"

#include "gui/picture/bins.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kAround{32}, kPlot{132}, kName{18};
constexpr double kCurve = 1.6, kCurrent = 2.4;

int rowsOf(std::size_t names) { return (static_cast<int>(std::max<std::size_t>(1, names)) + 1) / 2; }

/// Channels tell each other apart by their dashes, results by their shapes.
LineMark lineOf(const ProfileCurve& curve) {
    LineMark line{.name = curve.name, .width = curve.current ? kCurrent : kCurve, .idea = curve.idea};
    line.strong = curve.current;
    if (curve.idea) {
        line.ink = *curve.idea;
    } else if (!curve.current) {
        const QPen pen = channelPen(curve.id);
        line.ink = channelRole(curve.id);
        if (pen.style() != Qt::SolidLine) line.dashes = pen.dashPattern();
    }
    return line;
}

}  // namespace

ProfileChart::ProfileChart(QWidget* parent) : PlotView(parent) {
    setObjectName(QStringLiteral("profile-chart"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Values along the line"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ProfileChart::sizeHint() const { return {320, kAround + kPlot + rowsOf(m_curves.size()) * kName}; }

std::optional<std::size_t> ProfileChart::at() const {
    return chosen() < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(chosen()));
}

void ProfileChart::setProfile(const ProfileLine& line, std::vector<ProfileCurve> curves) {
    const bool taller = rowsOf(curves.size()) != rowsOf(m_curves.size());
    m_line = line;
    m_curves = std::move(curves);
    PlotData plot{.empty = tr("No picture here."), .legend = LegendPlace::below, .pointer = Pointer::rule};
    plot.left = Length(56);
    plot.top = Length(10);
    plot.x = {.low = 0, .high = std::max(1.0, m_line.distance(m_line.size() - 1)), .end = tr("pixels")};
    plot.y = {.apart = 32, .grid = true};
    for (const ProfileCurve& curve : m_curves) {
        LineMark mark = lineOf(curve);
        for (std::size_t i = 0; i < curve.values.size(); ++i) mark.at << QPointF(m_line.distance(i), curve.values[i]);
        plot.marks.emplace_back(std::move(mark));
    }
    for (std::size_t i = 0; i < m_line.size() && !m_curves.empty(); ++i)
        plot.choices.at << QPointF(m_line.distance(i), qQNaN());
    plot.choices.by = PlotChoices::By::column;
    plot.choices.spoken = [this](int pixel) { return textOf(pixel); };
    setRanges(plot);
    plot.spoken = std::isnan(plot.y.low) ? plot.empty
                                         : tr("%1 pixels, values from %2 to %3")
                                               .arg(format::integer(static_cast<std::int64_t>(m_line.size())),
                                                    format::value(plot.y.low), format::value(plot.y.high));
    setPlot(std::move(plot));
    if (taller) updateGeometry();
}

QString ProfileChart::textOf(int pixel) const {
    const auto i = static_cast<std::size_t>(pixel);
    const QPoint at = m_line.at(i);
    QStringList said{QStringLiteral("x %1 y %2").arg(format::integer(at.x()), format::integer(at.y()))};
    for (const ProfileCurve& curve : m_curves)
        said << curve.name + QStringLiteral(": ") +
                    (std::isnan(curve.values[i]) ? tr("no value") : format::value(curve.values[i]));
    return said.join(u'\n');
}

}  // namespace warplens::gui
