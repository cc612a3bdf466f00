// SPDX-License-Identifier: Apache-2.0
#include "gui/window/window_place.hpp"

#include <QCryptographicHash>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <algorithm>

namespace warplens::gui {

namespace {

const QString kGeometry = QStringLiteral("window/geometry"), kState = QStringLiteral("window/state");
constexpr int kStateVersion = 3;

/// Qt reads back what it saved without checking it: a damaged layout of docks could end the program. So a digest stands
/// before what is kept, and what does not match its own is left out.
QByteArray digestOf(const QByteArray& kept) { return QCryptographicHash::hash(kept, QCryptographicHash::Sha256); }

QByteArray sealed(const QByteArray& kept) { return digestOf(kept) + kept; }

QByteArray unsealed(const QVariant& setting) {
    const QByteArray both = setting.toByteArray();
    const qsizetype digest = QCryptographicHash::hashLength(QCryptographicHash::Sha256);
    const QByteArray kept = both.mid(digest);
    return both.size() > digest && both.left(digest) == digestOf(kept) ? kept : QByteArray();
}

/// What the window manager draws around the window; a usual frame as long as that is not known.
QSize frameOf(const QWidget& window) {
    const QSize drawn = window.frameGeometry().size() - window.size();
    return window.isVisible() && !drawn.isNull() ? drawn : QSize(16, 48);
}

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

void WindowPlace::fitToScreen(QWidget& window) {
    if (window.isMaximized() || window.isFullScreen()) return;
    const QScreen* under = QGuiApplication::screenAt(window.frameGeometry().center());
    const QScreen* screen = under != nullptr ? under : window.screen();
    if (screen == nullptr) return;
    const QRect room = screen->availableGeometry();
    const QSize frame = frameOf(window), size = window.size().boundedTo(room.size() - frame);
    if (size != window.size()) window.resize(size);
    const QSize outer = size + frame;
    const auto along = [](int at, int from, int length, int own) {
        return std::clamp(at, from, from + std::max(0, length - own));
    };
    const QPoint corner(along(window.x(), room.left(), room.width(), outer.width()),
                        along(window.y(), room.top(), room.height(), outer.height()));
    if (corner != window.pos()) window.move(corner);
}

void WindowPlace::restore(QMainWindow& window) {
    // Further windows do not cover the first, which left its place to all of them.
    const int nth = take();
    // The docks before the state of the window: for a window that is to be maximised Qt keeps a second layout aside
    // until it is shown, which refers to docks that have been moved since.
    window.restoreState(unsealed(m_settings.value(kState)), kStateVersion);
    const QByteArray geometry = unsealed(m_settings.value(kGeometry));
    const bool placed = !geometry.isEmpty() && window.restoreGeometry(geometry);
    const Qt::WindowStates states = window.windowState();
    // A maximised one too has the size that it gets when it is maximised no longer.
    window.setWindowState(Qt::WindowNoState);
    constexpr int kStep = 32;
    if (placed && nth > 0) window.move(window.pos() + nth * QPoint(kStep, kStep));
    if (placed) fitToScreen(window);
    window.setWindowState(states & ~Qt::WindowMinimized);
}

void WindowPlace::keepSize(const QMainWindow& window) const {
    m_settings.setValue(kGeometry, sealed(window.saveGeometry()));
}

void WindowPlace::keepDocks(const QMainWindow& window) const {
    m_settings.setValue(kState, sealed(window.saveState(kStateVersion)));
}

}  // namespace warplens::gui
