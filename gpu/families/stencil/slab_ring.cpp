// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/slab_ring.hpp"

#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>

namespace warplens::gpu::stencil {
namespace {

constexpr auto kFloat = io::PixelType::f32;

std::int64_t mostRead(const SlabPlan& plan) { return std::min(plan.depth, plan.slices + 2 * plan.halo); }

}  // namespace

StencilRing::StencilRing(const StencilProblem& problem, Device& device, const SlabPlan& plan)
    : m_problem(problem),
      m_plan(plan),
      m_extent(problem.extent()),
      m_format(slabFormatOf(m_extent)),
      m_ring(device, m_format, mostRead(plan), plan.slices, device.info().discreteMemory()),
      m_stepper(device, withLines(m_extent, mostRead(plan)), problem.op()) {
    // All memory is taken before another thread works with it.
    if (!problem.op().regions.empty()) m_stepper.reserveStart();
    device.fill(m_ring.planes(), 0);
    load({0, mostRead(plan)}, m_ring.planes());
    device.synchronize();
}

void StencilRing::launch(std::int64_t steps) {
    load({0, mostRead(m_plan)}, m_ring.planes());
    m_stepper.advance(steps);
}

Slab StencilRing::readBy(const Slab& slab, std::int64_t steps) const {
    const std::int64_t halo = std::min(m_plan.halo, steps), first = std::max<std::int64_t>(0, slab.first - halo);
    return {first, std::min(m_plan.depth, slab.first + slab.slices + halo) - first};
}

void StencilRing::load(const Slab& read, const Buffer& planes) {
    m_stepper.place(
        withLines(m_extent, read.slices),
        m_problem.op().onSlab(static_cast<int>(read.first), static_cast<int>(read.slices), axisOf(m_extent)));
    m_stepper.load(planes, kFloat);
}

void StencilRing::pack(const Slab& slab, const Slab& read, const Buffer& made) const {
    Device& device = m_ring.device();
    for (std::int64_t c = 0; c < m_format.channels; ++c) {
        const std::size_t from = m_format.pixelsOf(c * read.slices + slab.first - read.first);
        layoutEntry(device.info())
            .convert(device.context(), m_stepper.current().handle(), from * sizeof(float), kFloat, made.handle(),
                     m_format.pixelsOf(c * slab.slices) * sizeof(float), kFloat, m_format.pixelsOf(slab.slices));
    }
}

float StencilRing::sweep(const io::Grid& from, io::Grid& to, std::int64_t steps, bool compare, bool poison,
                         SlabOverlap& overlap) {
    float worst = 0;
    // The last step of those whose change is asked for goes by itself, and what lies there before it is fetched, too:
    // the halo's change is no cell's, so that the device's own comparison of whole slabs says nothing here.
    const bool apart = compare && steps > 1;
    for (auto& before : m_before) before.resize(apart ? m_format.fetchedBytes(m_plan.slices) : 0);
    const auto make = [&](std::int64_t i, Scratch&) {
        const std::int64_t at = apart ? i / 2 : i;
        const Slab slab = m_plan.at(at), read = readBy(slab, steps);
        const bool first = !apart || i % 2 == 0, last = !apart || i % 2 == 1;
        const std::size_t begin = m_format.fetchedBytes(slab.first);
        std::byte* before = m_before[static_cast<std::size_t>(at) % m_before.size()].data();
        SlabJob job{.from = from.data() + m_format.sentBytes(read.first),
                    .sent = first ? read.slices : 0,
                    .to = last ? to.data() + begin : before,
                    .fetched = slab.slices};
        if (first) {
            job.ready = [this, read, poison](const Buffer& planes, const Buffer&) {
                load(read, planes);
                if (!poison) return;
                m_stepper.poison();
                m_stepper.restart();
            };
        }
        const std::int64_t taken = apart ? (first ? steps - 1 : 1) : steps;
        job.compute = [this, taken](const Buffer&, const Buffer&) { m_stepper.advance(taken); };
        job.pack = [this, slab, read](const Buffer&, const Buffer& made) { pack(slab, read, made); };
        if (compare && last) {
            job.landed = [this, &from, &to, &worst, before, begin, apart, pixels = m_format.pixelsOf(slab.slices)] {
                worst = largestChange(apart ? before : from.data() + begin, to.data() + begin, pixels, m_extent, worst);
            };
        }
        return job;
    };
    m_ring.run(m_plan.count() * (apart ? 2 : 1), make, overlap);
    return worst;
}

}  // namespace warplens::gpu::stencil
