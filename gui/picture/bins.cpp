// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/bins.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kGapFrom = 3;  // bins at least this wide have a gap between them
constexpr double kLineWidth = 1.6;
constexpr int kFillAlpha = 46;

/// Calls visit(left, right, highest count, first bin) for every bin, or for every pixel column that holds several.
template <class Visit>
void eachColumn(const BinPicture& picture, const std::vector<std::int64_t>& bins, Visit visit) {
    const auto& edges = picture.histogram->edges;
    std::size_t bin = 0;
    while (bin < bins.size()) {
        const std::size_t first = bin;
        const double left = picture.across.x(edges[first]);
        std::int64_t highest = bins[bin];
        while (++bin < bins.size() && picture.across.x(edges[bin + 1]) - left <= 1)
            highest = std::max(highest, bins[bin]);
        visit(left, picture.across.x(edges[bin]), highest, first);
    }
}

void paintBars(QPainter& painter, const BinPicture& picture, const std::vector<std::int64_t>& bins) {
    const QColor plain = colour(Role::bars), chosen = colour(Role::accent);
    eachColumn(picture, bins, [&](double left, double right, std::int64_t count, std::size_t first) {
        if (count == 0) return;
        const double gap = right - left >= kGapFrom ? 1 : 0;
        // Whatever was counted is seen: at least a pixel.
        const double top = std::min(picture.up.y(static_cast<double>(count)), picture.area.bottom() - 1);
        const bool selected = picture.selection && picture.selection->contains(picture.histogram->edges[first]);
        painter.fillRect(QRectF(left, top, std::max(1.0, right - left - gap), picture.area.bottom() - top),
                         selected ? chosen : plain);
    });
}

void paintOutline(QPainter& painter, const BinPicture& picture, const gpu::CountedChannel& channel) {
    QPainterPath path(QPointF(picture.area.left(), picture.area.bottom()));
    eachColumn(picture, channel.bins, [&](double left, double right, std::int64_t count, std::size_t) {
        const double top = count == 0 ? picture.area.bottom()
                                      : std::min(picture.up.y(static_cast<double>(count)), picture.area.bottom() - 1);
        path.lineTo(left, top);
        path.lineTo(right, top);
    });
    path.lineTo(picture.area.right(), picture.area.bottom());
    QColor fill = channelColour(channel.name);
    fill.setAlpha(kFillAlpha);
    painter.fillPath(path, fill);
    painter.strokePath(path, channelPen(channel.name));
}

constexpr Length kFoot{24}, kHead{22};

}  // namespace

QColor channelColour(const std::string& name) {
    if (name == "red") return colour(Role::channelRed);
    if (name == "green") return colour(Role::channelGreen);
    if (name == "blue") return colour(Role::channelBlue);
    return colour(Role::bars);
}

QPen channelPen(const std::string& name) {
    QPen pen(channelColour(name), kLineWidth, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    if (name == "green") pen.setDashPattern({5, 2});
    if (name == "blue") pen.setDashPattern({1.5, 1.5});
    if (name == "alpha") pen.setDashPattern({6, 2, 1.5, 2});
    return pen;
}

void paintBins(QPainter& painter, const BinPicture& picture) {
    if (picture.histogram == nullptr || !picture.across.valid()) return;
    std::vector<std::size_t> shown;
    for (std::size_t c = 0; c < picture.histogram->channels.size(); ++c)
        if (c < picture.shown.size() && picture.shown[c]) shown.push_back(c);
    painter.save();
    painter.setClipRect(picture.area.adjusted(-1, -1, 1, 1));
    if (picture.histogram->channels.size() == 1 && shown.size() == 1) {
        paintBars(painter, picture, picture.histogram->channels[shown.front()].bins);
    } else {
        painter.setRenderHint(QPainter::Antialiasing);
        for (const std::size_t c : shown) paintOutline(painter, picture, picture.histogram->channels[c]);
    }
    painter.restore();
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

void BinsView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return emit activated();
    QWidget::keyPressEvent(event);
}

}  // namespace warplens::gui
