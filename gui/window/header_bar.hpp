// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QMenuBar;
class QPushButton;

namespace warplens::gui {

/// 44 px on top: menus, the pages, the device, and the one primary button.
class HeaderBar : public QWidget {
    Q_OBJECT
public:
    explicit HeaderBar(RequestState& request, RunControl& control, Activity& activity, QWidget* parent = nullptr);
    QMenuBar* menus() const { return m_menus; }
    /// Adds a page's button to the middle; `chosen` is what is shown first.
    QPushButton* addPage(const QString& title, bool chosen);
    void setDeviceHidden(bool hidden);
    /// What the page shown puts in the place of Compare.
    void setPagePrimary(const Page::Primary& primary);
    QPushButton* primary() const { return m_primary; }

signals:
    void primaryClicked();

private:
    void refresh();
    RequestState& m_request;
    RunControl& m_control;
    QMenuBar* m_menus;
    QHBoxLayout* m_pages;
    QLabel* m_device;
    QPushButton* m_primary;
    Page::Primary m_pagePrimary;
    bool m_deviceHidden = false;
};

}  // namespace warplens::gui
