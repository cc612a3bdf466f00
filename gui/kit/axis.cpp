// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/axis.hpp"

#include "gui/kit/theme/format.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kApart = 56;
constexpr double kRoom = 1.06;  // above the highest bin

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

TimeAxis::TimeAxis(double begin, double end, double limit, double longest) : m_begin(begin), m_limit(limit) {
    if (longest > 0 && end > begin) m_scale = (end - begin) / longest;
}

std::vector<double> TimeAxis::ticks() const {
    if (!valid()) return {};
    const double step = roundStep(kApart / m_scale);
    std::vector<double> values;
    for (int i = 0; x(i * step) <= m_limit; ++i) values.push_back(i * step);
    return values;
}

QString TimeAxis::label(double value) {
    // Three digits take away what the multiplication added: 0.30000000000000004.
    return format::trimmed(format::significant(value));
}

ValueScale::ValueScale(double low, double high, double unit, bool logarithmic, double left, double right)
    : m_low(low), m_high(high), m_unit(unit > 0 ? unit : 1), m_left(left), m_right(right), m_log(logarithmic) {}

double ValueScale::x(double value) const {
    if (!valid()) return m_left;
    const double share = m_log
                             ? std::log1p(std::max(0.0, value - m_low) / m_unit) / std::log1p((m_high - m_low) / m_unit)
                             : (value - m_low) / (m_high - m_low);
    return m_left + share * (m_right - m_left);
}

double ValueScale::value(double x) const {
    if (!valid()) return m_low;
    const double share = (x - m_left) / (m_right - m_left);
    return m_log ? m_low + m_unit * std::expm1(share * std::log1p((m_high - m_low) / m_unit))
                 : m_low + share * (m_high - m_low);
}

std::vector<double> ValueScale::ticks(double apart) const {
    std::vector<double> values;
    if (!valid()) return values;
    const auto add = [&](double v) {
        if (v <= m_high && (values.empty() || x(v) - x(values.back()) >= apart)) values.push_back(v);
    };
    if (m_log) {
        add(m_low);
        for (double power = 1; m_low + power * m_unit <= m_high; power *= 10)
            for (const double factor : {1.0, 2.0, 5.0}) add(m_low + factor * power * m_unit);
        return values;
    }
    const double span = m_high - m_low;
    const double least = span * apart / (m_right - m_left);
    double step = roundStep(least);
    // Bytes and words divide by two: 0, 32, 64 ... 256.
    if (powerOfTwo(span) && m_low == std::round(m_low)) step = std::exp2(std::ceil(std::log2(std::max(1.0, least))));
    for (double k = std::ceil(m_low / step - 1e-9); k * step <= m_high + 1e-9 * span; ++k) add(k * step);
    return values;
}

CountScale::CountScale(std::int64_t highest, bool logarithmic, double bottom, double top)
    : m_highest(static_cast<double>(std::max<std::int64_t>(1, highest))),
      m_bottom(bottom),
      m_top(top),
      m_log(logarithmic) {}

double CountScale::y(double count) const {
    const double share = m_log
                             ? std::log10(std::max(1.0, count)) / std::log10(std::max(10.0, kRoom * kRoom * m_highest))
                             : count / (kRoom * m_highest);
    return m_bottom + share * (m_top - m_bottom);
}

std::vector<double> CountScale::ticks(double apart) const {
    std::vector<double> values;
    if (m_log) {
        for (double power = 1; power <= m_highest * kRoom; power *= 10)
            if (values.empty() || y(values.back()) - y(power) >= apart) values.push_back(power);
        return values;
    }
    const double height = m_bottom - m_top;
    if (height <= 0) return values;
    const double step = std::max(1.0, roundStep(kRoom * m_highest * apart / height));
    for (double v = 0; v <= m_highest * kRoom; v += step) values.push_back(v);
    return values;
}

}  // namespace warplens::gui
