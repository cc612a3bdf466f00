// SPDX-License-Identifier: Apache-2.0
#include "gui/session/step_results.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

StepMeasured measuredOf(const gpu::RunRecord& record) {
    return {record.time->medianMs, record.time->clock,
            record.verification.has_value() && record.verification->mismatches == 0};
}

void StepResult::take(const gpu::RunRecord& record) {
    picture = record.result.picture;
    madePicture = picture != nullptr;
    within.reset();
    if (record.time) measured = measuredOf(record);
}

std::size_t StepResults::count(const gpu::recipe::Recipe& recipe, const Of& of) const {
    if (m_of != of) return 0;
    const auto differ = std::ranges::mismatch(m_results, recipe.steps, {}, &StepResult::step);
    return static_cast<std::size_t>(differ.in1 - m_results.begin());
}

std::vector<StepResult> StepResults::first(const gpu::recipe::Recipe& recipe, const Of& of) const {
    return {m_results.begin(), m_results.begin() + static_cast<std::ptrdiff_t>(count(recipe, of))};
}

const StepResult* StepResults::find(const gpu::recipe::Recipe& recipe, const Of& of, std::size_t step) const {
    return step < count(recipe, of) ? &m_results[step] : nullptr;
}

void StepResults::take(std::vector<StepResult> results, Of of, std::size_t at) {
    m_results = std::move(results);
    m_of = std::move(of);
    letGo(at);
}

void StepResults::setMostBytes(std::size_t bytes, std::size_t at) {
    m_mostBytes = bytes;
    letGo(at);
}

void StepResults::letGo(std::size_t at) {
    std::size_t bytes = 0;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < m_results.size(); ++i)
        if (m_results[i].picture != nullptr) order.push_back(i);
    // The step at hand works on what the one before it made.
    const auto distance = [&](std::size_t i) { return i < at ? at - 1 - i : i - at + 1; };
    std::ranges::stable_sort(order, {}, distance);
    for (const std::size_t i : order) {
        bytes += m_results[i].picture->bytes();
        if (bytes > m_mostBytes) m_results[i].picture.reset();
    }
}

}  // namespace warplens::gui
