// SPDX-License-Identifier: Apache-2.0
#include "gui/session/visible_variants.hpp"

#include "gui/session/variant_list_model.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

bool contains(const std::vector<std::string>& ids, const std::string& id) {
    return std::ranges::find(ids, id) != ids.end();
}

}  // namespace

VisibleVariants::VisibleVariants(RequestState& request, QObject* parent) : QObject(parent), m_request(request) {
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        // Of another family or picture when its results are there.
        if (before.family != now.family || !before.samePicture(now)) return;
        if (before.current != now.current || before.checked != now.checked || before.baseline != now.baseline) update();
        if (before.baseline != now.baseline) setBaselineWanted(m_baselineWanted);
    });
}

void VisibleVariants::setPlaces(std::size_t places) {
    const bool more = places > m_places;
    m_places = places;
    update();
    if (more) emit grown();
}

void VisibleVariants::update() {
    const std::string& current = m_request.current();
    std::vector<std::string> ladder = m_request.variants().checked();
    if (m_request.currentVariant() != nullptr && std::ranges::find(ladder, current) == ladder.end())
        ladder.push_back(current);
    m_shown.update(m_places, ladder, m_request.baseline(), current);
    emit changed();
}

void VisibleVariants::setReference(const std::string& key) {
    if (m_reference == key) return;
    m_reference = key;
    emit referenceChanged();
    if (m_request.variants().variant(key) != nullptr) emit wanted(key);
}

void VisibleVariants::forgetReference() {
    m_reference = "input";
    emit referenceChanged();
}

void VisibleVariants::setBaselineWanted(bool on) {
    m_baselineWanted = on;
    if (on && m_request.variants().variant(m_request.baseline()) != nullptr) emit wanted(m_request.baseline());
}

std::vector<std::string> VisibleVariants::variants() const {
    std::vector<std::string> ids = shown();
    const auto add = [&](const std::string& id) {
        if (m_request.variants().variant(id) != nullptr && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    };
    add(m_reference);
    if (m_baselineWanted) add(m_request.baseline());
    return ids;
}

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
