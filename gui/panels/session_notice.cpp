// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/session_notice.hpp"

namespace warplens::gui {

SessionNotice::SessionNotice(CompareSession& session, QWidget* parent) : NoticeBar(parent), m_session(session) {
    connect(&session, &CompareSession::noticeChanged, this, &SessionNotice::refresh);
    connect(this, &NoticeBar::actionTriggered, this, [this] {
        if (m_session.noticeIsError())
            m_session.dismissNotice();
        else
            emit helpWanted();
    });
    refresh();
}

void SessionNotice::refresh() {
    const QString text = m_session.notice();
    setNotice(text);
    if (m_session.noticeIsError())
        setAction(tr("Dismiss"));
    else
        setAction(text.isEmpty() ? QString() : tr("Why?"), QStringLiteral("F1"));
    setAccessibleName(this->text());
}

}  // namespace warplens::gui
