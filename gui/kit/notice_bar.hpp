// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"

#include <QWidget>

class QLabel;
class QPushButton;

namespace warplens::gui {

/// A calm notice above the panes, with a round i. Hidden while it has no text.
class NoticeBar : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);
    /// `text` may hold <b>; plain otherwise. Empty hides the bar.
    void setNotice(const QString& text);
    /// A flat button on the right, "Why?"; empty hides it.
    void setAction(const QString& text, const QString& shortcut = {});
    QString text() const;

signals:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QPushButton* m_action;
};

/// The session's notice above a page: what went wrong, with Dismiss, or what must be known, with Why?
class SessionNotice : public NoticeBar {
    Q_OBJECT
public:
    /// What must be known all the time is said where there is room for it, with `standing`.
    explicit SessionNotice(Activity& activity, QWidget* parent = nullptr, bool standing = true);

signals:
    /// "Why?" was asked.
    void helpWanted();

private:
    void refresh();
    Activity& m_activity;
    bool m_standing;
};

}  // namespace warplens::gui
