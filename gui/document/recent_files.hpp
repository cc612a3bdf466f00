// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace warplens::gui {

/// The files opened last, newest first, kept in the settings. Missing files are left out when listed.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 10;
    /// The settings outlive this object.
    explicit RecentFiles(QSettings& settings, QObject* parent = nullptr);
    /// Takes files only; generated inputs are not remembered.
    void add(const QString& path);
    QStringList list() const;

signals:
    void changed();

private:
    QSettings& m_settings;
};

}  // namespace warplens::gui
