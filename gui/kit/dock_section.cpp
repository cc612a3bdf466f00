// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/dock_section.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace warplens::gui {

namespace {
constexpr int kMargin = 16;
}

DockSection::DockSection(const QString& title, std::optional<Origin> origin, QWidget* parent)
    : QWidget(parent),
      m_head(makeRow(nullptr, {kDockMargin, 0, kGap, 0}, 6, {made(new QLabel(title, this), {.look = "title"})})),
      m_caption(made(new QLabel(this), {.look = "caption"})),
      m_content(makeColumn(nullptr, {kMargin, 2, kMargin, kDockMargin}, kGap)) {
    setLook(this, "dock");
    m_head->addStrut(kTitleHeight);
    if (origin) m_head->addWidget(new OriginMark(*origin, this));
    fill(m_head, {spring(), m_caption});
    makeColumn(this, {0, 1, 0, 0}, 0, {m_head, m_content});
}

void DockSection::setCaption(const QString& text) { m_caption->setText(text); }

void DockSection::addToHead(QWidget* widget) { m_head->addWidget(widget); }

void DockSection::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    painter.fillRect(QRect(0, 0, width(), 1), colour(Role::line));
    painter.fillRect(QRect(0, kTitleHeight, width(), 1), colour(Role::hairline));
}

}  // namespace warplens::gui
