// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/plot/scale.hpp"

#include "gui/kit/theme/format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

bool powerOfTwo(double v) {
    int exponent = 0;
    return std::frexp(v, &exponent) == 0.5 && v >= 8;
}

}  // namespace

double roundStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

QString tickText(double value) {
    // Three digits take away what the multiplication added: 0.30000000000000004.
    return format::trimmed(format::significant(value));
}

Scale::Scale(ScaleKind kind, double low, double high, double from, double to, double unit)
    : m_kind(kind), m_low(low), m_high(high), m_from(from), m_to(to), m_unit(unit > 0 ? unit : 1) {
    if (!std::isfinite(m_low) || !std::isfinite(m_high)) m_low = 0, m_high = 1;
    if (kind == ScaleKind::category) {
        m_low = 0;
        m_high = std::max(1.0, std::round(m_high));
    } else if (kind == ScaleKind::logarithmic) {
        if (!(m_high > 0)) m_low = 0.1, m_high = 1;
        if (!(m_low > 0)) m_low = m_high / 10;
        if (!(m_low < m_high)) m_low = m_high / 10;
    } else if (!(m_low < m_high)) {
        // Half a step of what a double tells apart there would be no room.
        const double half = std::max(0.5, std::abs(m_low) * 1e-6);
        m_high = m_low + half;
        m_low -= half;
    }
}

double Scale::share(double value) const {
    switch (m_kind) {
        case ScaleKind::linear: return (value - m_low) / (m_high - m_low);
        case ScaleKind::logarithmic: return std::log(std::max(value, m_low) / m_low) / std::log(m_high / m_low);
        case ScaleKind::symlog:
            return std::log1p(std::max(0.0, value - m_low) / m_unit) / std::log1p((m_high - m_low) / m_unit);
        case ScaleKind::category: return (value + 0.5) / m_high;
    }
    return 0;
}

double Scale::pixel(double value) const {
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    return m_from + share(value) * (m_to - m_from);
}

double Scale::value(double pixel) const {
    const double share = m_to != m_from ? (pixel - m_from) / (m_to - m_from) : 0;
    switch (m_kind) {
        case ScaleKind::linear: return m_low + share * (m_high - m_low);
        case ScaleKind::logarithmic: return m_low * std::pow(m_high / m_low, share);
        case ScaleKind::symlog: return m_low + m_unit * std::expm1(share * std::log1p((m_high - m_low) / m_unit));
        case ScaleKind::category: return share * m_high - 0.5;
    }
    return m_low;
}

std::vector<double> Scale::ticks(double apart) const {
    const double length = std::abs(m_to - m_from);
    std::vector<double> values;
    if (!(length > 0) || !(apart > 0)) return values;
    if (m_kind == ScaleKind::linear) return linearTicks(apart);
    if (m_kind == ScaleKind::logarithmic) return decades(apart);
    if (m_kind == ScaleKind::category) {
        for (int i = 0; i < static_cast<int>(m_high); ++i) values.push_back(i);
        return values;
    }
    const auto add = [&](double v) {
        if (v <= m_high && (values.empty() || std::abs(pixel(v) - pixel(values.back())) >= apart)) values.push_back(v);
    };
    add(m_low);
    for (double power = 1; m_low + power * m_unit <= m_high; power *= 10)
        for (const double factor : {1.0, 2.0, 5.0}) add(m_low + factor * power * m_unit);
    return values;
}

std::vector<double> Scale::linearTicks(double apart) const {
    std::vector<double> values;
    // Steps that a double still tells apart there.
    const double finest = 1e-13 * std::max(std::abs(m_low), std::abs(m_high));
    const double span = m_high - m_low, least = std::max(span * apart / std::abs(m_to - m_from), finest);
    double step = roundStep(least);
    // Bytes and words divide by two: 0, 32, 64 ... 256.
    if (powerOfTwo(span) && m_low == std::round(m_low)) step = std::exp2(std::ceil(std::log2(std::max(1.0, least))));
    for (double k = std::ceil(m_low / step - 1e-9); k * step <= m_high + 1e-9 * span; ++k) values.push_back(k * step);
    return values;
}

/// 1, 2 and 5 times powers of ten where there is room, else the powers, else some of them, from the highest down.
std::vector<double> Scale::decades(double apart) const {
    std::vector<double> values;
    const double length = std::abs(m_to - m_from) / std::log10(m_high / m_low);
    const int bottom = static_cast<int>(std::ceil(std::log10(m_low) - 1e-9)),
              top = static_cast<int>(std::floor(std::log10(m_high) + 1e-9));
    if (length * std::log10(2.0) >= apart) {
        for (int e = bottom - 1; e <= top; ++e)
            for (const double factor : {1.0, 2.0, 5.0})
                if (const double v = factor * std::pow(10.0, e); v >= m_low * (1 - 1e-9) && v <= m_high * (1 + 1e-9))
                    values.push_back(v);
        return values;
    }
    const int every = std::max(1, static_cast<int>(std::ceil(apart / length)));
    for (int e = top; e >= bottom; e -= every) values.push_back(std::pow(10.0, e));
    std::ranges::reverse(values);
    return values;
}

}  // namespace warplens::gui
