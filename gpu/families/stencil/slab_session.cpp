// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/slab_session.hpp"

#include "gpu/device/memory_budget.hpp"
#include "gpu/families/stencil/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace warplens::gpu::stencil {
namespace {

constexpr auto kFloat = io::PixelType::f32;
constexpr std::int64_t kRoundsOfAGraph = 8;  ///< few enough to be recorded quickly, and that a stop is soon heard

/// The fields of step 0: the input as f32 with the held regions at their value. The input itself where that is the
/// same.
std::shared_ptr<const io::Grid> startOf(const StencilProblem& problem) {
    const io::Grid& input = *problem.input();
    const auto& regions = problem.op().regions;
    if (input.type() == kFloat && regions.empty()) return problem.input();
    auto grid = std::make_shared<io::Grid>(input.shape(), kFloat);
    const auto values = static_cast<std::size_t>(input.shape().values());
    float* to = grid->as<float>();
    io::withSampleType(input.type(), [&]<class T>(T) { std::copy_n(input.as<T>(), values, to); });
    for (const Region& region : regions) {
        for (int z = region.first[2]; z <= region.last[2]; ++z) {
            for (int y = region.first[1]; y <= region.last[1]; ++y) {
                for (int x = region.first[0]; x <= region.last[0]; ++x) {
                    for (int c = 0; c < problem.extent().stepped; ++c)
                        grid->setValue(x, y, z, c, static_cast<double>(region.value));
                }
            }
        }
    }
    return grid;
}

}  // namespace

float largestChange(const std::byte* before, const std::byte* after, std::size_t pixels, const Extent& extent,
                    float worst) {
    const auto* a = reinterpret_cast<const float*>(before);
    const auto* b = reinterpret_cast<const float*>(after);
    for (std::size_t i = 0; i < pixels; ++i, a += extent.channels, b += extent.channels) {
        for (int c = 0; c < extent.stepped; ++c) {
            const float change = std::fabs(a[c] - b[c]);
            if (std::isnan(worst) || std::isnan(change))
                worst = std::numeric_limits<float>::quiet_NaN();
            else
                worst = std::max(worst, change);
        }
    }
    return worst;
}

StencilSlabs::StencilSlabs(const StencilProblem& problem, const std::vector<Device*>& devices, Resident& resident,
                           const IterationPlan& plan, HaloExchange::Way way)
    : SlabSession(plan.slabs.overlapped ? std::vector<Device*>() : devices, resident, plan.slabs,
                  slabFormatOf(problem.extent()), std::min(plan.slabs.depth, plan.slabs.slices + 2 * plan.slabs.halo)),
      m_problem(problem),
      m_plan(plan),
      m_first(devices.front()->info().id),
      m_start(startOf(problem)),
      m_extent(problem.extent()),
      m_parts(devices.size()) {
    if (plan.slabs.overlapped) m_ring.emplace(problem, *devices.front(), plan.slabs);
    if (!plan.stays || plan.slabs.halo == 0) return;
    const std::vector<Device*> used(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(plan.slabs.count()));
    m_exchange.emplace(used, plan.slabs.halo, format().pixels, format().channels, way);
}

std::string StencilSlabs::plan() const {
    if (!m_plan.stays) return m_plan.sentence() + sharing();
    return taken().sentence() + (m_exchange ? ", " + m_exchange->sentence() : "") + sharing("each keeps its slab");
}

std::optional<SlabMap> StencilSlabs::slabs() const {
    if (m_ring) return m_plan.slabs.map(m_first);
    auto map = SlabSession::slabs();
    map->halo = taken().slabs.halo;
    return map;
}

IterationPlan StencilSlabs::taken() const {
    IterationPlan taken = m_plan;
    if (m_rounds == 0) return taken;
    taken.slabs.halo = taken.steps = m_stepsOfARound;
    taken.sweeps = m_rounds;
    return taken;
}

void StencilSlabs::prepare(const Variant& variant, const TunableValues& tunables) {
    m_variant = &variant;
    m_tunables = tunables;
    if (m_ring) m_ring->prepare(variant, tunables);
    m_rounds = 0;
    if (!m_exchange) return;
    const bool takesSlices = ladder().anyBuildOf(variant).takesSlices && axisOf(m_extent) == 2;
    m_exchange->disableOverlap(
        takesSlices ? ""
                    : variant.id + (axisOf(m_extent) == 2 ? " takes all slices at once" : " takes all rows at once"));
}

void StencilSlabs::launch() {
    if (m_ring) return m_ring->launch(m_plan.steps);
    walkFirst([this](std::size_t device, const Slab& slab) {
        load(device, slab, *m_start, m_plan.steps);
        m_parts[device].stepper->advance(m_plan.steps);
    });
}

void StencilSlabs::work() {
    m_evolution = {.iterations = 0, .stopped = "iterations", .residuals = {}};
    m_overlap = {};
    if (m_exchange) m_exchange->restart();
    m_faces.reset();
    m_rounds = m_stepsOfARound = 0;
    const Schedule& schedule = m_problem.schedule();
    const io::Grid* from = m_start.get();
    do {
        const auto done = m_evolution.iterations;
        auto due = schedule.iterations;
        if (schedule.residualEvery > 0)
            due = std::min(due, done + schedule.residualEvery - done % schedule.residualEvery);
        const auto steps = overlaps() ? due - done : std::min(m_plan.steps, due - done);
        const bool compare = schedule.residualEvery > 0 && steps > 0 && done + steps == due;
        if (!m_plan.stays) m_last = 1 - m_last;  // else they are read on the devices
        io::Grid& to = m_fields[static_cast<std::size_t>(m_last)];
        if (to.empty()) to = io::Grid(m_start->shape(), kFloat);
        const float change = m_plan.stays && schedule.iterations > 0
                                 ? onward(to, steps, compare, done + steps == schedule.iterations)
                                 : sweep(*from, to, steps, compare);
        from = &to;
        m_evolution.iterations += steps;
        if (!compare) continue;
        m_evolution.residuals.push_back({m_evolution.iterations, static_cast<double>(change)});
        if (static_cast<double>(change) < schedule.tolerance) {
            m_evolution.stopped = "tolerance";
            break;
        }
    } while (m_evolution.iterations < schedule.iterations);
    m_poison = false;
}

Result StencilSlabs::result() {
    auto field = std::exchange(m_fields[static_cast<std::size_t>(m_last)], io::Grid());
    return {.picture = m_problem.finish(std::move(field)), .tables = tablesOf(m_evolution)};
}

float StencilSlabs::sweep(const io::Grid& from, io::Grid& to, std::int64_t steps, bool compare) {
    if (steps == 0) {
        std::memcpy(to.data(), from.data(), from.bytes());
        return 0;
    }
    if (m_ring) {
        SlabOverlap overlap;
        const float worst = m_ring->sweep(from, to, steps, compare, m_poison, overlap);
        m_overlap.add(overlap);
        add(overlap.sums);
        return worst;
    }
    for (Part& part : m_parts) part.worst = 0;
    walk([&](std::size_t device, const Slab& slab) {
        Part& part = m_parts[device];
        const std::size_t begin = format().fetchedBytes(slab.first);
        std::byte* result = to.data() + begin;
        load(device, slab, from, steps);
        if (!compare) {
            advance(device, steps);
            return store(device, slab, result);
        }
        // The halo's change is no cell's, so that the device's own comparison of whole slabs says nothing here.
        const std::byte* before = from.data() + begin;
        if (steps > 1) {
            advance(device, steps - 1);
            part.before.resize(format().fetchedBytes(slab.slices));
            store(device, slab, part.before.data());
            before = part.before.data();
        }
        advance(device, 1);
        store(device, slab, result);
        part.worst = largestChange(before, result, format().pixelsOf(slab.slices), m_extent, part.worst);
    });
    return worst();
}

float StencilSlabs::onward(io::Grid& to, std::int64_t steps, bool compare, bool wanted) {
    const bool begins = m_evolution.iterations == 0;
    if (begins)
        walk([&](std::size_t device, const Slab& slab) { load(device, slab, *m_start, m_plan.slabs.halo); });
    else if (m_exchange && !overlaps())
        exchange();
    for (Part& part : m_parts) part.worst = 0;
    if (overlaps()) return onwardInRounds(to, steps, compare, wanted);
    walk([&](std::size_t device, const Slab& slab) {
        Part& part = m_parts[device];
        const std::size_t begin = format().fetchedBytes(slab.first);
        const std::byte* before = m_start->data() + begin;
        if (compare && !(begins && steps == 1)) {
            advance(device, steps - 1);
            part.before.resize(format().fetchedBytes(slab.slices));
            store(device, slab, part.before.data());
            before = part.before.data();
            advance(device, 1);
        } else {
            advance(device, steps);
        }
        if (compare || wanted) store(device, slab, to.data() + begin);
        if (compare)
            part.worst = largestChange(before, to.data() + begin, format().pixelsOf(slab.slices), m_extent, part.worst);
    });
    return worst();
}

float StencilSlabs::onwardInRounds(io::Grid& to, std::int64_t steps, bool compare, bool wanted) {
    const bool startIsBefore = m_evolution.iterations == 0 && steps == 1;
    const auto place = [&](const Slab& slab) { return format().fetchedBytes(slab.first); };
    if (compare && !startIsBefore) {
        rounds(steps - 1, true);
        walk([&](std::size_t device, const Slab& slab) {
            std::vector<std::byte>& before = m_parts[device].before;
            before.resize(format().fetchedBytes(slab.slices));
            store(device, slab, before.data());
        });
    }
    rounds(compare ? 1 : steps, !wanted);
    if (!compare && !wanted) return 0;
    walk([&](std::size_t device, const Slab& slab) {
        Part& part = m_parts[device];
        std::byte* made = to.data() + place(slab);
        store(device, slab, made);
        if (!compare) return;
        const std::byte* before = startIsBefore ? m_start->data() + place(slab) : part.before.data();
        part.worst = largestChange(before, made, format().pixelsOf(slab.slices), m_extent, part.worst);
    });
    return worst();
}

void StencilSlabs::rounds(std::int64_t steps, bool more) {
    const auto count = static_cast<std::size_t>(cut().count());
    std::vector<Device*> devices;
    for (std::size_t i = 0; i < count; ++i) devices.push_back(&ports()[i].device());
    try {
        if (!m_faces) m_faces.emplace(devices, format().pixels, format().channels);
        for (Device* device : devices) device->synchronize();
        while (steps > 0) {
            const int taken = m_parts.front().stepper->stepsOfPass(std::min(steps, m_plan.slabs.halo));
            if (m_exchange->way() == HaloExchange::Way::graph) {
                const std::int64_t whole = steps / taken, last = more || whole * taken < steps ? 0 : 1;
                const std::int64_t rounds = roundsAsGraphs(taken, whole - last);
                steps -= rounds * taken;
                if (rounds > 0) continue;
            }
            const std::vector<HaloRound> given = roundsOf(taken);
            passed(taken, 1);
            steps -= taken;
            // The next round may take more steps than this one.
            const std::int64_t halo = steps > 0 || more ? haloOfRounds() : 0;
            m_faces->round(given, halo);
            if (halo > 0) m_exchange->count(halo);
        }
        const OverlappedHaloExchange::Times times = m_faces->finish();
        m_exchange->expose(times.exposedMs);
        SlabTimes all;
        all.kernels = times.ms;
        add(all);
    } catch (...) {
        m_faces.reset();  // waits for what is under way
        throw;
    }
}

std::int64_t StencilSlabs::roundsAsGraphs(int steps, std::int64_t most) {
    // Fields go to and fro between two buffers once the first step has read the start.
    const std::int64_t before = m_parts.front().stepper->step() == 0 ? 1 : 0;
    const std::int64_t together = std::min(kRoundsOfAGraph, most - before) / 2 * 2;
    if (together <= 0) return 0;
    // All is recorded before anything is queued, or devices would wait for that.
    std::vector<std::vector<HaloRound>> rounds;
    for (std::int64_t i = 0; i < before + together; ++i) {
        rounds.push_back(roundsOf(steps));
        passed(steps, 1);
    }
    LaunchGraph& graph = m_faces->record({rounds.begin() + before, rounds.end()}, haloOfRounds());
    if (before > 0) m_faces->round(rounds.front(), haloOfRounds());
    const std::int64_t times = (most - before) / together;
    m_faces->repeat(graph, times);
    passed(steps, (times - 1) * together);
    m_exchange->count(haloOfRounds(), before);
    m_exchange->count(haloOfRounds(), times * together, true);
    return before + times * together;
}

std::vector<HaloRound> StencilSlabs::roundsOf(int steps) {
    std::vector<HaloRound> given;
    for (std::int64_t i = 0; i < cut().count(); ++i) given.push_back(roundOf(static_cast<std::size_t>(i), steps));
    return given;
}

void StencilSlabs::passed(std::int64_t steps, std::int64_t rounds) {
    for (std::int64_t i = 0; i < cut().count(); ++i)
        for (std::int64_t k = 0; k < rounds; ++k)
            m_parts[static_cast<std::size_t>(i)].stepper->passed(static_cast<int>(steps));
    m_rounds += rounds;
    if (rounds > 0) m_stepsOfARound = std::max<std::int64_t>(m_stepsOfARound, steps);
}

std::int64_t StencilSlabs::haloOfRounds() const { return m_parts.front().stepper->stepsOfPass(m_plan.slabs.halo); }

HaloRound StencilSlabs::roundOf(std::size_t device, int steps) {
    Part& part = m_parts[device];
    const Slab slab = cut().at(static_cast<std::int64_t>(device));
    const std::int64_t first = slab.first - part.first, last = first + slab.slices;
    const bool below = device > 0, above = static_cast<std::int64_t>(device) + 1 < cut().count();
    // What a kernel marches through at once, so that faces cost no more than the same slices within the whole.
    const auto planes = m_tunables.find("planes_per_block");
    const std::int64_t march = planes == m_tunables.end() ? 1 : planes->second;
    const std::int64_t face = std::max(
        haloOfRounds(), std::min(march, slab.slices / (1 + static_cast<int>(below) + static_cast<int>(above))));
    const std::int64_t begin = below ? first + face : first, end = above ? last - face : last;
    HaloRound round{.faces = {}, .interior = {}, .made = {&part.stepper->next(), part.count, first, slab.slices}};
    if (begin >= end) {
        round.faces.push_back(part.stepper->slices(steps, first, last));
        return round;
    }
    if (below) round.faces.push_back(part.stepper->slices(steps, first, begin));
    if (above) round.faces.push_back(part.stepper->slices(steps, end, last));
    round.interior = part.stepper->slices(steps, begin, end);
    return round;
}

void StencilSlabs::exchange() {
    std::vector<LocalLines> held;
    for (std::int64_t i = 0; i < cut().count(); ++i) {
        const Part& part = m_parts[static_cast<std::size_t>(i)];
        const Slab slab = cut().at(i);
        held.push_back({&part.stepper->current(), part.count, slab.first - part.first, slab.slices});
    }
    m_exchange->run(held);
}

float StencilSlabs::worst() const {
    float worst = 0;
    for (const Part& part : m_parts)
        if (std::isnan(part.worst) || part.worst > worst) worst = part.worst;
    return worst;
}

void StencilSlabs::advance(std::size_t device, std::int64_t steps) {
    ports()[device].compute([&] { m_parts[device].stepper->advance(steps); });
}

void StencilSlabs::load(std::size_t device, const Slab& slab, const io::Grid& from, std::int64_t steps) {
    Part& part = m_parts[device];
    SlabPort& port = ports()[device];
    const std::int64_t halo = std::min(cut().halo, steps);
    part.first = std::max<std::int64_t>(0, slab.first - halo);
    part.count = std::min(cut().depth, slab.first + slab.slices + halo) - part.first;
    part.stepper.reset();  // its memory is wanted again
    port.send(from.data() + format().sentBytes(part.first), part.count);
    part.stepper.emplace(
        port.device(), withLines(m_extent, part.count),
        m_problem.op().onSlab(static_cast<int>(part.first), static_cast<int>(part.count), axisOf(m_extent)));
    part.stepper->load(port.planes(), kFloat);
    part.stepper->prepare(*m_variant, m_tunables);
    if (!m_poison) return;
    part.stepper->poison();
    part.stepper->restart();
}

void StencilSlabs::store(std::size_t device, const Slab& slab, std::byte* to) {
    Part& part = m_parts[device];
    SlabPort& port = ports()[device];
    port.fetch(port.cut(part.stepper->current(), part.count, slab.first - part.first, slab.slices), slab.slices, to);
}

std::unique_ptr<Session> openSlabSessionIfNeeded(const StencilProblem& problem, Device& device, Resident& resident) {
    const auto budget = memoryBudget(device, resident);
    if (inCoreBytes(problem) <= budget) return nullptr;
    return std::make_unique<StencilSlabs>(problem, std::vector<Device*>{&device}, resident,
                                          planIterationOn(device, problem, problem.schedule(), budget));
}

std::unique_ptr<Session> openSlabSession(const StencilProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, HaloExchangeMode way) {
    const std::int64_t budget = memoryBudget(devices, resident), parts = partsFor(devices);
    // Where nothing says that one is slower, each may keep a slab of the same size.
    const bool equal = parts == static_cast<std::int64_t>(devices.size());
    std::optional<IterationPlan> stay;
    if (devices.size() > 1 && equal) {
        stay = planStay(problem, budget, parts);
    } else if (devices.size() > 1) {
        std::vector<std::int64_t> budgets;
        for (const Device* device : devices)
            budgets.push_back(device == devices.front() ? memoryBudget(*device, resident) : memoryBudget(*device, {}));
        const std::vector<double> speeds = speedsOf(problem, devices);
        if (!speeds.empty()) stay = planStay(problem, budgets, speeds);
    }
    return std::make_unique<StencilSlabs>(
        problem, devices, resident,
        stay ? *stay : planIteration(problem, problem.schedule(), budget, devices.front()->info().id, false, parts),
        way);
}

}  // namespace warplens::gpu::stencil
