// SPDX-License-Identifier: Apache-2.0
#include "gui/session/result_kind.hpp"

#include "gui/picture/statistics.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

std::optional<ResultKind> resultKindOf(const gpu::Family& family, const gpu::ParameterValues& values) {
    const auto found = family.resultValues(values);
    if (!found) return std::nullopt;
    using Kind = gpu::ResultValues::Kind;
    const ColourMap map = found->kind == Kind::aboutZero  ? ColourMap::diverging
                          : found->kind == Kind::fromZero ? ColourMap::viridis
                                                          : ColourMap::grey;
    // The legend of signed values begins with their range.
    const QString title = QCoreApplication::translate("ResultKind", found->title.c_str());
    return ResultKind{.values = found->kind == Kind::aboutZero ? ", " + title : title,
                      .map = map,
                      .fromZero = found->kind == Kind::fromZero};
}

OwnDisplay ownDisplayOf(const ResultKind& kind, const io::Grid& result) {
    // Few values far off, along edges, would leave all the others grey.
    constexpr double kLeftOut = 0.005;
    const bool about = kind.map == ColourMap::diverging;
    DisplayRange range = sampledRange(result, about ? kLeftOut : 0);
    if (about) {
        const double far = std::max(std::abs(range.low), std::abs(range.high));
        range = {-far, far};
    } else if (kind.fromZero) {
        range = {0, range.high > 0 ? range.high : 1};
    }
    return {range, kind.map, kind.fromZero};
}

}  // namespace warplens::gui
