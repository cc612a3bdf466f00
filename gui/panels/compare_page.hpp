// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"
#include "gui/panels/page.hpp"
#include "gui/views/pane_content.hpp"

#include <QTimer>

class QPushButton;
class QToolButton;

namespace warplens::gui {

class InspectorStrip;
class PaneGrid;
class RangeBar;
class SessionNotice;
class ViewState;

/// Input and results side by side: tool strip, notice, the panes and the inspector.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(CompareSession& session, QWidget* parent = nullptr);

    PaneGrid* panes() const {
        return m_grid;
    }
    QToolButton* layoutButton() const {
        return m_layoutButton;
    }
    QString id() const override;
    QString title() const override;
    bool takes(const gpu::Family&) const override {
        return true;
    }
    ViewState* currentView() const override;
    bool linked() const override;
    void setLinked(bool linked) override;
    QImage view() override;
    bool settled() const override;
    void restore(const QSettings& settings) override;
    void save(QSettings& settings) const override;
    /// Panes in all: 1, 2, 4 or 6.
    int paneCount() const {
        return m_paneCount;
    }
    void setPaneCount(int count);

signals:
    void paneCountChanged(int count);

private:
    QWidget* makeStrip();
    void refresh();
    void chooseByPane(int index);
    PaneContent content(const std::string& variant) const;

    CompareSession& m_session;
    PaneGrid* m_grid;
    SessionNotice* m_notice;
    InspectorStrip* m_inspector;
    RangeBar* m_range;
    QPushButton* m_link;
    QToolButton* m_layoutButton;
    QTimer m_later;
    int m_paneCount = 4;
    bool m_showing = false;
};

}  // namespace warplens::gui
