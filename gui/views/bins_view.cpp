// SPDX-License-Identifier: Apache-2.0
#include "gui/views/bins_view.hpp"

#include "gui/charts/bin_painter.hpp"
#include "gui/theme/fonts.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"

#include <QKeyEvent>
#include <utility>

namespace warplens::gui {

namespace {
constexpr Length kFoot{24}, kHead{22};
}

BinsView::BinsView(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(paneMinWidth(), paneMinHeight() - kRowHeight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void BinsView::setHistogram(std::shared_ptr<const gpu::BinnedCounts> histogram) {
    if (histogram == m_histogram) return;
    m_histogram = std::move(histogram);
    if (m_histogram && !m_histogram->edges.empty())
        setAccessibleDescription(tr("%1 bins, %2")
                                     .arg(format::integer(binsOf(*m_histogram)),
                                          rangeText({m_histogram->edges.front(), m_histogram->edges.back()})));
    update();
}

void BinsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    if (!m_histogram || m_histogram->edges.size() < 2) return;
    const auto& edges = m_histogram->edges;
    BinPicture drawn;
    drawn.histogram = m_histogram.get();
    drawn.shown.assign(m_histogram->channels.size(), true);
    drawn.area = QRectF(rect()).adjusted(kDockMargin, kHead, -kDockMargin, -kFoot);
    const std::int64_t highest = highestCount(*m_histogram, drawn.shown);
    drawn.across =
        ValueScale(edges.front(), edges.back(), edges[1] - edges[0], false, drawn.area.left(), drawn.area.right());
    drawn.up = CountScale(highest, true, drawn.area.bottom(), drawn.area.top());
    paintBins(painter, drawn);
    painter.fillRect(QRectF(drawn.area.left(), drawn.area.bottom(), drawn.area.width(), 1), colour(Role::text3));
    painter.setFont(textFont(TextSize::caption));
    painter.setPen(colour(Role::text2));
    const QRectF foot(drawn.area.left(), drawn.area.bottom() + 2, drawn.area.width(), kFoot - 4);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, format::value(edges.front()));
    painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, format::value(edges.back()));
    painter.drawText(QRectF(drawn.area.left(), 2, drawn.area.width(), kHead - 4), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("up to %1 a bin, logarithmic").arg(format::integer(highest)));
}

void BinsView::mousePressEvent(QMouseEvent*) { emit focused(); }

void BinsView::mouseDoubleClickEvent(QMouseEvent*) { emit activated(); }

void BinsView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return emit activated();
    QWidget::keyPressEvent(event);
}

void BinsView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    emit focused();
}

}  // namespace warplens::gui
