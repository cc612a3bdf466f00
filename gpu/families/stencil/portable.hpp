// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/problem.hpp"

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace warplens::gpu::stencil {

/// One step as the rows in other languages are told of it: numbers and arrays alone. Fields lie one behind the other,
/// each width x height x depth cells.
struct PlainStep {
    int width = 0, height = 0, depth = 0, fields = 0;
    int axes = 0;  ///< 1 x, 2 y as well, 3 z as well: on their outermost faces cells keep their value
    int taps = 0;
    std::array<float, 27> weights{};
    std::array<std::int64_t, 27> offsets{};  ///< of a tap's cell from the one in the middle, in cells
    int boxes = 0;                           ///< of cells that are held
    std::array<int, 6 * kMaxRegions> box{};  ///< first x, y, z and last x, y, z of each

    std::int64_t cells() const { return std::int64_t{width} * height * depth * fields; }
};

PlainStep plainStepOf(const StencilProblem& problem);

/// The stepped channels as fields, held regions at their value.
std::vector<float> startOf(const StencilProblem& problem);

/// The result of fields after some steps; channels that are not stepped are the input's.
Result resultOf(const StencilProblem& problem, const std::vector<float>& fields, const ConvergenceHistory& evolution);

/// Counts steps, and says when to look at the change of one and when to end.
class Steps {
public:
    Steps(const Schedule& schedule, std::stop_token stop) : m_schedule(schedule), m_stop(std::move(stop)) {}
    /// Whether another step is to be taken, which is counted.
    bool more();
    /// Whether the change of the step just taken is wanted.
    bool looks() const;
    /// That change, as the bits of a float.
    void saw(std::uint32_t change);
    /// How it went. Throws Error(cancelled) where somebody asked to stop.
    const ConvergenceHistory& evolution() const;

private:
    Schedule m_schedule;
    std::stop_token m_stop;
    ConvergenceHistory m_evolution{.iterations = 0, .stopped = "iterations", .residuals = {}};
    bool m_reached = false, m_stopped = false;
};

}  // namespace warplens::gpu::stencil
