// SPDX-License-Identifier: Apache-2.0
#include "gui/models/lineup.hpp"

#include "gui/models/compare_session.hpp"

namespace warplens::gui {

std::vector<LineupEntry> lineup(CompareSession& session) {
    std::vector<LineupEntry> entries{{kInputKey, CompareSession::tr("input"), std::nullopt}};
    for (const std::string& id : session.variants().checked()) {
        const gpu::Variant* variant = session.variant(id);
        entries.push_back({QString::fromStdString(id), QString::fromStdString(id), variant->idea});
    }
    return entries;
}

}  // namespace warplens::gui
