// SPDX-License-Identifier: Apache-2.0
#include "gui/session/file_formats.hpp"

#include "gui/kit/theme/format.hpp"
#include "io/error.hpp"
#include "io/format.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

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

using io::RawType;

/// The commonest first, where several have the same size.
constexpr std::array kTypes{RawType::u8, RawType::u16, RawType::f32, RawType::i16};

constexpr std::int64_t kLongestHeader = 4096;  // that one would guess

/// The whole root of `values`, or 0.
std::int64_t wholeRoot(std::int64_t values, int power) {
    const auto root = std::llround(std::pow(static_cast<double>(values), 1.0 / power));
    std::int64_t product = 1;
    for (int i = 0; i < power; ++i) product *= root;
    return product == values ? root : 0;
}

QString tr(const char* text) { return QCoreApplication::translate("RawGuess", text); }

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

QString seriesOf(const QString& path) {
    const QFileInfo file(path);
    // What stands behind the number may hold digits only as part of the ending: "a7.jp2".
    static const QRegularExpression number(QStringLiteral("^(.*?)([0-9]+)([^0-9]*(\\.[^.]*)?)$"));
    const QRegularExpressionMatch match = number.match(file.fileName());
    if (!match.hasMatch()) return {};
    const QString before = match.captured(1), digits = match.captured(2), behind = match.captured(3);
    const auto padded = [&] {
        if (digits.startsWith('0')) return true;
        const QString beside = QRegularExpression::escape(before) +
                               QStringLiteral("0[0-9]{%1}").arg(digits.size() - 1) + QRegularExpression::escape(behind);
        const QRegularExpression name(QRegularExpression::anchoredPattern(beside));
        const QStringList names = file.dir().entryList(QDir::Files);
        return names.indexOf(name) >= 0;
    };
    const qsizetype width = digits.size() > 1 && padded() ? digits.size() : 1;
    return QStringLiteral("series:") + file.dir().filePath(before + QString(width, '#') + behind);
}

bool looksRaw(const QString& path) {
    static const QStringList suffixes{QStringLiteral("raw"), QStringLiteral("bin"), QStringLiteral("dat"),
                                      QStringLiteral("vol")};
    return suffixes.contains(QFileInfo(path).suffix().toLower());
}

io::RawDescription guessRaw(const QString& path, std::int64_t bytes) {
    io::RawDescription raw;
    raw.file = path.toStdString();
    static const QRegularExpression extent(QStringLiteral("(\\d+)x(\\d+)(?:x(\\d+))?"));
    const QString name = QFileInfo(path).fileName();
    if (const auto found = extent.match(name); found.hasMatch()) {
        const auto side = [&](int i) {
            return std::clamp<std::int64_t>(found.captured(i).isEmpty() ? 1 : found.captured(i).toLongLong(), 1,
                                            1 << 30);
        };
        raw.shape = {side(1), side(2), side(3), 1};
        const bool sign = name.contains(QStringLiteral("int16")) && !name.contains(QStringLiteral("uint16"));
        // What leaves the least before it, as a header: nothing at best.
        std::int64_t least = kLongestHeader + 1;
        io::RawDescription best = raw;
        for (const RawType type : kTypes) {
            raw.type = sign && type == RawType::u16 ? RawType::i16 : type;
            raw.skip = 0;
            try {
                raw.skip = bytes - raw.bytesNeeded();
            } catch (const io::Error&) {
                continue;  // larger than any file
            }
            if (raw.skip < 0 || raw.skip >= least) continue;
            least = raw.skip;
            best = raw;
        }
        return best;
    }
    for (const int power : {3, 2})
        for (const RawType type : kTypes) {
            const auto size = static_cast<std::int64_t>(io::sizeOf(type));
            const std::int64_t side = bytes % size == 0 ? wholeRoot(bytes / size, power) : 0;
            if (side < 2) continue;
            raw.type = type;
            raw.shape = {side, side, power == 3 ? side : 1, 1};
            return raw;
        }
    raw.shape = {std::max<std::int64_t>(1, bytes), 1, 1, 1};
    return raw;
}

RawFit rawFit(const io::RawDescription& raw, std::int64_t bytes) {
    try {
        const std::int64_t needed = raw.bytesNeeded();
        const QString needs = tr("needs %1 bytes; the file has ").arg(format::integer(needed));
        if (bytes == needed) return {true, needs + tr("just as many")};
        return {false, needs + (bytes < needed ? tr("%1 too few").arg(format::integer(needed - bytes))
                                               : tr("%1 too many").arg(format::integer(bytes - needed)))};
    } catch (const io::Error& error) {
        return {false, QString::fromUtf8(error.what())};
    }
}

}  // namespace warplens::gui
