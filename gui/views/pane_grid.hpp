// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/views/pane.hpp"
#include "gui/views/pane_content.hpp"
#include "gui/views/view_state.hpp"

#include <QWidget>
#include <memory>
#include <vector>

namespace warplens::gui {

/// 1 to 6 panes of one size: 1, 1 x 2, 2 x 2 or 2 x 3. One of them is current. Range, colour map, slice and cursor
/// pixel are the same in all panes always; zoom and centre while linked.
class PaneGrid : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMaxPanes = 6;

    explicit PaneGrid(QWidget* parent = nullptr);
    ~PaneGrid() override;

    /// What the linked panes share; lives as long as the grid. setPanes() sets its picture size from the first picture.
    ViewState* viewState() const { return m_state; }
    /// What zooming should act on: the shared state, or while unlinked the current pane's own.
    ViewState* currentViewState() const;
    /// At most kMaxPanes are shown, the first ones. The current pane is kept by key. Panes are reused, so updating often is cheap.
    void setPanes(const std::vector<PaneContent>& contents);
    const std::vector<PaneContent>& panes() const { return m_contents; }
    /// Index into panes(), or -1 without panes.
    int current() const { return m_current; }
    bool linked() const { return m_linked; }
    bool maximised() const { return m_maximised; }
    Pane* pane(int index) const;

    QSize minimumSizeHint() const override;

public slots:
    void setCurrent(int index);
    void setLinked(bool linked);
    /// Only the current pane, or all again (double click, Enter).
    void setMaximised(bool maximised);

signals:
    void currentChanged(int index);

private:
    void arrange();
    void shareDisplay();

    ViewState* m_state;
    std::vector<PaneContent> m_contents;
    std::vector<Pane*> m_panes;
    std::vector<ViewState*> m_own;  // one a pane, used while unlinked
    int m_current = -1;
    bool m_linked = true;
    bool m_maximised = false;
};

}  // namespace warplens::gui
