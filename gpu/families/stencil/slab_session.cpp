// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/slab_session.hpp"

#include "gpu/core/evolution.hpp"
#include "gpu/kernels/layout.hpp"

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

/// Largest |a - b| over the first `stepped` of every `channels` values, joined to `worst`; NaN wins.
float largestChange(const float* a, const float* b, std::size_t pixels, int channels, int stepped, float worst) {
    for (std::size_t i = 0; i < pixels; ++i, a += channels, b += channels) {
        for (int c = 0; c < stepped; ++c) {
            const float change = std::fabs(a[c] - b[c]);
            if (std::isnan(worst) || std::isnan(change))
                worst = std::numeric_limits<float>::quiet_NaN();
            else
                worst = std::max(worst, change);
        }
    }
    return worst;
}

class SlabSession final : public Session {
public:
    SlabSession(const StencilProblem& problem, Device& device, Resident& resident, const IterationPlan& plan)
        : m_problem(problem),
          m_device(device),
          m_resident(resident),
          m_plan(plan),
          m_start(startOf(problem)),
          m_extent(problem.extent()),
          m_slice(static_cast<std::size_t>(m_extent.width) * static_cast<std::size_t>(m_extent.height)) {
        resident = {};
        resident.fresh = true;
        const auto bytes = bytesOf(std::min(plan.slabs.depth, plan.slabs.slices + 2 * plan.slabs.halo));
        m_planes = device.allocate(bytes);
        if (m_extent.channels > 1) m_interleaved = device.allocate(bytes);
    }

    std::string plan() const override { return m_plan.sentence(); }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_variant = &variant;
        m_tunables = tunables;
    }

    /// The first slab's first sweep.
    void launch() override {
        load(m_plan.slabs.at(0), *m_start, m_plan.steps);
        m_stepper->advance(m_plan.steps);
    }

    void poisonOutput() override { m_poison = true; }

    double pass(Device&) override {
        m_resident.uploadMs = m_resident.layoutMs = m_layoutMs = m_downloadMs = m_kernelMs = 0;
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
        return m_kernelMs;
    }

    Result download(double& layoutMs, double& downloadMs) override {
        layoutMs += m_layoutMs;
        downloadMs += m_downloadMs;
        auto field = std::exchange(m_fields[static_cast<std::size_t>(m_last)], io::Grid());
        return {.picture = m_problem.finish(std::move(field)), .tables = tablesOf(m_evolution)};
    }

private:
    std::size_t cells(std::int64_t slices) const { return static_cast<std::size_t>(slices) * m_slice; }
    std::size_t bytesOf(std::int64_t slices) const {
        return cells(slices) * static_cast<std::size_t>(m_extent.channels) * sizeof(float);
    }

    /// Takes every slab `steps` steps on. Returns the largest change of the last step when it is asked for.
    float sweep(const io::Grid& from, io::Grid& to, std::int64_t steps, bool compare) {
        float worst = 0;
        if (steps == 0) {
            std::memcpy(to.data(), from.data(), from.bytes());
            return worst;
        }
        for (std::int64_t i = 0; i < m_plan.slabs.count(); ++i) {
            const Slab slab = m_plan.slabs.at(i);
            float* result = to.as<float>() + cells(slab.first) * static_cast<std::size_t>(m_extent.channels);
            load(slab, from, steps);
            if (!compare) {
                advance(steps);
                store(slab, result);
                continue;
            }
            // The halo's change is no cell's, so that the device's own comparison of whole slabs says nothing here.
            const float* before = from.as<float>() + cells(slab.first) * static_cast<std::size_t>(m_extent.channels);
            if (steps > 1) {
                advance(steps - 1);
                m_before.resize(bytesOf(slab.slices) / sizeof(float));
                store(slab, m_before.data());
                before = m_before.data();
            }
            advance(1);
            store(slab, result);
            worst = largestChange(before, result, cells(slab.slices), m_extent.channels, m_extent.stepped, worst);
        }
        return worst;
    }

    void advance(std::int64_t steps) {
        m_kernelMs += m_device.time([&] { m_stepper->advance(steps); });
    }

    /// Sends a slab with a halo of as many slices as there are steps, cut off where the volume ends.
    void load(const Slab& slab, const io::Grid& from, std::int64_t steps) {
        const std::int64_t halo = std::min(m_plan.slabs.halo, steps);
        m_first = std::max<std::int64_t>(0, slab.first - halo);
        m_count = std::min(m_plan.slabs.depth, slab.first + slab.slices + halo) - m_first;
        m_stepper.reset();  // its memory is wanted again
        const std::byte* slices = from.data() + bytesOf(m_first);
        const Buffer& sent = m_extent.channels > 1 ? m_interleaved : m_planes;
        m_resident.uploadMs += m_device.time([&] { m_device.upload(sent, slices, bytesOf(m_count)); });
        if (m_extent.channels > 1) {
            m_resident.layoutMs += m_device.time([&] {
                layoutEntry(m_device.info())
                    .deinterleave(m_device.context(), m_interleaved.handle(), m_planes.handle(), cells(m_count),
                                  m_extent.channels, kFloat);
            });
        }
        Extent extent = m_extent;
        extent.depth = static_cast<int>(m_count);
        m_stepper.emplace(m_device, extent, m_problem.op().onSlab(static_cast<int>(m_first), extent.depth));
        m_stepper->load(m_planes, kFloat);
        m_stepper->prepare(*m_variant, m_tunables);
        if (!m_poison) return;
        m_stepper->poison();
        m_stepper->restart();
    }

    /// Brings the slab without its halo to the host. After the first step the planes that were sent are free to pack it
    /// in.
    void store(const Slab& slab, float* to) {
        const Buffer* fields = &m_stepper->current();
        if (m_count != slab.slices) {
            m_layoutMs += m_device.time([&] {
                for (std::int64_t c = 0; c < m_extent.channels; ++c) {
                    const auto begin = cells(c * m_count + slab.first - m_first) * sizeof(float);
                    layoutEntry(m_device.info())
                        .convert(m_device.context(), fields->handle(), begin, kFloat, m_planes.handle(),
                                 cells(c * slab.slices) * sizeof(float), kFloat, cells(slab.slices));
                }
            });
            fields = &m_planes;
        }
        if (m_extent.channels > 1) {
            m_layoutMs += m_device.time([&] {
                layoutEntry(m_device.info())
                    .interleave(m_device.context(), fields->handle(), m_interleaved.handle(), cells(slab.slices),
                                m_extent.channels, kFloat);
            });
            fields = &m_interleaved;
        }
        m_downloadMs += m_device.time([&] { m_device.download(to, *fields, bytesOf(slab.slices)); });
    }

    const StencilProblem& m_problem;
    Device& m_device;
    Resident& m_resident;
    IterationPlan m_plan;
    std::shared_ptr<const io::Grid> m_start;
    Extent m_extent;
    std::size_t m_slice;  ///< cells
    Buffer m_planes, m_interleaved;
    std::optional<Stepper> m_stepper;
    const Variant* m_variant = nullptr;
    TunableValues m_tunables;
    std::int64_t m_first = 0, m_count = 0;  ///< slices of the volume that lie on the device
    std::array<io::Grid, 2> m_fields;       ///< what the sweeps read and write in turn
    int m_last = 1;                         ///< the one written last
    std::vector<float> m_before;
    bool m_poison = false;
    Evolution m_evolution;
    double m_layoutMs = 0, m_downloadMs = 0, m_kernelMs = 0;
};

}  // namespace

std::unique_ptr<Session> openSlabSession(const StencilProblem& problem, Device& device, Resident& resident,
                                         const IterationPlan& plan) {
    return std::make_unique<SlabSession>(problem, device, resident, plan);
}

std::unique_ptr<Session> openSlabSessionIfNeeded(const StencilProblem& problem, Device& device, Resident& resident) {
    const auto budget = memoryBudget(device, resident);
    if (inCoreBytes(problem) <= budget) return nullptr;
    return openSlabSession(problem, device, resident, planIteration(problem, budget, device.info().id));
}

}  // namespace warplens::gpu::stencil
