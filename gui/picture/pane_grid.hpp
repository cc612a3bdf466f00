// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/difference.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/view_state.hpp"

#include <QWidget>
#include <vector>

namespace warplens::gui {

/// 1 to 6 panes of one size, in one row or two. One of them is current. Slice and cursor pixel are the same in all
/// panes always; zoom, centre, range and colour map while linked. All can flip to one reference picture; one may hold a
/// wipe line against it.
class PaneGrid : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMaxPanes = 6;

    explicit PaneGrid(QWidget* parent = nullptr);
    ~PaneGrid() override;

    /// What the linked panes share; lives as long as the grid. setPanes() sets its picture size so that every
    /// picture fits.
    ViewState* viewState() const { return m_state; }
    /// What zooming should act on: the shared state, or while unlinked the current pane's own.
    ViewState* currentViewState() const;
    /// At most kMaxPanes are shown, the first ones. The current pane is kept by key. Panes are reused, so updating
    /// often is cheap.
    void setPanes(const std::vector<PaneContent>& contents);
    const std::vector<PaneContent>& panes() const { return m_contents; }
    /// Index into panes(), or -1 without panes.
    int current() const { return m_current; }
    bool linked() const { return m_linked; }
    bool maximised() const { return m_maximised; }
    Pane* pane(int index) const;
    /// The one with that key; null: none is shown.
    Pane* pane(const QString& key) const;
    /// Whether all pictures are drawn as they will stay.
    bool settled() const;
    /// Shows a pixel, large enough to be seen, under the cursor.
    void goTo(gpu::PixelPlace place);
    /// The picture that panes flip to and wipe against; without a picture: none.
    void setReference(const PaneContent& reference);
    bool flipped() const { return m_flipped; }
    /// A wipe line in the pane of that key, if it is shown and comparable; an empty key: none. The names in `wipe` are
    /// filled in.
    void setWipe(const QString& key, const Wipe& wipe);

    QSize minimumSizeHint() const override;

public slots:
    void setCurrent(int index);
    void setLinked(bool linked);
    /// Only the current pane, or all again (double click, Enter).
    void setMaximised(bool maximised);
    /// In every pane, linked or not.
    void setRange(warplens::gui::DisplayRange range);
    /// All panes show the reference.
    void setFlipped(bool flipped);

signals:
    /// The picture of the pane with this key was painted for the first time; milliseconds, measured.
    void painted(const QString& key, double ms);
    /// The wipe line was dragged, or clicked with Ctrl.
    void wipeMoved(double at);
    void wipeTurned();
    void currentChanged(int index);

private:
    void arrange();
    void shareDisplay();
    void tellViews();
    void placeReference();

    ViewState* m_state;
    std::vector<PaneContent> m_contents;
    std::vector<Pane*> m_panes;
    std::vector<ViewState*> m_own;  // one a pane, used while unlinked
    PaneContent m_reference;
    QString m_wipeKey;
    Wipe m_wipe;
    bool m_flipped = false;
    int m_current = -1;
    bool m_linked = true;
    bool m_maximised = false;
};

}  // namespace warplens::gui
