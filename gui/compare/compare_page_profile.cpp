// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that shows the values along a line.
#include "gui/compare/compare_page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/profile_panel.hpp"

#include <QAction>

namespace warplens::gui {

void ComparePage::makeProfileActions() {
    m_profileAction = makeAction("line-profile", tr("Line pro&file"), QKeySequence(Qt::Key_L));
    m_profileAction->setCheckable(true);
    m_profileAction->setToolTip(
        tr("The stored values along a line, of the input and of each result: drag it over a picture."));
    connect(m_profileAction, &QAction::toggled, this, &ComparePage::setProfiling);
    connect(makeAction("line-profile-turn", tr("Line profile of the row or the column"),
                       QKeySequence(Qt::SHIFT | Qt::Key_L)),
            &QAction::triggered, this, [this] {
                const bool row = m_line && m_line->from.y() == m_line->to.y();
                m_profileAction->setChecked(true);
                putLine(row ? Qt::Vertical : Qt::Horizontal);
            });
    connect(m_regionsAction, &QAction::toggled, this, [this](bool painting) {
        if (painting) m_profileAction->setChecked(false);
    });
    connect(m_profile, &ProfilePanel::pixelChosen, m_grid->viewState(), &ViewState::setCursor);
    connect(m_grid->viewState(), &ViewState::cursorChanged, m_profile,
            [this] { m_profile->setCursor(m_grid->viewState()->cursor()); });
    connect(m_grid->viewState(), &ViewState::displayChanged, this, &ComparePage::placeProfile);  // another slice
    connect(m_grid, &PaneGrid::currentChanged, this, &ComparePage::placeProfile);
    connect(m_profile, &ProfilePanel::exported, &m_session.activity(),
            [this](const QString& what) { m_session.activity().note(what); });
    connect(m_profile, &ProfilePanel::failed, &m_session.activity(), &Activity::report);
}

void ComparePage::setProfiling(bool on) {
    if (on) m_regionsAction->setChecked(false);  // one of both has the mouse
    if (on && !m_line) putLine(Qt::Horizontal);
    placeProfile();
    placeTiles();
}

void ComparePage::putLine(Qt::Orientation along) {
    const QSize size = m_grid->viewState()->pictureSize();
    if (size.isEmpty()) return;
    const QPoint at = m_grid->viewState()->cursor().value_or(QPoint(size.width() / 2, size.height() / 2));
    if (along == Qt::Horizontal)
        drawLine({0, at.y()}, {size.width() - 1, at.y()});
    else
        drawLine({at.x(), 0}, {at.x(), size.height() - 1});
}

void ComparePage::drawLine(QPoint from, QPoint to) {
    m_line = {from, to};
    placeProfile();
}

void ComparePage::placeProfile() {
    const bool on = m_profileAction->isChecked();
    const auto& panes = m_grid->panes();
    const QRect within({}, m_grid->viewState()->pictureSize());
    if (m_line && !(within.contains(m_line->from) && within.contains(m_line->to)))
        m_line.reset();  // of another picture
    m_lineOverlay.setLine(m_line);
    for (int i = 0; i < std::ssize(panes); ++i) {
        ImageView* view = m_grid->pane(i)->view();
        view->setLining(on);
        connect(view, &ImageView::lineDrawn, this, &ComparePage::drawLine, Qt::UniqueConnection);
        if (on) view->update();
    }
    if (!on) return;
    m_profile->setProfile(m_line, m_line ? profilesOf(panes, m_grid->current(), *m_line, m_grid->viewState()->slice())
                                         : std::vector<ProfileCurve>());
    m_profile->setCursor(m_grid->viewState()->cursor());
}

}  // namespace warplens::gui
