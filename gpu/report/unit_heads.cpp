// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/unit_heads.hpp"

#include <array>
#include <string>
#include <utility>

namespace warplens::gpu {

namespace {

std::string inAscii(std::string unit) {
    constexpr std::array<std::pair<const char*, const char*>, 3> kSigns{{{"µ", "u"}, {"²", "^2"}, {"³", "^3"}}};
    for (const auto& [sign, ascii] : kSigns)
        for (std::size_t at = unit.find(sign); at != std::string::npos; at = unit.find(sign))
            unit.replace(at, std::string(sign).size(), ascii);
    return unit;
}

}  // namespace

Table withUnitHeads(Table table) {
    for (Column& column : table.columns)
        if (!column.unit.empty()) column.id += " [" + inAscii(column.unit) + ']';
    return table;
}

}  // namespace warplens::gpu
