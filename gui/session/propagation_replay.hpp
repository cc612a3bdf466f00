// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gui {

/// What labels looked like after a pass of propagation, in which a pixel takes the lowest number among its own and its
/// neighbours': done again on the host, from the labels that came out in the end. Pixels whose number will not change
/// any more have their final label, the others one that no component has. Made at once; all else takes a while.
class PropagationReplay {
public:
    /// `labels`: u32, one channel, 0 outside. `corners`: neighbours that share a corner alone count as well.
    PropagationReplay(std::shared_ptr<const io::Grid> labels, bool corners);

    /// Passes done.
    std::int64_t pass() const { return m_pass; }
    /// One pass; returns how many numbers it changed.
    std::int64_t advance();
    /// Passes up to `pass`, from the start again where more were done. Stops early when asked to.
    void go(std::int64_t pass, const std::stop_token& stop = {});
    std::shared_ptr<const io::Grid> picture();

private:
    void begin();
    void prepare();

    std::shared_ptr<const io::Grid> m_labels;
    bool m_corners;
    std::vector<std::uint32_t> m_numbers, m_next;
    std::vector<std::uint32_t> m_final;  ///< the lowest number of each label
    std::int64_t m_pass = 0;
};

}  // namespace warplens::gui
