// SPDX-License-Identifier: Apache-2.0
#include "gui/document/recent_files.hpp"

#include "io/error.hpp"
#include "io/read.hpp"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace warplens::gui {

namespace {

const QString kKey = QStringLiteral("recent/files");

const QString kRaw = QStringLiteral("raw:"), kSeries = QStringLiteral("series:");

bool described(const QString& input) { return input.startsWith(kRaw) || input.startsWith(kSeries); }

/// Files without a header are remembered with what was said of them, raw:FILE:64x64:u8; series by their pattern.
bool isThere(const QString& input) {
    if (input.startsWith(kSeries)) return QFileInfo(input.mid(kSeries.size())).dir().exists();
    if (!input.startsWith(kRaw)) return QFileInfo::exists(input);
    try {
        return QFileInfo(QString::fromStdString(io::pathOf(input.toStdString()))).isFile();
    } catch (const io::Error&) {
        return false;
    }
}

}  // namespace

RecentFiles::RecentFiles(QSettings& settings, QObject* parent) : QObject(parent), m_settings(settings) {}

void RecentFiles::add(const QString& path) {
    if (!isThere(path)) return;
    const QString input = described(path) ? path : QFileInfo(path).absoluteFilePath();
    QStringList files = m_settings.value(kKey).toStringList();
    files.removeAll(input);
    files.prepend(input);
    if (files.size() > kMost) files = files.first(kMost);
    m_settings.setValue(kKey, files);
    emit changed();
}

QStringList RecentFiles::list() const {
    QStringList present;
    for (const QString& file : m_settings.value(kKey).toStringList())
        if (isThere(file)) present << file;
    return present;
}

}  // namespace warplens::gui
