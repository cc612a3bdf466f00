// SPDX-License-Identifier: Apache-2.0
#include "gui/models/frame_store.hpp"

#include <cstdlib>

namespace warplens::gui {

void FrameStore::clear() {
    m_frames.clear();
    m_apart = 1;
}

void FrameStore::add(KeptFrame frame) {
    const std::size_t n = m_frames.size();
    const bool again = n > 0 && m_frames.back().step == frame.step;
    // The newest one so far was there as such only.
    const bool near = n > 1 && m_frames[n - 1].step - m_frames[n - 2].step < m_apart;
    if (again || near) m_frames.pop_back();
    m_frames.push_back(std::move(frame));
    while (bytes() > m_bound && m_frames.size() > 2) thin();
}

void FrameStore::thin() {
    m_apart *= 2;
    std::vector<KeptFrame> left;
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        const bool newest = i + 1 == m_frames.size();
        if (left.empty() || newest || m_frames[i].step - left.back().step >= m_apart)
            left.push_back(std::move(m_frames[i]));
    }
    m_frames = std::move(left);
}

std::size_t FrameStore::nearest(std::int64_t step) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < m_frames.size(); ++i)
        if (std::llabs(m_frames[i].step - step) < std::llabs(m_frames[best].step - step)) best = i;
    return best;
}

std::size_t FrameStore::bytes() const {
    std::size_t sum = 0;
    for (const KeptFrame& frame : m_frames) sum += frame.field->bytes();
    return sum;
}

}  // namespace warplens::gui
