// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/tools.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/wipe.hpp"
#include "gui/session/compare_session.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr double kStep = 0.02;

class WipeTool : public PageTool {
public:
    WipeTool(Page& page, PaneGrid& panes, const RequestState& request) : PageTool(page, panes), m_request(request) {
        makeSwitch({.id = "wipe",
                    .text = tr("&Wipe line"),
                    .key = Qt::Key_W,
                    .tip = tr("A line with the reference on one side and the current result on the other; drag it."),
                    .button = tr("Wipe")});
        connect(action(), &QAction::triggered, this, &WipeTool::toggle);
        makeCommand("wipe-turn", tr("Turn the wipe &line"), Qt::Key_O, [this] { turn(); });
        makeCommand("wipe-swap", tr("&Swap the sides of the wipe line"), Qt::Key_S, [this] {
            m_wipe.swapped = !m_wipe.swapped;
            place();
        });
        makeCommand("wipe-back", tr("Wipe line left or up"), Qt::Key_BracketLeft, [this] { move(m_wipe.at - kStep); });
        makeCommand("wipe-on", tr("Wipe line right or down"), Qt::Key_BracketRight,
                    [this] { move(m_wipe.at + kStep); });
        connect(&panes, &PaneGrid::wipeMoved, this, &WipeTool::move);
        connect(&panes, &PaneGrid::wipeTurned, this, &WipeTool::turn);
    }

    void place() override {
        panes().setWipe(m_key, m_wipe);
        action()->setChecked(!m_key.isEmpty());
    }

    void save(QJsonObject& view) const override {
        view["wipe"] = m_key;
        view["wipe_at"] = m_wipe.at;
        view["wipe_across"] = m_wipe.line == Qt::Horizontal;
        view["wipe_swapped"] = m_wipe.swapped;
    }

    void restore(const QJsonObject& view) override {
        m_key = view["wipe"].toString();
        m_wipe.at = std::clamp(view["wipe_at"].toDouble(m_wipe.at), 0.0, 1.0);
        m_wipe.line = view["wipe_across"].toBool() ? Qt::Horizontal : Qt::Vertical;
        m_wipe.swapped = view["wipe_swapped"].toBool();
    }

private:
    /// Puts the line into the current pane, or takes it away from there.
    void toggle() {
        const Pane* pane = panes().pane(panes().current());
        const QString place =
            pane != nullptr && pane->comparable() ? pane->content().key : QString::fromStdString(m_request.current());
        m_key = m_key == place ? QString() : place;
        this->place();
    }

    void move(double at) {
        m_wipe.at = std::clamp(at, 0.0, 1.0);
        place();
    }

    void turn() {
        m_wipe.line = m_wipe.line == Qt::Vertical ? Qt::Horizontal : Qt::Vertical;
        place();
    }

    const RequestState& m_request;
    QString m_key;  ///< of the pane with the line; empty: none
    Wipe m_wipe;
};

}  // namespace

PageTool* makeWipeTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new WipeTool(page, panes, session.request());
}

}  // namespace warplens::gui
