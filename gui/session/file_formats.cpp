// SPDX-License-Identifier: Apache-2.0
#include "gui/session/file_formats.hpp"

#include "io/format.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace warplens::gui {

namespace {

/// Of pictures and volumes; those that are written as `first` before the others.
std::vector<const io::Format*> written(const QString& first) {
    std::vector<const io::Format*> all;
    for (const io::Format& format : io::formats())
        if (!format.writes.empty() && !format.table) all.push_back(&format);
    std::ranges::stable_partition(all, [&](const io::Format* f) { return io::writesAs(*f, first.toStdString()); });
    return all;
}

QStringList patternsOf(const std::vector<const char*>& extensions) {
    QStringList patterns;
    for (const char* extension : extensions) patterns << QStringLiteral("*.") + QLatin1String(extension);
    return patterns;
}

}  // namespace

QStringList namePatterns(Readable which) {
    QStringList patterns;
    for (const io::Format& format : io::formats()) {
        if (which != Readable::everything && format.table) continue;
        if (which == Readable::flat && format.geometry) continue;
        patterns << patternsOf(format.extensions) << patternsOf(format.readAs);
    }
    return patterns;
}

QStringList writtenExtensions(const QString& first) {
    QStringList extensions;
    for (const io::Format* format : written(first)) extensions << QLatin1String(format->extensions.front());
    return extensions;
}

QStringList saveFilters(bool volume, const QString& first, std::optional<io::PixelType> type) {
    QStringList filters;
    for (const io::Format* format : written(first)) {
        if (volume ? !format->volumes : format->geometry) continue;
        if (type && std::ranges::find(format->writes, *type) == format->writes.end()) continue;
        const QString note = QCoreApplication::translate("Formats", format->note);
        filters << QStringLiteral("%1, %2 (%3)").arg(format->title, note, patternsOf(format->extensions).join(' '));
    }
    return filters;
}

}  // namespace warplens::gui
