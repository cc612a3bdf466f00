// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::gui {

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
