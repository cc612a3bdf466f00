// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/slab_session.hpp"

#include "gpu/core/evolution.hpp"
#include "gpu/run/slab_session.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::gpu::stencil {
namespace {

constexpr auto kFloat = io::PixelType::f32;

/// The fields of step 0: the input as f32 with the held regions at their value. The input itself where that is the
/// same.
std::shared_ptr<const io::Grid> startOf(const StencilProblem& problem) {
    const io::Grid& input = problem.input();
    const auto& regions = problem.op().regions;
    if (input.type() == kFloat && regions.empty()) return problem.inputPointer();
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

/// Largest |a - b| of the cells that are stepped, joined to `worst`; NaN wins.
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

SlabFormat formatOf(const Extent& extent) {
    const std::int64_t rows = axisOf(extent) == 2 ? extent.height : 1;
    return {.pixels = extent.width * rows, .channels = extent.channels};
}

class StencilSlabs final : public SlabSession {
public:
    StencilSlabs(const StencilProblem& problem, const std::vector<Device*>& devices, Resident& resident,
                 const IterationPlan& plan)
        : SlabSession(devices, resident, plan.slabs, formatOf(problem.extent()),
                      std::min(plan.slabs.depth, plan.slabs.slices + 2 * plan.slabs.halo)),
          m_problem(problem),
          m_plan(plan),
          m_start(startOf(problem)),
          m_extent(problem.extent()),
          m_parts(devices.size()) {}

    std::string plan() const override { return m_plan.sentence(); }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_variant = &variant;
        m_tunables = tunables;
    }

    /// The first sweep of the first slabs.
    void launch() override {
        walkFirst([this](std::size_t device, const Slab& slab) {
            load(device, slab, *m_start, m_plan.steps);
            m_parts[device].stepper->advance(m_plan.steps);
        });
    }

    void poisonOutput() override { m_poison = true; }

private:
    /// What lies on a device beside its port's planes.
    struct Part {
        std::optional<Stepper> stepper;
        std::int64_t first = 0, count = 0;  ///< slices of the volume, the halo among them
    };

    void work() override {
        m_evolution = {.iterations = 0, .stopped = "iterations", .residuals = {}};
        const Schedule& schedule = m_problem.schedule();
        const io::Grid* from = m_start.get();
        do {
            const auto done = m_evolution.iterations;
            auto due = schedule.iterations;
            if (schedule.residualEvery > 0)
                due = std::min(due, done + schedule.residualEvery - done % schedule.residualEvery);
            const auto steps = std::min(m_plan.steps, due - done);
            const bool compare = schedule.residualEvery > 0 && steps > 0 && done + steps == due;
            m_last = 1 - m_last;
            io::Grid& to = m_fields[static_cast<std::size_t>(m_last)];
            if (to.empty()) to = io::Grid(m_start->shape(), kFloat);
            const float change = sweep(*from, to, steps, compare);
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

    Result result() override {
        auto field = std::exchange(m_fields[static_cast<std::size_t>(m_last)], io::Grid());
        return {.picture = m_problem.finish(std::move(field)), .tables = tablesOf(m_evolution)};
    }

    /// Takes every slab `steps` steps on. Returns the largest change of the last step when it is asked for.
    float sweep(const io::Grid& from, io::Grid& to, std::int64_t steps, bool compare) {
        float worst = 0;
        if (steps == 0) {
            std::memcpy(to.data(), from.data(), from.bytes());
            return worst;
        }
        walk([&](std::size_t device, const Slab& slab) {
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
                m_before.resize(format().fetchedBytes(slab.slices));
                store(device, slab, m_before.data());
                before = m_before.data();
            }
            advance(device, 1);
            store(device, slab, result);
            worst = largestChange(before, result, format().pixelsOf(slab.slices), m_extent, worst);
        });
        return worst;
    }

    void advance(std::size_t device, std::int64_t steps) {
        ports()[device].compute([&] { m_parts[device].stepper->advance(steps); });
    }

    /// Sends a slab with a halo of as many slices as there are steps, cut off where the volume ends.
    void load(std::size_t device, const Slab& slab, const io::Grid& from, std::int64_t steps) {
        Part& part = m_parts[device];
        SlabPort& port = ports()[device];
        const std::int64_t halo = std::min(slabs().halo, steps);
        part.first = std::max<std::int64_t>(0, slab.first - halo);
        part.count = std::min(slabs().depth, slab.first + slab.slices + halo) - part.first;
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

    /// Brings the slab without its halo to the host. After the first step the planes that were sent are free to pack it
    /// in.
    void store(std::size_t device, const Slab& slab, std::byte* to) {
        Part& part = m_parts[device];
        SlabPort& port = ports()[device];
        port.fetch(port.cut(part.stepper->current(), part.count, slab.first - part.first, slab.slices), slab.slices,
                   to);
    }

    const StencilProblem& m_problem;
    IterationPlan m_plan;
    std::shared_ptr<const io::Grid> m_start;
    Extent m_extent;
    std::vector<Part> m_parts;  ///< one a device
    const Variant* m_variant = nullptr;
    TunableValues m_tunables;
    std::array<io::Grid, 2> m_fields;  ///< what the sweeps read and write in turn
    int m_last = 1;                    ///< the one written last
    std::vector<std::byte> m_before;
    bool m_poison = false;
    Evolution m_evolution;
};

}  // namespace

std::unique_ptr<Session> openSlabSession(const StencilProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, const IterationPlan& plan) {
    return std::make_unique<StencilSlabs>(problem, devices, resident, plan);
}

std::unique_ptr<Session> openSlabSessionIfNeeded(const StencilProblem& problem, Device& device, Resident& resident) {
    const auto budget = memoryBudget(device, resident);
    if (inCoreBytes(problem) <= budget) return nullptr;
    return openSlabSession(problem, {&device}, resident, planIteration(problem, budget, device.info().id));
}

}  // namespace warplens::gpu::stencil
