// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/run/slab_ring.hpp"

#include <algorithm>
#include <utility>

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
    const bool copied = problem.input()->type() != io::PixelType::f32 || !problem.op().regions.empty();
    const auto fields = static_cast<std::int64_t>(extent.cells() * sizeof(float)) * extent.channels;
    return steppers * (Stepper::bytesFor(extent, copied) + kResult) +
           static_cast<std::int64_t>(problem.input()->bytes()) + (extent.channels > 1 ? fields : 0);
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
        if (overlapped) slabs = SlabRing::plan(slabs, slabFormatOf(problem.extent()), bytesFor, false);
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

namespace {

// A halo of one part in so many of a slab is computed twice; messages are few enough with so many steps.
constexpr std::int64_t kLeastPart = 16, kMostStepsApart = 8;

/// The plan of slabs of at most `slices` slices and at least `least`; the halo is a part of `thick` ones. What it takes
/// is not known yet.
IterationPlan stayOf(const StencilProblem& problem, std::int64_t slices, std::int64_t least, std::int64_t thick) {
    const Extent extent = problem.extent();
    const Schedule& schedule = problem.schedule();
    const int axis = axisOf(extent);
    const bool across = (axis == 2 ? reachZ(problem.op().pattern) : reachY(problem.op().pattern)) > 0;
    const std::int64_t steps = across
                                   ? std::clamp<std::int64_t>(thick / kLeastPart, 1, std::min(least, kMostStepsApart))
                                   : std::max<std::int64_t>(1, schedule.iterations);
    return {{.depth = linesOf(extent), .slices = slices, .halo = across ? steps : 0, .bytes = 0, .axis = axis},
            steps,
            std::max<std::int64_t>(1, sweepsOf(schedule, steps)),
            true};
}

/// Bytes on a device that keeps so many slices by the plan.
std::int64_t stayBytes(const StencilProblem& problem, const IterationPlan& plan, std::int64_t slices) {
    const Extent extent = problem.extent();
    const std::int64_t halo = plan.slabs.halo, pixels = extent.width * (plan.slabs.axis == 2 ? extent.height : 1);
    return slabBytes(problem, std::min(plan.slabs.depth, slices + 2 * halo)) +
           HaloExchange::bytesFor(halo, pixels, extent.channels);
}

}  // namespace

std::optional<IterationPlan> planStay(const StencilProblem& problem, std::int64_t budget, std::int64_t devices) {
    const std::int64_t depth = linesOf(problem.extent());
    const std::int64_t slices = piecesOf(depth, devices), slabs = piecesOf(depth, slices);
    if (slabs < 2) return std::nullopt;
    IterationPlan plan = stayOf(problem, slices, depth - (slabs - 1) * slices, slices);
    plan.slabs.bytes = stayBytes(problem, plan, slices);
    return plan.slabs.bytes <= budget ? std::optional(plan) : std::nullopt;
}

std::optional<IterationPlan> planStay(const StencilProblem& problem, const std::vector<std::int64_t>& budgets,
                                      const std::vector<double>& speeds) {
    const std::int64_t depth = linesOf(problem.extent());
    std::vector<std::int64_t> most(speeds.size(), depth);
    // Halos of as many steps as the shares allow that the devices would have, were there memory enough.
    auto shares = sharesOf(depth, speeds, most);
    if (shares.size() < 2) return std::nullopt;
    const auto [fewest, largest] = std::ranges::minmax(shares);
    IterationPlan plan = stayOf(problem, largest, fewest, fewest);
    for (std::size_t i = 0; i < most.size(); ++i) {
        std::int64_t tooMany = depth + 1;
        most[i] = 0;
        while (tooMany - most[i] > 1) {
            const std::int64_t middle = most[i] + (tooMany - most[i]) / 2;
            (stayBytes(problem, plan, middle) <= budgets[i] ? most[i] : tooMany) = middle;
        }
    }
    shares = sharesOf(depth, speeds, most);
    if (shares.empty() || *std::ranges::min_element(shares) < plan.slabs.halo) return std::nullopt;
    plan.slabs.slices = *std::ranges::max_element(shares);
    plan.slabs.bytes = stayBytes(problem, plan, plan.slabs.slices);
    plan.slabs.shares = std::move(shares);
    return plan;
}

std::vector<double> speedsOf(const StencilProblem& problem, const std::vector<Device*>& devices) {
    constexpr double kLongEnoughMs = 2;
    constexpr std::int64_t kFirstCells = 1 << 16;
    const Variant& variant = ladder().variants().front();  // takes every pattern and extent
    const std::int64_t depth = linesOf(problem.extent());
    const auto line = static_cast<std::int64_t>(withLines(problem.extent(), 1).cells());
    std::vector<double> speeds;
    for (Device* device : devices) {
        const auto fits = [&](std::int64_t lines) { return slabBytes(problem, lines) <= memoryBudget(*device, {}); };
        for (std::int64_t lines = std::clamp<std::int64_t>(kFirstCells / line, 3, depth);;
             lines = std::min(2 * lines, depth)) {
            if (!fits(lines)) return {};
            const Extent extent = withLines(problem.extent(), lines);
            const Buffer planes =
                device->allocate(extent.cells() * static_cast<std::size_t>(extent.channels) * sizeof(float));
            device->fill(planes, 0);
            Stepper stepper(*device, extent, problem.op().onSlab(0, static_cast<int>(lines), axisOf(extent)));
            stepper.load(planes, io::PixelType::f32);
            stepper.prepare(variant, resolve(variant, {}));
            stepper.advance(1);  // loads the kernel's code
            const double ms = std::max(device->time([&] { stepper.advance(1); }), 1e-6);
            if (ms < kLongEnoughMs && lines < depth && fits(std::min(2 * lines, depth))) continue;
            speeds.push_back(static_cast<double>(extent.cells()) / ms);
            break;
        }
    }
    return speeds;
}

}  // namespace warplens::gpu::stencil
