// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/axis.hpp"

#include "gui/theme/format.hpp"

#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kApart = 56;

}  // namespace

TimeAxis::TimeAxis(double begin, double end, double limit, double longest) : m_begin(begin), m_limit(limit) {
    if (longest > 0 && end > begin) m_scale = (end - begin) / longest;
}

std::vector<double> TimeAxis::ticks() const {
    if (!valid()) return {};
    const double least = kApart / m_scale;
    double step = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {2.0, 2.5, 2.0}) {
        if (step >= least) break;
        step *= factor;
    }
    std::vector<double> values;
    for (int i = 0; x(i * step) <= m_limit; ++i) values.push_back(i * step);
    return values;
}

QString TimeAxis::label(double value) {
    // Three digits take away what the multiplication added: 0.30000000000000004.
    QString text = format::significant(value);
    if (text.contains(u'.')) {
        while (text.endsWith(u'0')) text.chop(1);
        if (text.endsWith(u'.')) text.chop(1);
    }
    return text;
}

}  // namespace warplens::gui
