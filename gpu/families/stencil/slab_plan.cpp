// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/run/slab_ring.hpp"

#include <algorithm>

namespace warplens::gpu::stencil {
namespace {

// A deeper halo than this is never worth what is computed twice.
constexpr std::int64_t kMostSteps = 128;
// The word that a residual is found in.
constexpr std::int64_t kResult = sizeof(std::uint32_t);

std::int64_t piecesOf(std::int64_t total, std::int64_t piece) { return (total + piece - 1) / piece; }

/// Sweeps that the schedule needs when each takes up to `steps`: one ends wherever a residual is due.
std::int64_t sweepsOf(const Schedule& schedule, std::int64_t steps) {
    if (schedule.residualEvery == 0) return piecesOf(schedule.iterations, steps);
    return schedule.iterations / schedule.residualEvery * piecesOf(schedule.residualEvery, steps) +
           piecesOf(schedule.iterations % schedule.residualEvery, steps);
}

}  // namespace

int axisOf(const Extent& extent) { return extent.depth > 1 ? 2 : 1; }

std::int64_t linesOf(const Extent& extent) { return axisOf(extent) == 2 ? extent.depth : extent.height; }

Extent withLines(Extent extent, std::int64_t lines) {
    (axisOf(extent) == 2 ? extent.depth : extent.height) = static_cast<int>(lines);
    return extent;
}

std::string IterationPlan::sentence() const {
    return slabs.sentence() + ", " + std::to_string(sweeps) + (sweeps == 1 ? " sweep" : " sweeps") + " of up to " +
           std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

std::int64_t slabBytes(const StencilProblem& problem, std::int64_t slices) {
    const Extent extent = withLines(problem.extent(), slices);
    const auto fields = static_cast<std::int64_t>(extent.cells() * sizeof(float)) * extent.channels;
    return Stepper::bytesFor(extent, !problem.op().regions.empty()) + fields * (extent.channels > 1 ? 2 : 1) + kResult;
}

SlabFormat slabFormatOf(const Extent& extent) {
    const std::int64_t rows = axisOf(extent) == 2 ? extent.height : 1;
    return {.pixels = extent.width * rows, .channels = extent.channels};
}

std::int64_t ringBytes(const StencilProblem& problem, std::int64_t slices, std::int64_t own) {
    const Extent extent = withLines(problem.extent(), slices);
    return Stepper::bytesFor(extent, !problem.op().regions.empty()) + kResult +
           SlabRing::bytesFor(slabFormatOf(extent), slices, own);
}

std::int64_t inCoreBytes(const StencilProblem& problem, std::int64_t steppers) {
    const Extent extent = problem.extent();
    const bool copied = problem.input().type() != io::PixelType::f32 || !problem.op().regions.empty();
    const auto fields = static_cast<std::int64_t>(extent.cells() * sizeof(float)) * extent.channels;
    return steppers * (Stepper::bytesFor(extent, copied) + kResult) +
           static_cast<std::int64_t>(problem.input().bytes()) + (extent.channels > 1 ? fields : 0);
}

IterationPlan planIteration(const StencilProblem& problem, const Schedule& schedule, std::int64_t budget,
                            const std::string& where, bool overlapped, std::int64_t parts) {
    const std::int64_t depth = linesOf(problem.extent());
    const int axis = axisOf(problem.extent());
    const bool across = (axis == 2 ? reachZ(problem.op().pattern) : reachY(problem.op().pattern)) > 0;
    const auto longest =
        schedule.residualEvery > 0 ? std::min(schedule.residualEvery, schedule.iterations) : schedule.iterations;
    const auto with = [&](std::int64_t steps) {
        const std::int64_t halo = across ? steps : 0;
        const auto bytesFor = [&](std::int64_t slices) {
            const std::int64_t all = std::min(depth, slices + 2 * halo);
            return overlapped ? ringBytes(problem, all, slices) : slabBytes(problem, all);
        };
        SlabPlan slabs = planSlabs(depth, halo, budget, bytesFor, where, axis, parts);
        if (overlapped) slabs = SlabRing::plan(slabs, slabFormatOf(problem.extent()), bytesFor);
        return IterationPlan{slabs, steps,
                             std::max<std::int64_t>(1, sweepsOf(schedule, std::max<std::int64_t>(1, steps)))};
    };
    // Slices that do not reach into each other need no halo, however many steps a sweep takes.
    if (!across || longest <= 1) return with(longest);

    IterationPlan best = with(1);
    const auto sent = [&](const IterationPlan& plan) {
        return plan.sweeps * (plan.slabs.count() * 2 * plan.slabs.halo + 2 * depth);
    };
    for (std::int64_t steps = 2; steps <= std::min({longest, depth, kMostSteps}); ++steps) {
        const std::int64_t least = std::min(depth, 1 + 2 * steps);
        if ((overlapped ? ringBytes(problem, least, 1) : slabBytes(problem, least)) > budget) break;
        if (const auto plan = with(steps); sent(plan) < sent(best)) best = plan;
    }
    return best;
}

IterationPlan planIterationOn(const Device& device, const StencilProblem& problem, const Schedule& schedule,
                              std::int64_t budget) {
    const std::int64_t least = std::min<std::int64_t>(linesOf(problem.extent()), 3);  // one with a step's halo
    const bool overlapped = SlabRing::fits(device) && ringBytes(problem, least, 1) <= budget;
    return planIteration(problem, schedule, budget, device.info().id, overlapped);
}

std::optional<IterationPlan> planStay(const StencilProblem& problem, std::int64_t budget, std::int64_t devices) {
    // A halo of one part in so many of a slab is computed twice; messages are few enough with so many steps.
    constexpr std::int64_t kLeastPart = 16, kMostStepsApart = 8;
    const Extent extent = problem.extent();
    const Schedule& schedule = problem.schedule();
    const int axis = axisOf(extent);
    const std::int64_t depth = linesOf(extent);
    const bool across = (axis == 2 ? reachZ(problem.op().pattern) : reachY(problem.op().pattern)) > 0;
    const std::int64_t slices = piecesOf(depth, devices), slabs = piecesOf(depth, slices);
    if (slabs < 2) return std::nullopt;
    const std::int64_t least = depth - (slabs - 1) * slices;
    const std::int64_t steps = across
                                   ? std::clamp<std::int64_t>(slices / kLeastPart, 1, std::min(least, kMostStepsApart))
                                   : std::max<std::int64_t>(1, schedule.iterations);
    const std::int64_t halo = across ? steps : 0, pixels = extent.width * (axis == 2 ? extent.height : 1);
    const std::int64_t bytes =
        slabBytes(problem, std::min(depth, slices + 2 * halo)) + HaloExchange::bytesFor(halo, pixels, extent.channels);
    if (bytes > budget) return std::nullopt;
    return IterationPlan{{.depth = depth, .slices = slices, .halo = halo, .bytes = bytes, .axis = axis},
                         steps,
                         std::max<std::int64_t>(1, sweepsOf(schedule, steps)),
                         true};
}

}  // namespace warplens::gpu::stencil
