// SPDX-License-Identifier: Apache-2.0
#include "gui/session/samples.hpp"

#include "gui/session/file_formats.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace warplens::gui {

QString resourceFolder(const QString& name) {
    // As on the command line: another folder instead of the program's own.
    if (const QString chosen = qEnvironmentVariable("WARPLENS_RESOURCES"); !chosen.isEmpty())
        return QDir(chosen).exists(name) ? QDir(chosen).filePath(name) : QString();
    QDir folder(QCoreApplication::applicationDirPath());
    for (int up = 0; up < 6; ++up) {
        for (const char* below : {"share/warplens/", "resources/"})
            if (folder.exists(QString::fromUtf8(below) + name)) return folder.filePath(QString::fromUtf8(below) + name);
        if (!folder.cdUp()) break;
    }
    return {};
}

QStringList samplePictures() {
    const QString folder = resourceFolder(QStringLiteral("samples"));
    if (folder.isEmpty()) return {};
    QStringList paths;
    for (const Readable which : {Readable::flat, Readable::inFolders})
        for (const QFileInfo& file : QDir(folder).entryInfoList(namePatterns(which), QDir::Files, QDir::Name))
            if (const QString path = QDir::cleanPath(file.absoluteFilePath()); !paths.contains(path)) paths << path;
    return paths;
}

QStringList generatedSamples() {
    return {QStringLiteral("gen:zoneplate:512x512:f32"),   QStringLiteral("gen:noise:512x512:f32"),
            QStringLiteral("gen:checkerboard:512x512:u8"), QStringLiteral("gen:impulse:65x65:f32"),
            QStringLiteral("gen:gradient:512x512:u16"),    QStringLiteral("gen:coins:512x512:u8:seed=11")};
}

QString defaultSample() {
    const QStringList pictures = samplePictures();
    for (const QString& path : pictures)
        if (QFileInfo(path).baseName().startsWith(QStringLiteral("camera"))) return path;
    return pictures.isEmpty() ? generatedSamples().front() : pictures.front();
}

}  // namespace warplens::gui
