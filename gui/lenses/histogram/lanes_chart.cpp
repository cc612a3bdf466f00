// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/lanes_chart.hpp"

#include "gpu/render/colour_table.hpp"
#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace warplens::gui {

namespace {

constexpr int kLanes = 32;
constexpr Length kAxis{40};

}  // namespace

LanesChart::LanesChart(QWidget* parent) : Plot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Chart of lanes that meet"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void LanesChart::setRequests(const std::array<std::int64_t, 33>& requests) {
    m_requests = requests;
    QStringList parts;
    for (int n = 1; n <= kLanes; ++n)
        if (m_requests[static_cast<std::size_t>(n)] > 0) parts << textOf(n);
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    update();
}

QSize LanesChart::sizeHint() const { return {288, Length(140)}; }

QRectF LanesChart::area() const { return QRectF(4, Length(18), width() - 8.0, height() - Length(18) - kAxis); }

int LanesChart::lanesAt(double x) const {
    const int n = 1 + static_cast<int>(std::floor((x - area().left()) / area().width() * kLanes));
    return n >= 1 && n <= kLanes ? n : 0;
}

QString LanesChart::textOf(int lanes) const {
    const std::int64_t all = std::accumulate(m_requests.begin() + 1, m_requests.end(), std::int64_t{0});
    const std::int64_t count = m_requests[static_cast<std::size_t>(lanes)];
    return tr("%1 lanes: %2 requests, %3")
        .arg(lanes)
        .arg(format::integer(count),
             format::percent(all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0));
}

void LanesChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(textFont(TextSize::caption));
    const QRectF plot = area();
    const std::int64_t highest = std::max<std::int64_t>(1, *std::max_element(m_requests.begin() + 1, m_requests.end()));
    const auto& colours = gpu::render::coloursOf(gpu::render::ColourTable::cividis);
    for (int n = 1; n <= kLanes; ++n) {
        const std::int64_t count = m_requests[static_cast<std::size_t>(n)];
        const double left = plot.left() + plot.width() * (n - 1) / kLanes, w = plot.width() / kLanes - 1;
        if (count > 0) {
            const double h = std::max(1.0, plot.height() * static_cast<double>(count) / static_cast<double>(highest));
            const QRectF bar(left, plot.bottom() - h, w, h);
            painter.fillRect(bar, QColor::fromRgb(colours[static_cast<std::size_t>((n - 1) * 255 / (kLanes - 1))]));
            // The ends of the colour table are too near to one dock or the other.
            painter.setPen(QPen(colour(n == m_pointed ? Role::text1 : Role::bars), 1));
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (n == 1 || n % 8 == 0) {
            writeText(painter, QRectF(left - Length(16), plot.bottom() + 3, w + Length(32), Length(16)),
                      Qt::AlignCenter, QString::number(n), Role::text2);
        }
    }
    painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), colour(Role::text3));
    writeText(painter, QRectF(0, plot.bottom() + Length(20), width(), Length(16)), Qt::AlignCenter,
              tr("most lanes of a warp in one bin"), Role::text2);
    if (m_pointed > 0) {
        writeText(painter, QRectF(0, 0, width(), Length(16)), Qt::AlignRight | Qt::AlignVCenter, textOf(m_pointed),
                  Role::text1);
    }
}

void LanesChart::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0) return QWidget::keyPressEvent(event);
    m_pointed = std::clamp(m_pointed + step, 1, kLanes);
    update();
}

void LanesChart::focusOutEvent(QFocusEvent* event) {
    m_pointed = 0;
    update();
    QWidget::focusOutEvent(event);
}

QString LanesChart::tipAt(QPoint place) const {
    const int n = lanesAt(place.x());
    return n > 0 ? textOf(n) : QString();
}

}  // namespace warplens::gui
