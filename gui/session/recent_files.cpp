// SPDX-License-Identifier: Apache-2.0
#include "gui/session/recent_files.hpp"

#include "io/error.hpp"
#include "io/read.hpp"

#include <QCryptographicHash>
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

QString RecentFiles::thumbnailFile(const QString& input) const {
    const QByteArray hash = QCryptographicHash::hash(input.toUtf8(), QCryptographicHash::Sha1).toHex();
    return QFileInfo(m_settings.fileName())
        .dir()
        .filePath(QStringLiteral("thumbnails/%1.png").arg(QLatin1String(hash)));
}

QDateTime RecentFiles::opened(const QString& path) const { return QFileInfo(thumbnailFile(path)).lastModified(); }

void RecentFiles::remove(const QString& path) {
    QStringList files = m_settings.value(kKey).toStringList();
    if (files.removeAll(path) == 0) return;
    QFile::remove(thumbnailFile(path));
    m_settings.setValue(kKey, files);
    emit changed();
}

void RecentFiles::forget() {
    for (const QString& file : m_settings.value(kKey).toStringList()) QFile::remove(thumbnailFile(file));
    m_settings.remove(kKey);
    emit changed();
}

void RecentFiles::add(const QString& path, const QImage& thumbnail) {
    if (!isThere(path)) return;
    const QString input = described(path) ? path : QFileInfo(path).absoluteFilePath();
    QStringList files = m_settings.value(kKey).toStringList();
    files.removeAll(input);
    files.prepend(input);
    for (; files.size() > kMost; files.removeLast()) QFile::remove(thumbnailFile(files.back()));
    const QString file = thumbnailFile(input);
    // A list without pictures is still a list: where they cannot be written there are none.
    if (!thumbnail.isNull() && QDir().mkpath(QFileInfo(file).path())) thumbnail.save(file);
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
