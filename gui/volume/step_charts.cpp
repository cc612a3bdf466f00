// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/step_charts.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kName{18}, kBar{10}, kAside{17}, kApart{10}, kLineText{22};
constexpr Length kFigure{56};  // right of the longest bar, for its number

QString lineText(double gcells) { return RateBars::tr("%1: one sweep at copy speed").arg(format::significant(gcells)); }

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

RateBars::RateBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Rates of the variants"));
}

void RateBars::setBars(std::vector<RateBar> bars, std::optional<double> line) {
    m_bars = std::move(bars);
    m_line = line;
    QStringList parts;
    for (const RateBar& bar : m_bars) {
        QString part = bar.name;
        if (bar.gcells) part += tr(", %1 Gcell/s").arg(format::significant(*bar.gcells));
        for (const QString& more : {bar.time, bar.aside})
            if (!more.isEmpty()) part += QStringLiteral(", ") + more;
        parts << part;
    }
    if (m_line) parts << lineText(*m_line);
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int RateBars::rowHeight(const RateBar& bar) const {
    return kName + (bar.gcells ? kBar + 2 : 0) + (bar.aside.isEmpty() ? 0 : kAside) + kApart;
}

int RateBars::height() const {
    int sum = m_line ? kLineText : 0;
    for (const RateBar& bar : m_bars) sum += rowHeight(bar);
    return std::max(sum, 1);
}

void RateBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    double longest = m_line.value_or(0);
    for (const RateBar& bar : m_bars) longest = std::max(longest, bar.gcells.value_or(0));
    const double room = width() - kFigure;
    const auto x = [&](double gcells) { return longest > 0 ? gcells / longest * room : 0; };
    int top = 0;
    std::vector<QLineF> limit;  // beside the bars, not through the words below them
    for (const RateBar& bar : m_bars) {
        drawShape(painter, QRectF(0, top + 2, kGlyphBox, kGlyphBox), bar.idea);
        writeText(painter, QRectF(kGlyphBox + Length(6), top, width() - kGlyphBox - Length(6), kName),
                  Qt::AlignLeft | Qt::AlignVCenter, bar.name, Role::text1,
                  bar.current ? boldFont(TextSize::body) : textFont(TextSize::body));
        writeText(painter, QRectF(0, top, width(), kName), Qt::AlignRight | Qt::AlignVCenter, bar.time, Role::text2,
                  textFont(TextSize::caption));
        int below = top + kName;
        if (bar.gcells) {
            painter.fillRect(QRectF(0, below, x(*bar.gcells), kBar), colour(bar.idea));
            writeText(painter, QRectF(0, below - 3, width(), kBar + Length(6)), Qt::AlignRight | Qt::AlignVCenter,
                      format::significant(*bar.gcells), Role::text1, boldFont(TextSize::body));
            below += kBar + 2;
        }
        limit.emplace_back(0, top, 0, below);
        if (!bar.aside.isEmpty()) {
            writeText(painter, QRectF(kGlyphBox + Length(6), below, width() - 2 * kGlyphBox - Length(10), kAside),
                      Qt::AlignLeft | Qt::AlignVCenter, bar.aside, Role::text3, textFont(TextSize::caption));
            drawOriginGlyph(painter, QRectF(width() - kGlyphBox, below + 1, kGlyphBox, kGlyphBox), Origin::measured,
                            Role::text3);
        }
        top += rowHeight(bar);
    }
    if (!m_line) return;
    const double at = x(*m_line);
    QPen dashed(colour(Role::text1), 1.5 * lineScale(), Qt::CustomDashLine);
    dashed.setDashPattern({4 / 1.5, 3 / 1.5});
    painter.setPen(dashed);
    for (const QLineF& part : limit) painter.drawLine(part.translated(at, 0));
    painter.setFont(textFont(TextSize::caption));
    painter.setPen(colour(Role::text1));
    const QString text = lineText(*m_line);
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 4;
    const double left = std::clamp(at - wide / 2, 0.0, std::max(0.0, width() - wide));
    painter.drawText(QRectF(left, top, wide, kLineText), Qt::AlignCenter, text);
}

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
