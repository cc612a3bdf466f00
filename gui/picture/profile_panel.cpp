// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/profile_panel.hpp"

#include "gpu/core/length.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/bins.hpp"
#include "gui/picture/figures_rows.hpp"
#include "io/in_space.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

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

std::vector<double> valuesAlong(const io::Grid& grid, const ProfileLine& line, int slice, int channel) {
    const io::Shape& shape = grid.shape();
    std::vector<double> values(line.size(), std::numeric_limits<double>::quiet_NaN());
    if (slice >= shape.depth) return values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const QPoint at = line.at(i);
        if (at.x() >= 0 && at.y() >= 0 && at.x() < shape.width && at.y() < shape.height)
            values[i] = grid.value(at.x(), at.y(), slice, channel);
    }
    return values;
}

}  // namespace

ProfilePanel::ProfilePanel(QWidget* parent)
    : QWidget(parent),
      m_said(made(new ElidedLabel(this), {.id = "profile-line", .look = "caption"})),
      m_chart(new ProfileChart(this)),
      m_csv(made(new QToolButton(this), {.id = "profile-csv",
                                         .look = "flat",
                                         .name = tr("Export the profile as CSV"),
                                         .tip = tr("Distance, position and all digits of each value.")})),
      m_copy(made(new QToolButton(this), {.id = "profile-copy",
                                          .look = "flat",
                                          .name = tr("Copy the profile"),
                                          .tip = tr("Tab-separated, all digits.")})) {
    setObjectName(QStringLiteral("profile-panel"));
    m_csv->setText(tr("CSV..."));
    m_copy->setText(tr("Copy"));
    for (QToolButton* button : {m_csv, m_copy}) button->setFocusPolicy(Qt::StrongFocus);
    auto* head = new QWidget(this);
    fill(titleRow(head, kTitleHeight, tr("Line profile")), {spring(), m_csv, m_copy});
    auto* column = makeColumn(this, {}, 0, {head});
    fill(column, {makeRow(nullptr, {kDockMargin, 0, kDockMargin, 0}, 0, {{m_said, 1}}), m_chart});
    connect(m_chart, &PlotView::picked, this,
            [this](int pixel) { emit pixelChosen(m_line->at(static_cast<std::size_t>(pixel))); });
    connect(m_csv, &QToolButton::clicked, this, &ProfilePanel::exportCsv);
    connect(m_copy, &QToolButton::clicked, this, &ProfilePanel::copy);
    setProfile({}, {});
}

void ProfilePanel::setProfile(const std::optional<ProfileLine>& line, std::vector<ProfileCurve> curves,
                              const io::Grid* picture) {
    m_line = line;
    m_curves = std::move(curves);
    const bool any = m_line && !m_curves.empty();
    for (QToolButton* button : {m_csv, m_copy}) button->setEnabled(any);
    const auto text = [](QPoint at) {
        return QStringLiteral("(%1, %2)").arg(format::integer(at.x()), format::integer(at.y()));
    };
    QString said = tr("Draw a line over a picture.");
    if (m_line) {
        const QString measured = m_line->measured(picture);
        said =
            tr("%1 to %2: %3 pixels, %4 px long")
                .arg(text(m_line->from), text(m_line->to), format::integer(static_cast<std::int64_t>(m_line->size())),
                     format::trimmed(format::significant(m_line->distance(m_line->size() - 1), 4))) +
            (measured.isEmpty() ? measured : QStringLiteral(", ") + measured);
    }
    m_said->setFullText(said);
    m_chart->setProfile(m_line.value_or(ProfileLine{}), m_line ? m_curves : std::vector<ProfileCurve>());
}

void ProfilePanel::setCursor(const std::optional<QPoint>& pixel) {
    std::optional<std::size_t> at;
    if (m_line && pixel)
        for (std::size_t i = 0; i < m_line->size() && !at; ++i)
            if (m_line->at(i) == *pixel) at = i;
    m_chart->setAt(at);
}

void ProfilePanel::copy() { QGuiApplication::clipboard()->setText(tabSeparated(profileTable(*m_line, m_curves))); }

void ProfilePanel::exportCsv() {
    exportTable(
        window(), tr("Export the profile"), profileTable(*m_line, m_curves), this,
        [this](const QString& path) { emit exported(tr("Exported %1").arg(path.section('/', -1))); },
        [this](const QString& why) { emit failed(why); });
}

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

std::size_t ProfileLine::size() const {
    const QPoint span = to - from;
    return static_cast<std::size_t>(std::max(std::abs(span.x()), std::abs(span.y()))) + 1;
}

QPoint ProfileLine::at(std::size_t i) const {
    const std::size_t last = size() - 1;
    if (last == 0) return from;
    const double share = static_cast<double>(i) / static_cast<double>(last);
    const QPoint span = to - from;
    return from +
           QPoint(static_cast<int>(std::lround(share * span.x())), static_cast<int>(std::lround(share * span.y())));
}

QString ProfileLine::measured(const io::Grid* picture) const {
    if (from == to) return {};
    const gpu::LengthUnit unit = picture == nullptr ? gpu::LengthUnit() : gpu::lengthUnitOf(*picture);
    const bool scaled = picture != nullptr && io::hasGeometry(picture->geometry);
    const auto& mm = scaled ? picture->geometry.spacing : io::Geometry().spacing;
    const double right = (to.x() - from.x()) * mm[0] / unit.mm, up = (from.y() - to.y()) * mm[1] / unit.mm;
    const QString angle = format::trimmed(format::significant(std::atan2(up, right) * 180 / std::numbers::pi)) + u'°';
    if (!scaled) return angle;
    return format::trimmed(format::significant(std::hypot(right, up), 4)) + u' ' + QString::fromUtf8(unit.name) +
           QStringLiteral(", ") + angle;
}

double ProfileLine::distance(std::size_t i) const {
    const std::size_t last = size() - 1;
    const QPoint span = to - from;
    return last == 0 ? 0 : std::hypot(span.x(), span.y()) * static_cast<double>(i) / static_cast<double>(last);
}

std::vector<ProfileCurve> profilesOf(const std::vector<PaneContent>& panes, int current, const ProfileLine& line,
                                     int slice) {
    std::vector<ProfileCurve> curves;
    if (current < 0 || current >= std::ssize(panes)) return curves;
    const PaneContent& own = panes[static_cast<std::size_t>(current)];
    if (own.picture != nullptr && own.picture->shape().channels > 1) {
        constexpr const char* kColours[] = {QT_TRANSLATE_NOOP("ProfilePanel", "red"),
                                            QT_TRANSLATE_NOOP("ProfilePanel", "green"),
                                            QT_TRANSLATE_NOOP("ProfilePanel", "blue")};
        for (int c = 0; c < std::min(own.picture->shape().channels, 3); ++c)
            curves.push_back({.id = kColours[c],
                              .name = QCoreApplication::translate("ProfilePanel", kColours[c]),
                              .values = valuesAlong(*own.picture, line, slice, c)});
        return curves;
    }
    for (const PaneContent& pane : panes) {
        const bool chosen = &pane == &own;
        const bool alike = !own.display && !pane.display;
        if (pane.picture == nullptr || pane.picture->shape().channels > 1 || !(chosen || alike)) continue;
        curves.push_back(
            {pane.key.toStdString(), pane.title, pane.idea, chosen, valuesAlong(*pane.picture, line, slice, 0)});
    }
    return curves;
}

gpu::Table profileTable(const ProfileLine& line, const std::vector<ProfileCurve>& curves) {
    gpu::Column::Reals distances;
    gpu::Column::Integers xs, ys;
    for (std::size_t i = 0; i < line.size(); ++i) {
        distances.push_back(line.distance(i));
        xs.push_back(line.at(i).x());
        ys.push_back(line.at(i).y());
    }
    gpu::Table table{.id = "line-profile", .title = "Line profile"};
    const auto add = [&](const std::string& id, auto&& values) {
        table.columns.push_back({.id = id, .origin = gpu::Origin::reported, .values = values});
    };
    add("along", distances);
    add("x", xs);
    add("y", ys);
    for (const ProfileCurve& curve : curves) add(curve.id, curve.values);
    return table;
}

void LineOverlay::paint(QPainter& painter, const ImageView& view) {
    if (!m_line) return;
    constexpr QPointF kMiddle(0.5, 0.5);
    constexpr double kDot = 3.5;
    const QPointF from = view.toWidget(QPointF(m_line->from) + kMiddle),
                  to = view.toWidget(QPointF(m_line->to) + kMiddle);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [ink, width] : {std::pair{QColor(0, 0, 0, 153), 3.4}, std::pair{QColor(Qt::white), 1.6}}) {
        painter.setPen(QPen(ink, width * lineScale(), Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(from, to);
        painter.drawEllipse(from, kDot * lineScale(), kDot * lineScale());
    }
}

}  // namespace warplens::gui
