// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/page_tool.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/tool_strip.hpp"
#include "gui/picture/page.hpp"

namespace warplens::gui {

PageTool::PageTool(Page& page, PaneGrid& panes) : QObject(&page), m_page(page), m_panes(panes) {}

QAction* PageTool::makeCommand(const char* id, const QString& text, const QKeySequence& key) {
    return m_page.makeAction(id, text, key);
}

QAction* PageTool::makeSwitch(const Switch& made) {
    m_action = makeCommand(made.id, made.text, made.key);
    m_action->setCheckable(true);
    m_action->setToolTip(made.tip);
    m_button = made.button;
    m_sessionKey = made.sessionKey;
    return m_action;
}

void PageTool::setSide(QWidget* side) {
    m_side = side;
    m_side->hide();
    if (m_action != nullptr) connect(m_action, &QAction::toggled, this, &PageTool::showSide);
}

void PageTool::showSide(bool shown) {
    if (shown == !m_side->isHidden()) return;
    m_side->setVisible(shown);
    emit sideChanged();
}

void PageTool::addTo(ToolStrip& strip) {
    if (m_button.isEmpty()) return;
    const auto key = [action = m_action] { return action->shortcut().toString(QKeySequence::NativeText); };
    auto* button =
        made(new KeyButton(m_button, key(), &strip),
             {.id = m_action->objectName() + QStringLiteral("-button"), .tip = m_action->toolTip(), .checkable = true});
    connect(button, &QPushButton::clicked, m_action, &QAction::trigger);
    connect(m_action, &QAction::toggled, button, &QPushButton::setChecked);
    connect(m_action, &QAction::changed, button, [button, key] { button->setKey(key()); });
    strip.addTool(button, m_action);
}

void PageTool::save(QJsonObject& view) const {
    if (m_sessionKey != nullptr) view[QLatin1String(m_sessionKey)] = on();
}

void PageTool::restore(const QJsonObject& view) {
    if (m_sessionKey != nullptr) m_action->setChecked(view[QLatin1String(m_sessionKey)].toBool());
}

void PageTool::placeAgain() {
    place();
    emit overlaysChanged();
}

}  // namespace warplens::gui
