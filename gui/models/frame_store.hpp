// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gui {

/// The fields of one variant after some steps.
struct KeptFrame {
    std::int64_t step = 0;
    std::string variant;
    std::shared_ptr<const io::Grid> field;
};

/// Frames of an iteration in bounded memory. When they outgrow the bound, every other one is dropped and from then on
/// only half as many are kept, so that what is left is spread over the whole run. The first and the newest are always
/// there, whatever they take.
class FrameStore {
public:
    static constexpr std::size_t kBound = std::size_t{256} << 20;

    explicit FrameStore(std::size_t bound = kBound) : m_bound(bound) {}
    void clear();
    /// A step beyond the newest, or the newest again.
    void add(KeptFrame frame);
    /// By step, ascending.
    const std::vector<KeptFrame>& frames() const { return m_frames; }
    bool empty() const { return m_frames.empty(); }
    /// Index of the frame nearest to a step, the earlier of two; 0 when there is none.
    std::size_t nearest(std::int64_t step) const;
    std::size_t bytes() const;
    std::size_t bound() const { return m_bound; }

private:
    void thin();

    std::size_t m_bound;
    std::int64_t m_apart = 1;  ///< steps between two kept frames, at least; the newest may be nearer
    std::vector<KeptFrame> m_frames;
};

}  // namespace warplens::gui
