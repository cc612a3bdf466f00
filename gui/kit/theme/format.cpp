// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme/format.hpp"

#include "gpu/report/figures.hpp"

#include <QDate>
#include <QLocale>
#include <array>
#include <charconv>
#include <cmath>

namespace warplens::gui::format {

namespace {

const QChar kMinus(0x2212);
const QChar kTimes(0x00d7);
const QChar kInfinity(0x221e);

/// Plain decimal ASCII to our writing: commas in the whole part, true minus.
QString dressed(QString text) {
    const bool negative = text.startsWith(u'-');
    if (negative) text.remove(0, 1);
    qsizetype end = text.indexOf(u'.');
    if (end < 0) end = text.size();
    for (qsizetype at = end - 3; at > 0; at -= 3) text.insert(at, u',');
    return negative ? kMinus + text : text;
}

QString nonFinite(double value) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    return value < 0 ? QString(kMinus) + kInfinity : QString(kInfinity);
}

}  // namespace

QString significant(double value, int digits) {
    if (!std::isfinite(value)) return nonFinite(value);
    if (value == 0) return QStringLiteral("0");
    int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    int decimals = std::max(0, digits - 1 - magnitude);
    // 0.9996 rounds up into the next magnitude and then has a digit too many.
    const double unit = std::pow(10.0, magnitude - digits + 1);
    if (std::round(std::abs(value) / unit) * unit >= std::pow(10.0, magnitude + 1) * (1 - 1e-12)) {
        decimals = std::max(0, decimals - 1);
    }
    return dressed(QString::number(value, 'f', decimals));
}

QString milliseconds(double value) { return significant(value); }

QString integer(std::int64_t value) { return dressed(QString::number(static_cast<qlonglong>(value))); }

QString signedInteger(std::int64_t value) { return value > 0 ? u'+' + integer(value) : integer(value); }

QString ratio(double value) { return significant(value) + kTimes; }

QString percent(double fraction) {
    if (!std::isfinite(fraction)) return nonFinite(fraction);
    const double value = fraction * 100;
    const bool whole = std::abs(value) >= 10 || std::abs(value - std::round(value)) < 0.05;
    return dressed(QString::number(value, 'f', whole ? 0 : 1)) + QStringLiteral(" %");
}

QString bytes(std::int64_t value) {
    if (value == 0) return QStringLiteral("0");
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
    double scaled = static_cast<double>(value);
    std::size_t unit = 0;
    while (std::abs(scaled) >= 1024 && unit + 1 < units.size()) scaled /= 1024, ++unit;
    const bool whole = unit == 0 || scaled >= 100;
    return dressed(QString::number(scaled, 'f', whole ? 0 : 1)) + u' ' + QLatin1String(units[unit]);
}

QString value(double value) {
    if (!std::isfinite(value)) return nonFinite(value);
    if (value == std::round(value) && std::abs(value) < 1e15) return integer(static_cast<std::int64_t>(value));
    const QString text = QString::number(value, 'g', 6);
    return text.contains(u'e') ? QString(text).replace(u'-', kMinus) : dressed(text);
}

QString exact(float value) {
    if (!std::isfinite(value)) return nonFinite(value);
    std::array<char, 64> buffer;
    // Powers of ten only where plain digits would be a row of zeros.
    const float size = std::abs(value);
    const bool plain = value == 0 || (size >= 1e-5F && size < 1e9F);
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   plain ? std::chars_format::fixed : std::chars_format::scientific);
    const QString text = QString::fromLatin1(buffer.data(), end.ptr - buffer.data());
    if (plain) return dressed(text);
    return QString(text).replace(u'-', kMinus);
}

QString date(const std::string& iso) {
    const QDate day = QDate::fromString(QString::fromStdString(iso.substr(0, 10)), Qt::ISODate);
    return day.isValid() ? QLocale::c().toString(day, QStringLiteral("d MMM yyyy")) : QString::fromStdString(iso);
}

QString extent(std::int64_t width, std::int64_t height) {
    return integer(width) + u' ' + kTimes + u' ' + integer(height);
}

QString compact(double value, int digits) { return QString::fromStdString(gpu::compact(value, digits)); }

QString brief(double value) {
    const double size = std::abs(value);
    const bool many = std::isfinite(value) && value != 0 && (size < 1e-4 || size >= 1e7);
    return many ? compact(value) : significant(value);
}

QString trimmed(QString text) {
    if (!text.contains(u'.')) return text;
    while (text.endsWith(u'0')) text.chop(1);
    if (text.endsWith(u'.')) text.chop(1);
    return text;
}

QString scientific(double value, int digits) { return QString::fromStdString(gpu::scientific(value, digits)); }

}  // namespace warplens::gui::format
