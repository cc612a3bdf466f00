// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/opencl.hpp"

#include "gpu/device/opencl/queue.hpp"
#include "gpu/device/opencl/row.hpp"
#include "gpu/device/opencl/sources.hpp"
#include "gpu/families/stencil/portable.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/kernels/ceil_div.hpp"

#include <algorithm>
#include <cstdint>

namespace warplens::gpu::stencil {
namespace {

// Cells stepped between two waits, so that stopping takes no longer than they do.
constexpr std::int64_t kBetweenWaits = 100'000'000;
constexpr std::size_t kChangeGroup = 64;

/// The kernel that the row is written after.
const Variant& kernelOf(const Variant& openCl) {
    return *std::ranges::find(ladder().variants(), openCl.predecessor, &Variant::id);
}

class StencilOpenCl final : public PortableSession {
public:
    StencilOpenCl(const StencilProblem& problem, const Variant& variant, const TunableValues& tunables)
        : m_problem(problem),
          m_step(plainStepOf(problem)),
          m_queue(opencl::deviceOf(tunables)),
          m_kernel(opencl::buildRow(m_queue, variant, {}, {})),
          m_change(m_queue.build({opencl::sourceOf("gpu/families/stencil/opencl/change.cl")}, "change")),
          m_fields{m_queue.holding(startOf(problem).data(), bytes()), m_queue.allocate(bytes()),
                   m_queue.allocate(bytes())},
          m_weights(m_queue.holding(m_step.weights.data(), sizeof m_step.weights)),
          m_offsets(m_queue.holding(m_step.offsets.data(), sizeof m_step.offsets)),
          m_box(m_queue.holding(m_step.box.data(), sizeof m_step.box)),
          m_largest(m_queue.allocate(sizeof(std::uint32_t))) {
        const auto block = ladder().anyBuildOf(kernelOf(variant)).block(tunables, problem.op().pattern);
        const std::array<int, 3> cells{m_step.width, m_step.height, m_step.depth * m_step.fields};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            m_group[axis] = static_cast<std::size_t>(block[axis]);
            m_groups[axis] = ceilDiv(cells[axis], block[axis]);
        }
    }

    std::string runsOn() const override { return opencl::placeOf(m_queue); }
    Clock clock() const override { return Clock::opencl; }
    std::int64_t cacheBytes() const override { return m_queue.facts().cacheBytes; }

    double run(const std::stop_token& stop) override {
        Steps steps(m_problem.schedule(), stop);
        const double ms = m_queue.time([&] { iterate(steps); });
        m_evolution = steps.evolution();
        return ms;
    }

    Result result() override {
        std::vector<float> fields(static_cast<std::size_t>(m_step.cells()));
        m_queue.download(fields.data(), m_fields[m_now], bytes());
        return resultOf(m_problem, fields, m_evolution);
    }

private:
    std::size_t bytes() const { return static_cast<std::size_t>(m_step.cells()) * sizeof(float); }

    /// From the first field, which stays, to the other two in turn.
    void iterate(Steps& steps) {
        m_now = 0;
        std::int64_t sinceWait = 0;
        while (steps.more()) {
            const std::size_t next = m_now == 1 ? 2 : 1;
            m_kernel.arguments(m_fields[m_now], m_fields[next], m_step.width, m_step.height, m_step.depth,
                               m_step.fields, m_step.axes, m_step.taps, m_weights, m_offsets, m_step.boxes, m_box);
            m_queue.launch(m_kernel, m_groups, m_group);
            if (steps.looks()) steps.saw(changeBetween(m_fields[m_now], m_fields[next]));
            m_now = next;
            sinceWait += m_step.cells();
            if (sinceWait < kBetweenWaits) continue;
            m_queue.finish();
            sinceWait = 0;
        }
    }

    std::uint32_t changeBetween(const opencl::Memory& before, const opencl::Memory& now) {
        std::uint32_t largest = 0;
        m_queue.upload(m_largest, &largest, sizeof largest);
        m_change.arguments(before, now, m_step.cells(), m_largest);
        const auto cells = static_cast<std::size_t>(m_step.cells());
        m_queue.launch(m_change, {(cells + kChangeGroup - 1) / kChangeGroup, 1, 1}, {kChangeGroup, 1, 1});
        m_queue.download(&largest, m_largest, sizeof largest);
        return largest;
    }

    const StencilProblem& m_problem;
    PlainStep m_step;
    opencl::Queue m_queue;
    opencl::Kernel m_kernel, m_change;
    std::array<opencl::Memory, 3> m_fields;
    opencl::Memory m_weights, m_offsets, m_box, m_largest;
    std::array<std::size_t, 3> m_group{}, m_groups{};
    std::size_t m_now = 0;
    ConvergenceHistory m_evolution;
};

}  // namespace

std::string openClRefusal(const StencilProblem& problem, const Variant& variant, const TunableValues& tunables) {
    DeviceInfo device;
    if (std::string why = opencl::refusalOf(tunables, device); !why.empty()) return why;
    return problem.refusal(kernelOf(variant), tunables, device);
}

std::unique_ptr<PortableSession> openClSession(const StencilProblem& problem, const Variant& variant,
                                               const TunableValues& tunables) {
    return std::make_unique<StencilOpenCl>(problem, variant, tunables);
}

}  // namespace warplens::gpu::stencil
