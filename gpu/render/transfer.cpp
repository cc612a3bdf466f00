// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/transfer.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu::render {

double opacityAt(const std::vector<OpacityPoint>& curve, double position) {
    if (curve.empty()) return 1;
    if (position <= curve.front().position) return curve.front().opacity;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const OpacityPoint &a = curve[i - 1], &b = curve[i];
        if (position > b.position) continue;
        const double width = b.position - a.position;
        return width > 0 ? std::lerp(a.opacity, b.opacity, (position - a.position) / width) : b.opacity;
    }
    return curve.back().opacity;
}

std::vector<TableEntry> tableOf(const Transfer& transfer, double stepMm, double unitMm) {
    std::vector<TableEntry> table(kTableSize);
    const auto last = transfer.colours.size() - 1;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double t = static_cast<double>(i) / (kTableSize - 1);
        const std::uint32_t c = transfer.colours[static_cast<std::size_t>(std::lround(t * static_cast<double>(last)))];
        const auto part = [c](int shift) { return static_cast<float>(c >> shift & 0xffU) / 255; };
        // What is left of the light after one unit, to the power of the step's length.
        const double opacity = std::clamp(opacityAt(transfer.opacity, t), 0.0, 1.0);
        const double stepped = 1 - std::pow(1 - opacity, stepMm / unitMm);
        table[i] = {part(16), part(8), part(0), static_cast<float>(stepped)};
    }
    return table;
}

std::vector<std::int32_t> visibleBefore(const std::vector<TableEntry>& table) {
    std::vector<std::int32_t> before(table.size() + 1);
    for (std::size_t i = 0; i < table.size(); ++i) before[i + 1] = before[i] + (table[i].opacity > 0);
    return before;
}

}  // namespace warplens::gpu::render
