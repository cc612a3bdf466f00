// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/slab_strip.hpp"

#include "gpu/render/label_colour.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr Length kHeight{26}, kHigh{18}, kName{44}, kGlyph{16};
constexpr double kApart = 4;    // px between lines of slabs; closer ones would be a grey area
constexpr double kHatched = 3;  // px at least; narrower ones would be dots

QColor colourOf(std::size_t device) { return gpu::render::labelColour(static_cast<std::int64_t>(device) + 1); }

/// Devices that are not alike keep slabs of unequal size, a stretch each.
std::int64_t slabsOf(const gpu::SlabMap& slabs) {
    std::int64_t count = 0;
    for (const auto& held : slabs.held) count += (held.lines + slabs.each - 1) / slabs.each;
    return slabs.held.empty() ? slabs.count() : count;
}

QString unitOf(const gpu::SlabMap& slabs) {
    return slabs.axis == 2   ? SlabStrip::tr("slices %1 to %2")
           : slabs.axis == 1 ? SlabStrip::tr("rows %1 to %2")
                             : SlabStrip::tr("pixels %1 to %2");
}

}  // namespace

SlabStrip::SlabStrip(QWidget* parent) : Plot(parent) {
    setObjectName(QStringLiteral("slabs"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Slabs: which device computed which"));
    hide();
}

QSize SlabStrip::sizeHint() const { return {320, kHeight}; }

QString SlabStrip::said(const gpu::SlabMap& slabs, const gpu::SlabMap::Stretch& held) {
    const std::string& id = slabs.devices[held.device];
    const auto at = slabs.devices.begin() + static_cast<std::ptrdiff_t>(held.device);
    QString name = QString::fromStdString(id);
    if (std::ranges::count(slabs.devices, id) > 1)
        name += QStringLiteral(" (%1)").arg(std::count(slabs.devices.begin(), at, id) + 1);
    return name + QStringLiteral(": ") +
           unitOf(slabs).arg(format::integer(held.first), format::integer(held.first + held.lines - 1));
}

void SlabStrip::setSlabs(const std::optional<gpu::SlabMap>& slabs) {
    if (m_slabs == slabs) return;
    m_slabs = slabs;
    QStringList all;
    if (slabs)
        for (const auto& held : slabs->held) all << said(*slabs, held);
    setAccessibleDescription(all.join(QStringLiteral("; ")));
    update();
}

QRectF SlabStrip::bar() const {
    const double left = kDockMargin + kName + kGlyph;
    return QRectF(left, (height() - kHigh) / 2.0, width() - left - kDockMargin, kHigh);
}

double SlabStrip::x(std::int64_t line) const {
    return bar().left() + bar().width() * static_cast<double>(line) / static_cast<double>(m_slabs->lines);
}

void SlabStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF all = bar();
    writeText(painter, QRectF(kDockMargin, 0, kName, height()), Qt::AlignLeft | Qt::AlignVCenter, tr("Slabs"),
              Role::text2, textFont(TextSize::caption));
    drawOriginGlyph(painter, QRectF(kDockMargin + kName, (height() - 14) / 2.0, 14, 14), Origin::counted);
    painter.setFont(textFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    const double each = all.width() * static_cast<double>(m_slabs->each) / static_cast<double>(m_slabs->lines);
    const double halo = all.width() * static_cast<double>(m_slabs->halo) / static_cast<double>(m_slabs->lines);
    for (const auto& held : m_slabs->held) {
        const QRectF box(QPointF(x(held.first), all.top()), QPointF(x(held.first + held.lines), all.bottom()));
        const QColor ground = colourOf(held.device), ink = inkOn(ground);
        painter.fillRect(box, ground);
        for (std::int64_t line = held.first + m_slabs->each; each >= kApart && line < held.first + held.lines;
             line += m_slabs->each)
            painter.fillRect(QRectF(x(line), all.top(), lineScale(), all.height()), ink);
        // What the devices beside it read of it.
        if (m_slabs->shared() && m_slabs->halo > 0) {
            const double wide = std::min(std::max(halo, kHatched), box.width() / 2);
            for (const bool front : {true, false}) {
                const bool end = front ? held.first == 0 : held.first + held.lines == m_slabs->lines;
                if (!end)
                    painter.fillRect(QRectF(front ? box.left() : box.right() - wide, all.top(), wide, all.height()),
                                     QBrush(ink, Qt::BDiagPattern));
            }
        }
        const QString text = said(*m_slabs, held), name = text.section(':', 0, -2);
        for (const QString& words : {text, name}) {
            const double wide = metrics.horizontalAdvance(words) + 6;
            if (wide + 2 * kHatched > box.width()) continue;
            const QRectF place(box.center().x() - wide / 2, all.top(), wide, all.height());
            painter.fillRect(place.adjusted(0, 1, 0, -1), ground);
            painter.setPen(ink);
            painter.drawText(place, Qt::AlignCenter, words);
            break;
        }
    }
}

QString SlabStrip::tipAt(QPoint place) const {
    if (!m_slabs) return {};
    const QString cut =
        tr("%1 slabs of %2 or fewer; each reads %3 more beyond each end.")
            .arg(format::integer(slabsOf(*m_slabs)), format::integer(m_slabs->each), format::integer(m_slabs->halo));
    for (const auto& held : m_slabs->held)
        if (place.x() >= x(held.first) && place.x() < x(held.first + held.lines))
            return said(*m_slabs, held) + '\n' + cut;
    return cut;
}

}  // namespace warplens::gui
