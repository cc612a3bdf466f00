// SPDX-License-Identifier: Apache-2.0
#include "gui/views/tool_strip.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace warplens::gui {

namespace {
constexpr int kBetween = 4;
}

ToolStrip::ToolStrip(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this)), m_more(new QToolButton(this)) {
    setLook(this, "dock");
    setFixedHeight(kStripHeight);
    m_row->setContentsMargins(kGap, 0, kGap, 0);
    m_row->setSpacing(kBetween);
    setLook(m_more, "flat");
    m_more->setObjectName(QStringLiteral("more-tools"));
    m_more->setText(QStringLiteral("…"));
    m_more->setAccessibleName(tr("More tools"));
    m_more->setToolTip(tr("Tools that have no room here"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    m_row->addWidget(m_more);
    m_row->addStretch(1);
    m_more->hide();
}

void ToolStrip::addTool(QWidget* tool, QAction* whenFolded) {
    m_row->insertWidget(static_cast<int>(m_tools.size()), tool);
    m_tools.push_back({tool, whenFolded});
}

void ToolStrip::addRight(QWidget* widget) {
    m_row->addWidget(widget);
    m_right.push_back(widget);
}

int ToolStrip::widthWith(std::size_t unfolded) const {
    int width = 2 * kGap;
    std::size_t foldable = 0, folded = 0;
    for (const Tool& tool : m_tools) {
        const bool shown = tool.whenFolded == nullptr || foldable++ < unfolded;
        if (shown)
            width += tool.widget->sizeHint().width() + kBetween;
        else
            ++folded;
    }
    if (folded > 0) width += m_more->sizeHint().width() + kBetween;
    for (const QWidget* widget : m_right) width += widget->minimumSizeHint().width() + kBetween;
    return width;
}

QSize ToolStrip::minimumSizeHint() const { return {widthWith(0), kStripHeight}; }

void ToolStrip::fold() {
    std::size_t fits = m_tools.size();
    while (fits > 0 && widthWith(fits) > width()) --fits;
    std::size_t foldable = 0;
    bool any = false;
    m_more->menu()->clear();
    for (const Tool& tool : m_tools) {
        const bool shown = tool.whenFolded == nullptr || foldable++ < fits;
        tool.widget->setVisible(shown);
        if (shown) continue;
        m_more->menu()->addAction(tool.whenFolded);
        any = true;
    }
    m_more->setVisible(any);
}

void ToolStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fold();
}

bool ToolStrip::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) fold();
    return QWidget::event(event);
}

}  // namespace warplens::gui
