// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace warplens::gui {

/// When a moved slider starts a run. Changes within 60 ms become one; a run that is nearly done is let finish, so that
/// dragging shows a stream of pictures; one that takes longer than 250 ms is replaced.
class LivePolicy : public QObject {
    Q_OBJECT
public:
    static constexpr int kDebounceMs = 60;
    static constexpr int kPatienceMs = 250;

    explicit LivePolicy(QObject* parent = nullptr);
    /// Something changed.
    void request();
    /// Something changed whose picture is seen without the run: that waits until nothing has changed for 60 ms.
    void requestAtRest();
    /// Forgets a request that is not due yet.
    void drop();
    /// The run of the last due() began, or ended in whatever way.
    void began();
    void ended();
    bool running() const { return m_running; }
    bool pending() const { return m_timer.isActive() || m_waiting; }

signals:
    /// Run now, with the newest values.
    void due();

private:
    void elapsed();
    QTimer m_timer;
    QElapsedTimer m_since;
    bool m_running = false;
    bool m_waiting = false;
};

}  // namespace warplens::gui
