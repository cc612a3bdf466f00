// SPDX-License-Identifier: Apache-2.0
#include "gui/session/looked_at.hpp"

#include <algorithm>

namespace warplens::gui {

LookedAt::LookedAt(RequestState& request, QObject* parent) : QObject(parent), m_request(request) {
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        // Of another family or picture when its results are there.
        if (before.family != now.family || !before.samePicture(now)) return;
        if (before.current != now.current || before.checked != now.checked || before.baseline != now.baseline) update();
        if (before.baseline != now.baseline) setBaselineWanted(m_baselineWanted);
    });
}

void LookedAt::setPlaces(std::size_t places) {
    const bool more = places > m_places;
    m_places = places;
    update();
    if (more) emit grown();
}

void LookedAt::update() {
    const std::string& current = m_request.current();
    std::vector<std::string> ladder = m_request.variants().checked();
    if (m_request.currentVariant() != nullptr && std::ranges::find(ladder, current) == ladder.end())
        ladder.push_back(current);
    m_shown.update(m_places, ladder, m_request.baseline(), current);
    emit changed();
}

void LookedAt::setReference(const std::string& key) {
    if (m_reference == key) return;
    m_reference = key;
    emit referenceChanged();
    if (m_request.variants().variant(key) != nullptr) emit wanted(key);
}

void LookedAt::forgetReference() {
    m_reference = "input";
    emit referenceChanged();
}

void LookedAt::setBaselineWanted(bool on) {
    m_baselineWanted = on;
    if (on && m_request.variants().variant(m_request.baseline()) != nullptr) emit wanted(m_request.baseline());
}

std::vector<std::string> LookedAt::variants() const {
    std::vector<std::string> ids = shown();
    const auto add = [&](const std::string& id) {
        if (m_request.variants().variant(id) != nullptr && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    };
    add(m_reference);
    if (m_baselineWanted) add(m_request.baseline());
    return ids;
}

}  // namespace warplens::gui
