// SPDX-License-Identifier: Apache-2.0
#include "gui/session/visible_variants.hpp"

#include <algorithm>

namespace warplens::gui {

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

}  // namespace warplens::gui
