// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFocusFrame>
#include <QObject>
#include <QPointer>

namespace warplens::gui {

/// 2 px accent ring, 1 px off, around the widget that has the keyboard focus. It appears once focus was moved by
/// key, and stays away while the mouse does it. Theme::install() makes the only one.
class FocusRing : public QObject {
    Q_OBJECT

public:
    /// Watches the whole application.
    explicit FocusRing(QObject* parent = nullptr);
    ~FocusRing() override;

    /// The widget with the ring, or null.
    QWidget* widget() const { return m_frame ? m_frame->widget() : nullptr; }
    /// What draws the ring; null before the first time and after its window has gone.
    QFocusFrame* frame() const { return m_frame; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* target);

    // A frame becomes a child of the window that it is in and dies with it, so it is made again when needed.
    QPointer<QFocusFrame> m_frame;
};

}  // namespace warplens::gui
