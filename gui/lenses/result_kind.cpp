// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/result_kind.hpp"

#include "gui/picture/statistics.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ResultKind", text); }

/// What a family was asked for, defaults among it.
class Asked {
public:
    Asked(const gpu::Family& family, const gpu::ParameterValues& values) : m_family(family), m_values(values) {}
    bool is(const char* parameter, const char* value) const {
        return gpu::textOf(m_family.parameters(), m_values, parameter) == value;
    }
    bool flag(const char* parameter) const { return gpu::flagOf(m_family.parameters(), m_values, parameter); }

private:
    const gpu::Family& m_family;
    const gpu::ParameterValues& m_values;
};

ResultKind distances(const Asked& asked) {
    const bool squared = asked.flag("squared"), mm = asked.is("spacing", "mm");
    return {.values = squared ? (mm ? tr("squared distance, mm²") : tr("squared distance, px²"))
                              : (mm ? tr("distance, mm") : tr("distance, px")),
            .map = ColourMap::viridis,
            .fromZero = true};
}

}  // namespace

std::optional<ResultKind> resultKindOf(const gpu::Family& family, const gpu::ParameterValues& values) {
    const Asked asked(family, values);
    const std::string& id = family.id();
    // -1 is outside.
    if (id == "flood") return ResultKind{.values = tr("steps"), .map = ColourMap::viridis, .fromZero = true};
    if (id == "distance") return distances(asked);
    if (id == "scan" && (asked.is("task", "sums") || asked.is("task", "integral")))
        return ResultKind{.values = tr("sums")};
    if (id == "product" && asked.is("task", "product")) return ResultKind{.values = tr("sums of products")};
    if (id == "product" && asked.is("task", "bank"))
        return ResultKind{.values = tr(", response of a filter"), .map = ColourMap::diverging};
    if (id == "reduction" && !asked.is("along", "all") && asked.is("keep", "sum"))
        return ResultKind{.values = tr("sums")};
    if (id == "sparse" && asked.is("task", "product") && asked.is("matrix", "laplacian"))
        return ResultKind{.values = tr(", Laplacian"), .map = ColourMap::diverging};
    return std::nullopt;
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
