// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/marks.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStringList>
#include <QToolButton>

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

QSize IdeaMark::sizeHint() const { return {kGlyphBox, kGlyphBox}; }

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

QSize OriginMark::sizeHint() const { return {kGlyphBox, kGlyphBox}; }

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

QSize StatusMark::sizeHint() const { return {kGlyphBox, kGlyphBox}; }

void StatusMark::paintEvent(QPaintEvent*) {
    if (!m_state) return;
    QPainter painter(this);
    drawStatusGlyph(painter, middleBox(*this), *m_state);
}

OriginLegend::OriginLegend(QWidget* parent)
    : QWidget(parent), m_open(new QWidget(this)), m_button(new QToolButton(this)) {
    setAccessibleName(tr("Where a number comes from"));
    auto* const outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    fill(outer, {m_open, m_button});
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

}  // namespace warplens::gui
