// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

namespace warplens::gui {

/// 1, 2 or 5 times a power of ten, not below `least`.
double roundStep(double least);

/// A linear axis from 0: values to pixels, and ticks at 1, 2 or 5 times a power of ten.
class TimeAxis {
public:
    /// `longest` lies at pixel `end`; ticks go on up to pixel `limit`, where that is further.
    TimeAxis(double begin, double end, double limit, double longest);

    /// False when there is nothing to show; then there are no ticks.
    bool valid() const { return m_scale > 0; }
    double x(double value) const { return m_begin + value * m_scale; }
    /// From 0 up, at least 56 px apart.
    std::vector<double> ticks() const;
    /// A tick's number without more digits than it needs.
    static QString label(double value);

private:
    double m_begin, m_limit, m_scale = 0;
};

/// Values to pixels across. Logarithmic means the logarithm of 1 + the distance from the left edge in bins, which is
/// there for 0 and for negative values as well.
class ValueScale {
public:
    ValueScale() = default;
    /// `unit`: the width of a bin.
    ValueScale(double low, double high, double unit, bool logarithmic, double left, double right);

    bool valid() const { return m_high > m_low && m_right > m_left; }
    double x(double value) const;
    double value(double x) const;
    /// Round values at least `apart` pixels from each other; both ends are among them on a linear scale where they are
    /// round.
    std::vector<double> ticks(double apart) const;

private:
    double m_low = 0, m_high = 0, m_unit = 1, m_left = 0, m_right = 0;
    bool m_log = false;
};

/// Counts to pixels upwards. On the logarithmic scale 1 is at the bottom.
class CountScale {
public:
    CountScale() = default;
    CountScale(std::int64_t highest, bool logarithmic, double bottom, double top);

    double y(double count) const;
    std::vector<double> ticks(double apart) const;

private:
    double m_highest = 1, m_bottom = 0, m_top = 0;
    bool m_log = false;
};

}  // namespace warplens::gui
