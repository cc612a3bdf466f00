// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/session/compare_session.hpp"

#include <QTimer>
#include <vector>

class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace warplens::gui {

class ColourMapButton;
class InspectorStrip;
class PageTool;
class RangeBar;
class ToolStrip;

/// Input and results side by side: tool strip, notice, the panes and the inspector. What else it shows its tools bring.
/// Its commands are its actions(), whose keys work while the page is shown.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(CompareSession& session, QWidget* parent = nullptr);
    ~ComparePage() override;

    PaneGrid* panes() const { return m_grid; }
    RangeBar* range() const { return m_range; }
    /// The page's tools, once, in the order of their commands; `buttons` are those of the strip, from the left.
    void setTools(const std::vector<PageTool*>& tools, const std::vector<PageTool*>& buttons);
    /// Makes a result the current one, or shows the input, by its key.
    void choose(const QString& key);

    QString id() const override { return QStringLiteral("compare"); }
    QString title() const override { return tr("Compare"); }
    bool takes(const gpu::Family&) const override { return true; }
    ViewState* currentView() const override { return m_grid->currentViewState(); }
    bool linked() const override { return m_grid->linked(); }
    void setLinked(bool linked) override;
    QImage view() override;
    bool settled() const override;
    void restore(const QSettings& settings) override;
    void save(QSettings& settings) const override;
    QJsonObject sessionView() const override;
    void setSessionView(const QJsonObject& view) override;
    /// Panes in all: 1 to 6.
    int paneCount() const { return m_paneCount; }
    void setPaneCount(int count);

signals:
    void paneCountChanged(int count);

private:
    void makeStrip();
    void take(PageTool& tool);
    /// A tool was switched on or off that has a pane of its own.
    void makeRoom(const PageTool& tool);
    void showSide();
    /// Range and colours act on the current pane's view.
    void bindDisplay();
    void chooseByPane(int index);
    void refresh();
    void placeTools();
    void placeOverlays();

    CompareSession& m_session;
    PaneGrid* m_grid;
    InspectorStrip* m_inspector;
    RangeBar* m_range;
    ToolStrip* m_strip;
    QPushButton* m_link;
    QToolButton* m_layoutButton;
    ColourMapButton* m_colours;
    QScrollArea* m_side;
    QVBoxLayout *m_column, *m_sideColumn;
    std::vector<PageTool*> m_tools;
    QTimer m_later;
    int m_paneCount = 4, m_attached = 0;
    bool m_showing = false;
    bool m_inputChosen = false;  ///< the current pane is the input's
    bool m_inputAlone = false;   ///< the only pane shows the input
};

}  // namespace warplens::gui
