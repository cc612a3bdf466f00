// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/reference.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <utility>

namespace warplens::gpu::stencil {
namespace {

using Index = std::int64_t;

struct Tap {
    Index offset;
    double weight;
};

/// A part of one field: values, and what every cell adds to the bounds of those it feeds.
class Block {
public:
    Block(const Box& box, const io::Grid& input, int channel, const Operator& op)
        : m_box(box), m_shape(input.shape()), m_op(op) {
        m_gamma = (op.taps() + 1) * static_cast<double>(std::numeric_limits<float>::epsilon());
        const auto n = static_cast<std::size_t>(box.cells());
        m_value.resize(n);
        m_slack.resize(n);
        forRows(box, [&](Index y, Index z) {
            for (Index x = box.lo[0]; x < box.hi[0]; ++x) {
                const auto i = at(x, y, z);
                m_value[i] = input.value(x, y, z, channel);
                for (const Region& region : op.regions) {
                    if (inside(region, x, y, z)) m_value[i] = static_cast<double>(region.value);
                }
                m_slack[i] = slackOf(m_value[i], 0);
            }
        });
        m_nextValue = m_value;
        m_nextSlack = m_slack;
        makeTaps();
    }

    /// One step of the cells in `box`; with `last`, the slack becomes the bound itself.
    void step(const Box& box, bool last) {
        forRows(box, [&](Index y, Index z) {
            const auto first = at(box.lo[0], y, z);
            const Index n = box.hi[0] - box.lo[0];
            double* value = &m_nextValue[first];
            double* bound = &m_nextSlack[first];
            std::fill_n(value, n, 0.0);
            std::fill_n(bound, n, m_op.taps() * static_cast<double>(std::numeric_limits<float>::denorm_min()));
            const bool face = faceY(y) || faceZ(z);
            for (const Tap& tap : m_taps) {
                if (face) break;
                // The ends of a line are corrected below; here they must only not be read.
                const Index from = box.lo[0] == 0 ? 1 : 0, to = box.hi[0] == m_shape.width ? n - 1 : n;
                const double* u = &m_value[first] + tap.offset;
                const double* w = &m_slack[first] + tap.offset;
                const double weight = tap.weight, magnitude = std::fabs(tap.weight);
                for (Index i = from; i < to; ++i) {
                    value[i] += weight * u[i];
                    bound[i] += magnitude * w[i];
                }
            }
            for (Index i = 0; i < n; ++i) {
                if (face || keeps(box.lo[0] + i, y, z)) {
                    value[i] = m_value[first + static_cast<std::size_t>(i)];
                    bound[i] = 0;
                }
                if (!last) bound[i] = slackOf(value[i], bound[i]);
            }
        });
        std::swap(m_value, m_nextValue);
        std::swap(m_slack, m_nextSlack);
    }

    Exact exactAt(Index x, Index y, Index z) const { return {m_value[at(x, y, z)], m_slack[at(x, y, z)]}; }

private:
    template <class F>
    static void forRows(const Box& box, F f) {
        const Index height = box.hi[1] - box.lo[1], rows = height * (box.hi[2] - box.lo[2]);
        const Index grain = std::max<Index>(1, 4096 / std::max<Index>(1, box.hi[0] - box.lo[0]));
        tbb::parallel_for(tbb::blocked_range<Index>(0, rows, grain), [&](const tbb::blocked_range<Index>& range) {
            for (Index row = range.begin(); row != range.end(); ++row)
                f(box.lo[1] + row % height, box.lo[2] + row / height);
        });
    }

    std::size_t at(Index x, Index y, Index z) const {
        const Index width = m_box.hi[0] - m_box.lo[0], height = m_box.hi[1] - m_box.lo[1];
        return static_cast<std::size_t>(((z - m_box.lo[2]) * height + y - m_box.lo[1]) * width + x - m_box.lo[0]);
    }
    static bool inside(const Region& r, Index x, Index y, Index z) {
        return x >= r.first[0] && x <= r.last[0] && y >= r.first[1] && y <= r.last[1] && z >= r.first[2] &&
               z <= r.last[2];
    }
    bool faceY(Index y) const { return dimensionsOf(m_op.pattern) >= 2 && (y == 0 || y == m_shape.height - 1); }
    bool faceZ(Index z) const { return dimensionsOf(m_op.pattern) == 3 && (z == 0 || z == m_shape.depth - 1); }
    bool keeps(Index x, Index y, Index z) const {
        if (x == 0 || x == m_shape.width - 1) return true;
        return std::any_of(m_op.regions.begin(), m_op.regions.end(),
                           [&](const Region& r) { return inside(r, x, y, z); });
    }

    double slackOf(double value, double bound) const {
        constexpr double kMost = std::numeric_limits<float>::max();
        // bound / gamma is at least the sum of the terms' magnitudes, which f32 must hold.
        if (!(bound <= m_gamma * kMost)) return std::numeric_limits<double>::infinity();
        // Infinity and NaN spread exactly, by the values themselves.
        if (!std::isfinite(value)) return 0;
        if (std::fabs(value) > kMost) return std::numeric_limits<double>::infinity();
        return (1 + m_gamma) * bound + m_gamma * std::fabs(value);
    }

    void makeTaps() {
        const Index row = m_box.hi[0] - m_box.lo[0], slice = row * (m_box.hi[1] - m_box.lo[1]);
        const auto& c = m_op.weights;
        if (m_op.pattern == Pattern::box) {
            for (Index i = 0; i < 27; ++i) {
                m_taps.push_back({(i / 9 - 1) * slice + (i / 3 % 3 - 1) * row + i % 3 - 1,
                                  static_cast<double>(c[static_cast<std::size_t>(i)])});
            }
            return;
        }
        const Index offsets[7] = {0, -1, 1, -row, row, -slice, slice};
        for (int i = 0; i < m_op.taps(); ++i)
            m_taps.push_back({offsets[i], static_cast<double>(c[static_cast<std::size_t>(i)])});
    }

    Box m_box;
    io::Shape m_shape;
    const Operator& m_op;
    double m_gamma = 0;
    std::vector<Tap> m_taps;
    std::vector<double> m_value, m_slack, m_nextValue, m_nextSlack;
};

}  // namespace

Box sourceOf(const Box& box, const io::Shape& shape, Pattern pattern, std::int64_t steps) {
    const Index extent[3] = {shape.width, shape.height, shape.depth};
    Box source = box;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensionsOf(pattern)); ++axis) {
        source.lo[axis] = std::max<Index>(0, box.lo[axis] - steps);
        source.hi[axis] = std::min(extent[axis], box.hi[axis] + steps);
    }
    return source;
}

double costOf(const Box& box, const io::Shape& shape, Pattern pattern, std::int64_t steps) {
    double cost = 0;
    Index before = 0;
    for (std::int64_t left = 0; left < steps; ++left) {
        const Index cells = sourceOf(box, shape, pattern, left).cells();
        // Once it has stopped growing, it has reached the faces.
        if (cells == before) return cost + static_cast<double>(cells) * static_cast<double>(steps - left);
        cost += static_cast<double>(cells);
        before = cells;
    }
    return cost;
}

std::vector<Exact> exactIn(const Box& box, const io::Grid& input, int channel, const Operator& op, std::int64_t steps,
                           std::stop_token stop) {
    Block block(sourceOf(box, input.shape(), op.pattern, steps), input, channel, op);
    for (std::int64_t left = steps - 1; left >= 0; --left) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
        block.step(sourceOf(box, input.shape(), op.pattern, left), left == 0);
    }
    std::vector<Exact> exact;
    exact.reserve(static_cast<std::size_t>(box.cells()));
    for (Index z = box.lo[2]; z < box.hi[2]; ++z) {
        for (Index y = box.lo[1]; y < box.hi[1]; ++y) {
            for (Index x = box.lo[0]; x < box.hi[0]; ++x) {
                exact.push_back(block.exactAt(x, y, z));
                if (steps == 0) exact.back().bound = 0;
            }
        }
    }
    return exact;
}

}  // namespace warplens::gpu::stencil
