// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"

#include <QWidget>
#include <map>
#include <vector>

class QLabel;
class QMenuBar;
class QPushButton;
class QToolButton;

namespace warplens::gui {

/// 44 px on top: menus, the pages, the device, and the one primary button. A narrow one first shortens what the button
/// says, then folds the pages into a menu.
class HeaderBar : public QWidget {
    Q_OBJECT
public:
    explicit HeaderBar(RequestState& request, RunControl& control, Activity& activity, QWidget* parent = nullptr);
    QMenuBar* menus() const { return m_menus; }
    /// Adds a page's button to the middle of a workspace; `chosen` is what is shown first.
    QPushButton* addPage(Page::Workspace workspace, const QString& title, bool chosen);
    /// Shows the pages of this one.
    void setWorkspace(Page::Workspace workspace);
    /// Whether a page is there to be chosen, in its workspace.
    void setOffered(const QPushButton* page, bool offered);
    /// Without pages nobody is on one of them.
    void setPagesShown(bool shown);
    void setDeviceHidden(bool hidden);
    /// What the page shown puts in the place of Compare.
    void setPagePrimary(const Page::Primary& primary);
    QPushButton* primary() const { return m_primary; }

signals:
    void workspaceWanted(warplens::gui::Page::Workspace workspace);
    void primaryClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fit();
    RequestState& m_request;
    RunControl& m_control;
    QWidget* m_switch;
    QMenuBar* m_menus;
    QWidget* m_pages;
    std::map<Page::Workspace, QPushButton*> m_workspaces;
    struct Entry {
        Page::Workspace workspace;
        QPushButton* button;
        QAction* action;
        bool offered = true;
    };
    void showEntries();
    Page::Workspace m_workspace = Page::Workspace::lab;
    std::vector<Entry> m_entries;  ///< of the pages
    QToolButton* m_folded;         ///< the pages as a menu
    QLabel* m_device;
    QPushButton* m_primary;
    Page::Primary m_pagePrimary;
    bool m_deviceHidden = false, m_pagesShown = true;
    QString m_whole, m_short;  ///< what the primary button says
};

}  // namespace warplens::gui
