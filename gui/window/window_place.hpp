// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLockFile>
#include <memory>

class QMainWindow;
class QSettings;

namespace warplens::gui {

/// Where a window and its docks stand, from one start of the program to the next; further windows that are open with
/// the same settings do not cover the first.
class WindowPlace {
public:
    /// `settings` outlive it.
    explicit WindowPlace(QSettings& settings) : m_settings(settings) {}

    void restore(QMainWindow& window);
    void keepSize(const QMainWindow& window) const;
    void keepDocks(const QMainWindow& window) const;

private:
    int take();

    QSettings& m_settings;
    std::unique_ptr<QLockFile> m_lock;  ///< the first, second, ... of the windows that share these settings
};

}  // namespace warplens::gui
