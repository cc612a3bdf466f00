// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/marks.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStringList>
#include <QToolButton>
#include <algorithm>

namespace warplens::gui {

namespace {

/// The 14 px box, in the middle of a widget that layouts may have stretched.
QRectF middleBox(const QWidget& widget) {
    QRectF box(0, 0, kGlyphBox, kGlyphBox);
    box.moveCenter(QRectF(widget.rect()).center());
    return box;
}

void fix(QWidget* widget) { widget->setFixedSize(kGlyphBox, kGlyphBox); }

QWidget* makeEntry(Origin origin, QWidget* parent) {
    auto* const entry = new QWidget(parent);
    auto* layout = makeRow(entry, {}, 5);
    auto* const word = made(new QLabel(originName(origin), entry), {.look = "caption"});
    fill(layout, {new OriginMark(origin, entry), word});
    setWidgetText(entry, {.name = originName(origin), .tip = originExplanation(origin)});
    entry->setAccessibleDescription(originExplanation(origin));
    return entry;
}

}  // namespace

IdeaMark::IdeaMark(QWidget* parent) : QWidget(parent) { fix(this); }

void IdeaMark::setIdea(std::optional<gpu::Idea> idea) {
    m_idea = idea;
    setVisible(idea.has_value());
    update();
}

void IdeaMark::paintEvent(QPaintEvent*) {
    if (!m_idea) return;
    QPainter painter(this);
    drawShape(painter, middleBox(*this), *m_idea);
}

OriginMark::OriginMark(Origin origin, QWidget* parent) : QWidget(parent), m_origin(origin) {
    fix(this);
    setOrigin(origin);
}

void OriginMark::setOrigin(Origin origin) {
    m_origin = origin;
    setWidgetText(this, {.name = originName(origin), .tip = originExplanation(origin)});
    update();
}

void OriginMark::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawOriginGlyph(painter, middleBox(*this), m_origin);
}

StatusMark::StatusMark(QWidget* parent) : QWidget(parent) { fix(this); }

void StatusMark::setState(std::optional<ResultState> state) {
    m_state = state;
    const QString name = state ? stateName(*state) : QString();
    setWidgetText(this, {.name = name, .tip = name});
    update();
}

void StatusMark::paintEvent(QPaintEvent*) {
    if (!m_state) return;
    QPainter painter(this);
    drawStatusGlyph(painter, middleBox(*this), *m_state);
}

OriginLegend::OriginLegend(QWidget* parent)
    : QWidget(parent), m_open(new QWidget(this)), m_button(new QToolButton(this)) {
    setAccessibleName(tr("Where a number comes from"));
    makeRow(this, {}, -1, {m_open, m_button});
    auto* row = makeRow(m_open, {}, 16);

    auto* const menu = new QMenu(m_button);
    menu->setToolTipsVisible(true);
    QStringList sentences;
    for (const Origin origin : kOrigins) {
        row->addWidget(makeEntry(origin, m_open));
        menu->addAction(originIcon(origin), originExplanation(origin));
        sentences << originExplanation(origin);
    }
    m_button->setText(u' ' + tr("Legend"));
    m_button->setIcon(originIcon(Origin::measured));
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setMenu(menu);
    m_button->setFocusPolicy(Qt::TabFocus);
    setWidgetText(m_button,
                  {.look = "flat", .name = tr("Legend: where a number comes from"), .tip = sentences.join(u'\n')});
    m_button->hide();
}

void OriginLegend::setFolded(bool folded) {
    if (folded == m_folded) return;
    m_folded = folded;
    m_open->setVisible(!folded);
    m_button->setVisible(folded);
}

OccupancyBar::OccupancyBar(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Resident warps per multiprocessor"));
}

void OccupancyBar::setOccupancy(const gpu::Occupancy& occupancy, gpu::Idea idea) {
    m_occupancy = occupancy;
    m_idea = idea;
    setAccessibleDescription(tr("%1 of %2 warps resident").arg(occupancy.warps).arg(occupancy.mostWarps));
    update();
}

void OccupancyBar::paintEvent(QPaintEvent*) {
    if (m_occupancy.mostWarps <= 0) return;
    QPainter painter(this);
    const double left = kDockMargin, top = 4, high = height() - 8.0;
    const double place = (width() - 2 * left) / m_occupancy.mostWarps;
    for (int warp = 0; warp < m_occupancy.mostWarps; ++warp) {
        const bool taken = warp < m_occupancy.warps;
        // A block ends with a wider gap.
        const bool last = taken && (warp + 1) % m_occupancy.warpsPerBlock == 0;
        const QRectF box(left + warp * place, top, std::max(1.0, place - (last ? 2.5 : 1.0)), high);
        if (taken) {
            painter.fillRect(box, colour(m_idea));
        } else {
            painter.setPen(QPen(colour(Role::text3), 1));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
}

}  // namespace warplens::gui
