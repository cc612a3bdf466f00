// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/dock_section.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/marks.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace warplens::gui {

namespace {
constexpr int kMargin = 16;
}

DockSection::DockSection(const QString& title, std::optional<Origin> origin, QWidget* parent)
    : QWidget(parent), m_head(new QHBoxLayout), m_caption(new QLabel(this)), m_content(new QVBoxLayout) {
    setLook(this, "dock");
    auto* name = new QLabel(title, this);
    setLook(name, "title");
    setLook(m_caption, "caption");
    m_head->setContentsMargins(kDockMargin, 0, kGap, 0);
    m_head->setSpacing(6);
    m_head->addStrut(kTitleHeight);
    m_head->addWidget(name);
    if (origin) m_head->addWidget(new OriginMark(*origin, this));
    m_head->addStretch(1);
    m_head->addWidget(m_caption);
    m_content->setContentsMargins(kMargin, 2, kMargin, kDockMargin);
    m_content->setSpacing(kGap);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 1, 0, 0);
    column->setSpacing(0);
    column->addLayout(m_head);
    column->addLayout(m_content);
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
