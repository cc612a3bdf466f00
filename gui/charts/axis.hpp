// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

namespace warplens::gui {

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

}  // namespace warplens::gui
