// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/verify.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warplens::gpu::stencil {
namespace {

std::string printed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

bool sameClass(double got, double exact) {
    if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got);
    return got == exact;  // both infinite, same sign
}

/// Gathers what one value after the other shows.
class Judge {
public:
    Judge(const io::Grid& output, double factor)
        : m_output(output),
          m_integer(output.type() != io::PixelType::f32),
          m_top(output.type() == io::PixelType::u8 ? 255 : 65535),
          m_factor(factor) {}

    void kept(const std::array<std::int64_t, 3>& p, int channel, double before) {
        ++m_checked;
        const double got = m_output.value(p[0], p[1], p[2], channel);
        if (!sameClass(got, before)) fail(p, channel, got, before);
    }

    void stepped(const std::array<std::int64_t, 3>& p, int channel, const Exact& exact) {
        // Where single precision may overflow on the way, there is nothing to compare.
        if (!std::isfinite(exact.bound)) return;
        ++m_checked;
        const double got = m_output.value(p[0], p[1], p[2], channel);
        if (!std::isfinite(exact.value)) {
            // An integer has no infinity; what NaN becomes in it is nowhere defined.
            if (!m_integer && !sameClass(got, exact.value)) fail(p, channel, got, exact.value);
            return;
        }
        // Saturation is part of the definition; the unrounded value is what an integer must be near.
        const double target = m_integer ? std::clamp(exact.value, 0.0, m_top) : exact.value;
        const double bound = m_factor * exact.bound + (m_integer ? 0.5 : 0);
        const double error = std::fabs(got - target);
        if (error > m_worst) {
            m_worst = m_result.maxAbsError = error;
            m_result.bound = bound;
        }
        // Written so that NaN fails.
        if (!(error <= bound)) fail(p, channel, got, exact.value);
    }

    Verification result() {
        m_result.checkedShare = static_cast<double>(m_checked) / static_cast<double>(m_output.shape().values());
        return m_result;
    }

private:
    void fail(const std::array<std::int64_t, 3>& p, int channel, double got, double exact) {
        if (m_result.mismatches++ > 0) return;
        m_result.firstMismatch = "x " + std::to_string(p[0]) + " y " + std::to_string(p[1]) +
                                 (m_output.shape().depth > 1 ? " z " + std::to_string(p[2]) : "") + " channel " +
                                 std::to_string(channel) + ": " + printed(got) + " instead of " + printed(exact);
    }

    const io::Grid& m_output;
    bool m_integer;
    double m_top, m_factor, m_worst = -1;
    std::int64_t m_checked = 0;
    Verification m_result;
};

}  // namespace

Verifier::Verifier(std::shared_ptr<const io::Grid> input, Operator op, int steppedChannels)
    : m_input(std::move(input)), m_op(std::move(op)), m_channels(steppedChannels) {}

void Verifier::compute(std::int64_t steps, std::stop_token stop) const {
    if (m_steps == steps) return;
    std::vector<Tile> tiles;
    for (const Box& box : sampleBoxes(m_input->shape(), m_op.pattern, steps, m_channels)) {
        Tile tile{box, {}};
        for (int c = 0; c < m_channels; ++c) tile.channels.push_back(exactIn(box, *m_input, c, m_op, steps, stop));
        tiles.push_back(std::move(tile));
    }
    m_tiles = std::move(tiles);
    m_steps = steps;
}

Verification Verifier::verify(const io::Grid& output, std::int64_t steps, std::stop_token stop, double factor) const {
    const std::lock_guard lock(m_mutex);
    compute(steps, stop);
    Judge judge(output, factor);
    for (const Tile& tile : m_tiles) {
        std::size_t i = 0;
        for (auto z = tile.box.lo[2]; z < tile.box.hi[2]; ++z) {
            if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
            for (auto y = tile.box.lo[1]; y < tile.box.hi[1]; ++y) {
                for (auto x = tile.box.lo[0]; x < tile.box.hi[0]; ++x, ++i) {
                    for (int c = 0; c < output.shape().channels; ++c) {
                        const std::array<std::int64_t, 3> place{x, y, z};
                        if (c < m_channels)
                            judge.stepped(place, c, tile.channels[static_cast<std::size_t>(c)][i]);
                        else
                            judge.kept(place, c, m_input->value(x, y, z, c));
                    }
                }
            }
        }
    }
    auto result = judge.result();
    if (m_tiles.empty()) {
        result.note =
            std::to_string(steps) + " steps in double precision would take too long for an input of this size";
    }
    return result;
}

}  // namespace warplens::gpu::stencil
