// SPDX-License-Identifier: Apache-2.0
#include "gui/models/recent_files.hpp"

#include <QFileInfo>
#include <QSettings>

namespace warplens::gui {

namespace {
const QString kKey = QStringLiteral("recent/files");
}

RecentFiles::RecentFiles(QSettings& settings, QObject* parent) : QObject(parent), m_settings(settings) {}

void RecentFiles::add(const QString& path) {
    const QFileInfo file(path);
    if (!file.isFile()) return;
    QStringList files = m_settings.value(kKey).toStringList();
    files.removeAll(file.absoluteFilePath());
    files.prepend(file.absoluteFilePath());
    if (files.size() > kMost) files = files.first(kMost);
    m_settings.setValue(kKey, files);
    emit changed();
}

QStringList RecentFiles::list() const {
    QStringList present;
    for (const QString& file : m_settings.value(kKey).toStringList())
        if (QFileInfo(file).isFile()) present << file;
    return present;
}

}  // namespace warplens::gui
