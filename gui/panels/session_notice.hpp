// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"
#include "gui/views/notice_bar.hpp"

namespace warplens::gui {

/// The session's notice above a page: what went wrong, with Dismiss, or what must be known, with Why?
class SessionNotice : public NoticeBar {
    Q_OBJECT
public:
    explicit SessionNotice(CompareSession& session, QWidget* parent = nullptr);

signals:
    /// "Why?" was asked.
    void helpWanted();

private:
    void refresh();
    CompareSession& m_session;
};

}  // namespace warplens::gui
