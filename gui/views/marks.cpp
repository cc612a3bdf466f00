// SPDX-License-Identifier: Apache-2.0
#include "gui/views/marks.hpp"

#include "gui/theme/metrics.hpp"

#include <QPainter>

namespace warplens::gui {

namespace {

/// The 14 px box, in the middle of a widget that layouts may have stretched.
QRectF middleBox(const QWidget& widget) {
    QRectF box(0, 0, kGlyphBox, kGlyphBox);
    box.moveCenter(QRectF(widget.rect()).center());
    return box;
}

void fix(QWidget* widget) { widget->setFixedSize(kGlyphBox, kGlyphBox); }

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
    setAccessibleName(originName(origin));
    setToolTip(originExplanation(origin));
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
    setAccessibleName(name);
    setToolTip(name);
    update();
}

QSize StatusMark::sizeHint() const { return {kGlyphBox, kGlyphBox}; }

void StatusMark::paintEvent(QPaintEvent*) {
    if (!m_state) return;
    QPainter painter(this);
    drawStatusGlyph(painter, middleBox(*this), *m_state);
}

}  // namespace warplens::gui
