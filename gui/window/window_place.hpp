// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLockFile>
#include <memory>

class QMainWindow;
class QSettings;
class QWidget;

namespace warplens::gui {

/// Where a window and its docks stand, from one start of the program to the next; further windows that are open with
/// the same settings do not cover the first.
class WindowPlace {
public:
    /// `settings` outlive it.
    explicit WindowPlace(QSettings& settings) : m_settings(settings) {}

    /// Before the window is shown. Settings may hold anything: what is damaged is left out, and a place on another
    /// screen becomes one on a screen that is there.
    void restore(QMainWindow& window);
    void keepSize(const QMainWindow& window) const;
    void keepDocks(const QMainWindow& window) const;

    /// Moves and shrinks a window that is neither maximised nor full screen so that it lies on its screen with its
    /// frame.
    static void fitToScreen(QWidget& window);

private:
    int take();

    QSettings& m_settings;
    std::unique_ptr<QLockFile> m_lock;  ///< the first, second, ... of the windows that share these settings
};

}  // namespace warplens::gui
