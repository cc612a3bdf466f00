// SPDX-License-Identifier: Apache-2.0
#include "gui/session/live_policy.hpp"

#include <algorithm>

namespace warplens::gui {

LivePolicy::LivePolicy(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &LivePolicy::elapsed);
}

void LivePolicy::request() {
    // Not restarted by further changes: a slider in motion must not starve the picture.
    if (!m_timer.isActive() && !m_waiting) m_timer.start(kDebounceMs);
}

void LivePolicy::requestAtRest() {
    m_waiting = false;
    m_timer.start(kDebounceMs);
}

void LivePolicy::drop() {
    m_timer.stop();
    m_waiting = false;
}

void LivePolicy::elapsed() {
    m_waiting = false;
    if (m_running && m_since.elapsed() < kPatienceMs) {
        m_waiting = true;
        m_timer.start(static_cast<int>(std::max<qint64>(1, kPatienceMs - m_since.elapsed())));
        return;
    }
    emit due();
}

void LivePolicy::began() {
    m_running = true;
    m_since.start();
}

void LivePolicy::ended() {
    m_running = false;
    if (!m_waiting) return;
    m_waiting = false;
    m_timer.start(0);
}

}  // namespace warplens::gui
