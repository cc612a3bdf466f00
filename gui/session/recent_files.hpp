// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QImage>
#include <QObject>
#include <QStringList>

class QSettings;

namespace warplens::gui {

/// The files opened last, newest first, kept in the settings, and a small picture of each in a folder beside them.
/// Missing files are left out when listed.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr int kMost = 10;
    /// The settings outlive this object.
    explicit RecentFiles(QSettings& settings, QObject* parent = nullptr);
    /// Takes files only; generated inputs are not remembered.
    void add(const QString& path, const QImage& thumbnail = {});
    /// Of a file that is listed; null where none was kept.
    QImage thumbnail(const QString& path) const { return QImage(thumbnailFile(path)); }
    /// When it was opened last; not valid where that is not known.
    QDateTime opened(const QString& path) const;
    /// Leaves nothing of this file.
    void remove(const QString& path);
    /// Leaves nothing of any file.
    void forget();
    QStringList list() const;

signals:
    void changed();

private:
    QString thumbnailFile(const QString& input) const;
    QSettings& m_settings;
};

}  // namespace warplens::gui
