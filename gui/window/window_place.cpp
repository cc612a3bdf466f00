// SPDX-License-Identifier: Apache-2.0
#include "gui/window/window_place.hpp"

#include <QMainWindow>
#include <QSettings>

namespace warplens::gui {

namespace {

const QString kGeometry = QStringLiteral("window/geometry"), kState = QStringLiteral("window/state");
constexpr int kStateVersion = 2;

}  // namespace

/// Which of the open windows with these settings this one is, from 0.
int WindowPlace::take() {
    constexpr int kMost = 8;
    for (int nth = 0; nth < kMost; ++nth) {
        m_lock = std::make_unique<QLockFile>(QStringLiteral("%1.window-%2").arg(m_settings.fileName()).arg(nth));
        m_lock->setStaleLockTime(0);  // as long as its program lives
        if (m_lock->tryLock(0)) return nth;
        if (m_lock->error() != QLockFile::LockFailedError) break;  // nothing can be written there
    }
    m_lock.reset();
    return 0;
}

void WindowPlace::restore(QMainWindow& window) {
    // Further windows do not cover the first, which left its place to all of them.
    const int nth = take();
    const bool placed = window.restoreGeometry(m_settings.value(kGeometry).toByteArray());
    constexpr int kStep = 32;
    if (placed && nth > 0 && !window.isMaximized() && !window.isFullScreen())
        window.move(window.pos() + nth * QPoint(kStep, kStep));
    window.restoreState(m_settings.value(kState).toByteArray(), kStateVersion);
}

void WindowPlace::keepSize(const QMainWindow& window) const { m_settings.setValue(kGeometry, window.saveGeometry()); }

void WindowPlace::keepDocks(const QMainWindow& window) const {
    m_settings.setValue(kState, window.saveState(kStateVersion));
}

}  // namespace warplens::gui
