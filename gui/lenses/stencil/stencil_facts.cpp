// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/stencil/stencil_facts.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/stencil/operator.hpp"
#include "gpu/families/stencil/parameters.hpp"

#include <QStringList>
#include <algorithm>
#include <limits>

namespace warplens::gui {

namespace stencil = gpu::stencil;

std::optional<StencilFacts> stencilFacts(const gpu::ParameterValues& values, std::int64_t depth, QString* why) {
    constexpr int kEnough = 3;  // regions are another matter, and refused where they are applied
    try {
        gpu::ParameterValues bare = values;
        bare["force"] = true;
        bare.erase("regions");
        const auto op =
            stencil::makeOperator(bare, kEnough, kEnough, static_cast<int>(std::min<std::int64_t>(depth, kEnough))).op;
        StencilFacts facts;
        facts.dimensions = stencil::dimensionsOf(op.pattern);
        facts.weights.assign(op.weights.begin(), op.weights.begin() + op.taps());
        facts.sum = op.sum();
        const auto& list = stencil::parameters().list();
        if (gpu::textOf(list, values, "coefficients").empty() && gpu::textOf(list, values, "stencil") == "heat") {
            facts.stableStep = 1 / (2.0 * facts.dimensions * gpu::realOf(list, values, "diffusivity"));
            facts.stable = gpu::realOf(list, values, "step") <= *facts.stableStep;
        }
        return facts;
    } catch (const gpu::Error& e) {
        if (why != nullptr) *why = QString::fromUtf8(e.what());
        return std::nullopt;
    }
}

QString coefficientsText(const std::vector<float>& weights) {
    QStringList parts;
    for (const float weight : weights)
        parts << QString::number(static_cast<double>(weight), 'g', std::numeric_limits<float>::max_digits10);
    return parts.join(',');
}

std::optional<QString> withRegion(const QString& regions, double value, const std::array<int, 3>& at,
                                  const std::array<int, 3>& extent) {
    QString box = QStringLiteral(" at");
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (extent[axis] < 2 && axis > 0) continue;
        const int reach = std::max(1, extent[axis] / 20);
        box += QStringLiteral(" %1=%2..%3")
                   .arg(QChar("xyz"[axis]))
                   .arg(std::max(0, at[axis] - reach))
                   .arg(std::min(extent[axis] - 1, at[axis] + reach));
    }
    QStringList parts = regions.split(u';', Qt::SkipEmptyParts);
    for (QString& part : parts) part = part.simplified();
    parts.removeIf([&](const QString& part) { return part.isEmpty() || part.endsWith(box); });
    if (parts.size() >= static_cast<qsizetype>(gpu::stencil::kMaxRegions)) return std::nullopt;
    parts << QString::number(value, 'g', 6) + box;
    return parts.join(QStringLiteral("; "));
}

}  // namespace warplens::gui
