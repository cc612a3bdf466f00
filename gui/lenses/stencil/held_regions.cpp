// SPDX-License-Identifier: Apache-2.0
#include "gui/models/held_regions.hpp"

#include "gpu/families/stencil/operator.hpp"

#include <QStringList>
#include <algorithm>

namespace warplens::gui {

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
