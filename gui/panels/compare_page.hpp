// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"
#include "gui/views/pane_content.hpp"

#include <QTimer>
#include <QWidget>

class QPushButton;
class QToolButton;

namespace warplens::gui {

class InspectorStrip;
class NoticeBar;
class PaneGrid;
class RangeBar;
class ViewState;

/// Centre of the window: tool strip, notice, the panes and the inspector.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(CompareSession& session, QWidget* parent = nullptr);

    PaneGrid* panes() const {
        return m_grid;
    }
    QToolButton* layoutButton() const {
        return m_layoutButton;
    }
    /// All panes with their captions, as they are on the screen.
    QImage view();
    /// Panes in all: 1, 2, 4 or 6.
    int paneCount() const {
        return m_paneCount;
    }
    void setPaneCount(int count);
    /// Whether every pane has its final picture for the present zoom.
    bool settled() const;

public slots:
    void zoomIn();
    void zoomOut();
    void actualSize();
    void fit();
    void setLinked(bool linked);

signals:
    void linkedChanged(bool linked);
    void paneCountChanged(int count);
    /// "Why?" beside the notice.
    void helpWanted();
    void viewChanged();

private:
    QWidget* makeStrip();
    void refresh();
    void refreshNotice();
    void chooseByPane(int index);
    PaneContent content(const std::string& variant) const;
    ViewState* currentView() const;

    CompareSession& m_session;
    PaneGrid* m_grid;
    NoticeBar* m_notice;
    InspectorStrip* m_inspector;
    RangeBar* m_range;
    QPushButton* m_link;
    QToolButton* m_layoutButton;
    QTimer m_later;
    int m_paneCount = 4;
    bool m_showing = false;
};

}  // namespace warplens::gui
