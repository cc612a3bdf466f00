// SPDX-License-Identifier: Apache-2.0
#include "gui/session/shown_variants.hpp"

#include "gui/session/variant_list_model.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

bool contains(const std::vector<std::string>& ids, const std::string& id) {
    return std::ranges::find(ids, id) != ids.end();
}

}  // namespace

void ShownVariants::update(std::size_t places, const std::vector<std::string>& ladder, const std::string& baseline,
                           const std::string& current) {
    std::erase_if(m_ids, [&](const std::string& id) { return !contains(ladder, id); });
    if (places == 0 || ladder.empty()) {
        m_ids.clear();
        return;
    }
    if (places > 1 && m_ids.empty() && contains(ladder, baseline)) m_ids.push_back(baseline);
    if (contains(ladder, current) && !contains(m_ids, current)) {
        const auto previous = std::ranges::find(m_ids, m_previous);
        if (previous != m_ids.end() && (m_previous != baseline || places == 1))
            *previous = current;
        else if (m_ids.size() < places)
            m_ids.push_back(current);
        else
            m_ids.back() = current;
    }
    if (m_ids.size() > places) {
        // The current variant survives a smaller layout.
        const auto at = std::ranges::find(m_ids, current);
        if (at != m_ids.end() && static_cast<std::size_t>(at - m_ids.begin()) >= places) m_ids[places - 1] = current;
        m_ids.resize(places);
    }
    const auto start = std::ranges::find(ladder, current);
    const std::size_t from = start == ladder.end() ? 0 : static_cast<std::size_t>(start - ladder.begin());
    for (std::size_t i = 1; i <= ladder.size() && m_ids.size() < places; ++i) {
        const std::string& id = ladder[(from + i) % ladder.size()];
        if (!contains(m_ids, id)) m_ids.push_back(id);
    }
    m_previous = current;
}

std::vector<LineupEntry> lineup(const VariantListModel& variants) {
    std::vector<LineupEntry> entries{{kInputKey, QObject::tr("input"), std::nullopt}};
    for (const std::string& id : variants.checked()) {
        const gpu::Variant* variant = variants.variant(id);
        entries.push_back({QString::fromStdString(id), QString::fromStdString(id), variant->idea});
    }
    return entries;
}

}  // namespace warplens::gui
