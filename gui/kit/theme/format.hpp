// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <cstdint>
#include <string>

/// Numbers as the window writes them: a comma for thousands, a true minus and multiplication sign, no locale.
namespace warplens::gui::format {

/// Three significant digits, never in powers of ten: 0.149, 1.30, 26.9, 803, 1,230; 0 is "0". Non-finite: "NaN", "∞",
/// "−∞".
QString significant(double value, int digits = 3);
/// A time in milliseconds without its unit; the same as significant().
QString milliseconds(double value);
/// 8,192
QString integer(std::int64_t value);
/// With a sign always, but for 0: "+7", "−7", "0".
QString signedInteger(std::int64_t value);
/// A factor: "3.79×".
QString ratio(double value);
/// 0.84 is "84 %"; below 10 % one decimal when it is not whole.
QString percent(double fraction);
/// "13.6 KiB", "256 MiB", "512 B", "0".
QString bytes(std::int64_t value);
/// A stored value or an edge: whole numbers whole, others with up to six significant digits: 256, 0.498039, 1.5e−7.
QString value(double value);
/// The shortest text that reads back as the same float: "30.435518", "−0.5", "NaN", "∞".
QString exact(float value);
/// "21 Nov 2026" of an ISO 8601 date, whatever time follows it; another text as it is.
QString date(const std::string& iso);
/// "8,192 × 8,192".
QString extent(std::int64_t width, std::int64_t height);
/// A value with so many significant digits, a power of ten where there are many zeros, a true minus: "9.41e−6", "0.25".
QString compact(double value, int digits = 3);
/// Plain digits with three of them, a power of ten where they would be many.
QString brief(double value);
/// Without zeros at the end that say nothing: "0.50" is "0.5".
QString trimmed(QString text);
/// Always with a power of ten: "2.47e−4".
QString scientific(double value, int digits = 3);

}  // namespace warplens::gui::format
