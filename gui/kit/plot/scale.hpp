// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

namespace warplens::gui {

/// 1, 2 or 5 times a power of ten, not below `least`.
double roundStep(double least);
/// A tick's number without more digits than it needs.
QString tickText(double value);

enum class ScaleKind {
    linear,
    logarithmic,  ///< what is lower, or not positive, stands at the low end
    symlog,       ///< logarithm of 1 + the distance from the low end in units: there for 0 and negative values as well
    category      ///< 0, 1, 2 ... in the middle of bands of one width
};

/// Values to pixels and back, along one axis; pixels may fall where values rise.
class Scale {
public:
    Scale() = default;
    /// Where `low` is not below `high`, or no logarithm is there, the scale takes a range around what there is, so that
    /// any value has a place.
    Scale(ScaleKind kind, double low, double high, double from, double to, double unit = 1);

    /// False where there is no room for a tick.
    bool valid() const { return m_from != m_to; }
    ScaleKind kind() const { return m_kind; }
    double low() const { return m_low; }
    double high() const { return m_high; }
    /// Values outside lie outside, but for low ones on a logarithmic scale. Not a number, and infinities: NaN.
    double pixel(double value) const;
    double value(double pixel) const;
    /// Round values at least `apart` pixels from each other, all within the range; of categories each.
    std::vector<double> ticks(double apart) const;

private:
    double share(double value) const;
    std::vector<double> linearTicks(double apart) const;
    std::vector<double> decades(double apart) const;

    ScaleKind m_kind = ScaleKind::linear;
    double m_low = 0, m_high = 1, m_from = 0, m_to = 1, m_unit = 1;
};

}  // namespace warplens::gui
