// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/stepper.hpp"
#include "gpu/run/slab_ring.hpp"
#include "gpu/run/slabs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::gpu::stencil {

/// Largest |a - b| of the cells that are stepped, joined to `worst`; NaN wins. So many pixels of f32, interleaved.
float largestChange(const std::byte* before, const std::byte* after, std::size_t pixels, const Extent& extent,
                    float worst);

/// Sweeps of slabs over one device, the transfers of a slab beside the steps of others. Every member throws Error.
class StencilRing {
public:
    /// Problem and device must outlive it.
    StencilRing(const StencilProblem& problem, Device& device, const SlabPlan& plan);

    void prepare(const Variant& variant, const TunableValues& tunables) { m_stepper.prepare(variant, tunables); }
    /// So many steps of a largest slab, whatever lies there.
    void launch(std::int64_t steps);
    /// StencilSlabs::sweep() of `steps` >= 1; adds what it took.
    float sweep(const io::Grid& from, io::Grid& to, std::int64_t steps, bool compare, bool poison,
                SlabOverlap& overlap);

private:
    /// Slices of the volume that a slab reads, with the halo of so many steps.
    Slab readBy(const Slab& slab, std::int64_t steps) const;
    void load(const Slab& read, const Buffer& planes);
    void pack(const Slab& slab, const Slab& read, const Buffer& made) const;

    const StencilProblem& m_problem;
    SlabPlan m_plan;
    Extent m_extent;
    SlabFormat m_format;
    SlabRing m_ring;
    Stepper m_stepper;
    std::array<std::vector<std::byte>, 2> m_before;  ///< a slab ahead of the step whose change is asked for
};

}  // namespace warplens::gpu::stencil
