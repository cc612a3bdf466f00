// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/tools.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/profile_panel.hpp"
#include "gui/session/compare_session.hpp"

#include <QJsonArray>
#include <optional>

namespace warplens::gui {

namespace {

class ProfileTool : public PageTool {
public:
    ProfileTool(Page& page, PaneGrid& panes, Activity& activity)
        : PageTool(page, panes), m_panel(new ProfilePanel(&page)) {
        makeSwitch(
            {.id = "line-profile",
             .text = tr("Line pro&file"),
             .key = Qt::Key_L,
             .tip = tr("The stored values along a line, of the input and of each result: drag it over a picture."),
             .sessionKey = "profile"});
        makeCommand("line-profile-turn", tr("Line profile of the row or the column"), Qt::SHIFT | Qt::Key_L, [this] {
            const bool row = m_line && m_line->from.y() == m_line->to.y();
            action()->setChecked(true);
            putLine(row ? Qt::Vertical : Qt::Horizontal);
        });
        setSide(m_panel);
        connect(action(), &QAction::toggled, this, [this](bool on) {
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

    bool takesMouse() const override { return true; }
    void attach(Pane& pane) override { connect(pane.view(), &ImageView::lineDrawn, this, &ProfileTool::drawLine); }

    void place() override {
        const auto& contents = panes().panes();
        const ViewState& view = *panes().viewState();
        const QRect within({}, view.pictureSize());
        if (m_line && !(within.contains(m_line->from) && within.contains(m_line->to)))
            m_line.reset();  // of another picture
        m_overlay.setLine(m_line);
        for (int i = 0; i < std::ssize(contents); ++i) panes().pane(i)->view()->setLining(on());
        if (!on()) return;
        m_panel->setProfile(
            m_line,
            m_line ? profilesOf(contents, panes().current(), *m_line, view.slice()) : std::vector<ProfileCurve>(),
            contents.empty() ? nullptr : contents.front().picture.get());
        m_panel->setCursor(view.cursor());
    }

    std::vector<ImageOverlay*> overlays(int) override {
        if (on()) return {&m_overlay};
        return {};
    }

    void save(QJsonObject& view) const override {
        PageTool::save(view);
        if (m_line)
            view["profile_line"] = QJsonArray{m_line->from.x(), m_line->from.y(), m_line->to.x(), m_line->to.y()};
    }

    void restore(const QJsonObject& view) override {
        if (const QJsonArray line = view["profile_line"].toArray(); line.size() == 4)
            drawLine({line[0].toInt(), line[1].toInt()}, {line[2].toInt(), line[3].toInt()});
        PageTool::restore(view);
    }

private:
    /// The row or the column of the pixel under the cursor, or else of the middle.
    void putLine(Qt::Orientation along) {
        const QSize size = panes().viewState()->pictureSize();
        if (size.isEmpty()) return;
        const QPoint at = panes().viewState()->cursor().value_or(QPoint(size.width() / 2, size.height() / 2));
        if (along == Qt::Horizontal)
            drawLine({0, at.y()}, {size.width() - 1, at.y()});
        else
            drawLine({at.x(), 0}, {at.x(), size.height() - 1});
    }

    void drawLine(QPoint from, QPoint to) {
        m_line = {from, to};
        placeAgain();
    }

    ProfilePanel* m_panel;
    std::optional<ProfileLine> m_line;
    LineOverlay m_overlay;  ///< the same in all panes
};

}  // namespace

PageTool* makeProfileTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new ProfileTool(page, panes, session.activity());
}

}  // namespace warplens::gui
