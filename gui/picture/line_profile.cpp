// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/line_profile.hpp"

#include "gpu/core/length.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "io/in_space.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>

namespace warplens::gui {

namespace {

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
