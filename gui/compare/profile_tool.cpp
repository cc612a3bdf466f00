// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/profile_tool.hpp"

#include "gui/kit/activity.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/profile_panel.hpp"

#include <QJsonArray>

namespace warplens::gui {

ProfileTool::ProfileTool(Page& page, PaneGrid& panes, Activity& activity)
    : PageTool(page, panes), m_panel(new ProfilePanel(&page)) {
    makeSwitch({.id = "line-profile",
                .text = tr("Line pro&file"),
                .key = Qt::Key_L,
                .tip = tr("The stored values along a line, of the input and of each result: drag it over a picture."),
                .sessionKey = "profile"});
    makeCommand("line-profile-turn", tr("Line profile of the row or the column"), Qt::SHIFT | Qt::Key_L, [this] {
        const bool row = m_line && m_line->from.y() == m_line->to.y();
        action()->setChecked(true);
        putLine(row ? Qt::Vertical : Qt::Horizontal);
    });
    m_panel->hide();
    connect(action(), &QAction::toggled, this, [this](bool on) {
        m_panel->setVisible(on);
        emit sideChanged();
        if (on && !m_line) putLine(Qt::Horizontal);
        placeAgain();
    });
    ViewState* view = panes.viewState();
    connect(m_panel, &ProfilePanel::pixelChosen, view, &ViewState::setCursor);
    connect(view, &ViewState::cursorChanged, m_panel, [this, view] { m_panel->setCursor(view->cursor()); });
    connect(view, &ViewState::displayChanged, this, &ProfileTool::place);  // another slice
    connect(m_panel, &ProfilePanel::exported, &activity, [&activity](const QString& what) { activity.note(what); });
    connect(m_panel, &ProfilePanel::failed, &activity, &Activity::report);
}

QWidget* ProfileTool::side() { return m_panel; }

void ProfileTool::putLine(Qt::Orientation along) {
    const QSize size = panes().viewState()->pictureSize();
    if (size.isEmpty()) return;
    const QPoint at = panes().viewState()->cursor().value_or(QPoint(size.width() / 2, size.height() / 2));
    if (along == Qt::Horizontal)
        drawLine({0, at.y()}, {size.width() - 1, at.y()});
    else
        drawLine({at.x(), 0}, {at.x(), size.height() - 1});
}

void ProfileTool::drawLine(QPoint from, QPoint to) {
    m_line = {from, to};
    placeAgain();
}

void ProfileTool::attach(Pane& pane) { connect(pane.view(), &ImageView::lineDrawn, this, &ProfileTool::drawLine); }

void ProfileTool::place() {
    const auto& contents = panes().panes();
    const ViewState& view = *panes().viewState();
    const QRect within({}, view.pictureSize());
    if (m_line && !(within.contains(m_line->from) && within.contains(m_line->to)))
        m_line.reset();  // of another picture
    m_overlay.setLine(m_line);
    for (int i = 0; i < std::ssize(contents); ++i) panes().pane(i)->view()->setLining(on());
    if (!on()) return;
    m_panel->setProfile(
        m_line, m_line ? profilesOf(contents, panes().current(), *m_line, view.slice()) : std::vector<ProfileCurve>());
    m_panel->setCursor(view.cursor());
}

std::vector<ImageOverlay*> ProfileTool::overlays(int) {
    if (on()) return {&m_overlay};
    return {};
}

void ProfileTool::save(QJsonObject& view) const {
    PageTool::save(view);
    if (m_line) view["profile_line"] = QJsonArray{m_line->from.x(), m_line->from.y(), m_line->to.x(), m_line->to.y()};
}

void ProfileTool::restore(const QJsonObject& view) {
    if (const QJsonArray line = view["profile_line"].toArray(); line.size() == 4)
        drawLine({line[0].toInt(), line[1].toInt()}, {line[2].toInt(), line[3].toInt()});
    PageTool::restore(view);
}

}  // namespace warplens::gui
