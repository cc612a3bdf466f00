// SPDX-License-Identifier: Apache-2.0
#include "gui/session/propagation_replay.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

constexpr std::uint32_t kNoNumber = 0xffffffffU;

}  // namespace

PropagationReplay::PropagationReplay(std::shared_ptr<const io::Grid> labels, bool corners)
    : m_labels(std::move(labels)), m_corners(corners) {}

void PropagationReplay::prepare() {
    if (!m_numbers.empty()) return;
    const std::uint32_t* of = m_labels->as<std::uint32_t>();
    const auto pixels = static_cast<std::size_t>(m_labels->shape().pixels());
    // Labels are given in raster order: the first pixel of one has its lowest number.
    for (std::size_t i = 0; i < pixels; ++i) {
        if (of[i] >= m_final.size()) m_final.resize(std::size_t{of[i]} + 1, kNoNumber);
        m_final[of[i]] = std::min(m_final[of[i]], static_cast<std::uint32_t>(i));
    }
    begin();
}

void PropagationReplay::begin() {
    const std::uint32_t* of = m_labels->as<std::uint32_t>();
    m_numbers.resize(static_cast<std::size_t>(m_labels->shape().pixels()));
    for (std::size_t i = 0; i < m_numbers.size(); ++i)
        m_numbers[i] = of[i] == 0 ? kNoNumber : static_cast<std::uint32_t>(i);
    m_next = m_numbers;
    m_pass = 0;
}

std::int64_t PropagationReplay::advance() {
    prepare();
    const io::Shape& s = m_labels->shape();
    std::int64_t changed = 0;
    for (std::int64_t z = 0, i = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x, ++i) {
                const std::uint32_t before = m_numbers[static_cast<std::size_t>(i)];
                if (before == kNoNumber) continue;
                std::uint32_t lowest = before;
                for (std::int64_t nz = std::max<std::int64_t>(0, z - 1); nz <= std::min(s.depth - 1, z + 1); ++nz)
                    for (std::int64_t ny = std::max<std::int64_t>(0, y - 1); ny <= std::min(s.height - 1, y + 1); ++ny)
                        for (std::int64_t nx = std::max<std::int64_t>(0, x - 1); nx <= std::min(s.width - 1, x + 1);
                             ++nx) {
                            const int away = (nx != x) + (ny != y) + (nz != z);
                            if (away > 1 && !m_corners) continue;
                            const auto at = static_cast<std::size_t>((nz * s.height + ny) * s.width + nx);
                            lowest = std::min(lowest, m_numbers[at]);  // of the ground the highest there is
                        }
                m_next[static_cast<std::size_t>(i)] = lowest;
                changed += lowest != before;
            }
    std::swap(m_numbers, m_next);
    ++m_pass;
    return changed;
}

void PropagationReplay::go(std::int64_t pass, const std::stop_token& stop) {
    if (pass < m_pass) begin();
    while (m_pass < pass && !stop.stop_requested()) advance();
}

std::shared_ptr<const io::Grid> PropagationReplay::picture() {
    prepare();
    auto made = std::make_shared<io::Grid>(m_labels->shape(), io::PixelType::u32);
    const std::uint32_t* of = m_labels->as<std::uint32_t>();
    auto* to = made->as<std::uint32_t>();
    const auto components = static_cast<std::uint32_t>(m_final.size());
    for (std::size_t i = 0; i < m_numbers.size(); ++i)
        to[i] = of[i] == 0 || m_numbers[i] == m_final[of[i]] ? of[i] : components + m_numbers[i];
    return made;
}

}  // namespace warplens::gui
