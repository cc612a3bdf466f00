// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/slab_ring.hpp"
#include "gpu/families/stencil/stepper.hpp"
#include "gpu/run/halo_exchange.hpp"
#include "gpu/run/overlapped_halo_exchange.hpp"
#include "gpu/run/slab_ring.hpp"
#include "gpu/run/slab_session.hpp"
#include "gpu/run/slabs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::stencil {

/// How an iteration goes over a device slab by slab: every sweep over the volume takes up to `steps` steps. A slab is a
/// volume of its own with a halo of that many slices; what its ends get wrong spreads by a slice a step and stays in
/// the halo. Of a picture the slices are rows.
struct IterationPlan {
    SlabPlan slabs;
    std::int64_t steps = 0;  ///< that a sweep takes at most
    std::int64_t sweeps = 1;
    /// There is a device for every slab, which keeps it from the first step to the last. Between two sweeps devices
    /// give each other their halos. No slab has fewer slices than the halo.
    bool stays = false;

    /// "6 slabs of 171 slices, halo 4, 980 MB on the device, 13 sweeps of up to 4 steps"
    std::string sentence() const;
};

/// Along which a problem is cut: 2, slices of a volume, or 1, rows of a picture.
int axisOf(const Extent& extent);
/// How many slices or rows there are, and the same extent with `lines` of them.
std::int64_t linesOf(const Extent& extent);
Extent withLines(Extent extent, std::int64_t lines);

/// Bytes on the device for a slab of `slices` slices in all, those of the halo included: fields, start and what the
/// change of layout takes.
std::int64_t slabBytes(const StencilProblem& problem, std::int64_t slices);

/// The same for the whole problem without slabs, which so many steppers start from.
std::int64_t inCoreBytes(const StencilProblem& problem, std::int64_t steppers = 1);

/// How its slices go over and come back.
SlabFormat slabFormatOf(const Extent& extent);

/// Bytes on the device for slabs of `own` slices, `slices` with their halo, that overlap.
std::int64_t ringBytes(const StencilProblem& problem, std::int64_t slices, std::int64_t own);

/// The plan that sends the fewest slices to and fro within `budget` bytes, in at least so many parts where there are
/// as many slices (planSlabs); where transfers and kernels overlap, in smaller slabs. Throws Error(outOfMemory).
IterationPlan planIteration(const StencilProblem& problem, const Schedule& schedule, std::int64_t budget,
                            const std::string& where, bool overlapped = false, std::int64_t parts = 1);
/// Overlapped where device and budget allow it.
IterationPlan planIterationOn(const Device& device, const StencilProblem& problem, const Schedule& schedule,
                              std::int64_t budget);

/// The plan by which as many devices keep a slab each: few steps a sweep, so that little is computed twice. Absent
/// where a slab does not fit `budget` bytes, or there is one slice alone.
std::optional<IterationPlan> planStay(const StencilProblem& problem, std::int64_t budget, std::int64_t devices);
/// The same with slabs in proportion to speeds, each within its device's budget; absent where there are fewer slices
/// than devices, too.
std::optional<IterationPlan> planStay(const StencilProblem& problem, const std::vector<std::int64_t>& budgets,
                                      const std::vector<double>& speeds);
/// Cell steps a millisecond that each device makes of a few slices, or of more until that takes a while (measured).
/// Empty where one has no memory for that.
std::vector<double> speedsOf(const StencilProblem& problem, const std::vector<Device*>& devices);

/// Fields on the host that go over devices by a plan. As a session it takes the steps of the problem's schedule.
class StencilSlabs final : public SlabSession {
public:
    /// Problem and devices must outlive it. An overlapped plan is of the first device alone. Where slabs stay: as many
    /// devices as slabs, at least; `way` is how halos go where that is possible.
    StencilSlabs(const StencilProblem& problem, const std::vector<Device*>& devices, Resident& resident,
                 const IterationPlan& plan, HaloExchange::Way way = HaloExchange::Way::overlapped);

    std::string plan() const override;
    std::optional<SlabMap> slabs() const override;
    std::optional<SlabOverlap> overlap() const override { return m_ring ? std::optional(m_overlap) : std::nullopt; }
    void prepare(const Variant& variant, const TunableValues& tunables) override;
    /// The first sweep of the first slabs.
    void launch() override;
    void poisonOutput() override { m_poison = true; }

    /// The fields of step 0: f32, with the held regions at their value.
    const std::shared_ptr<const io::Grid>& start() const { return m_start; }
    /// Steps that one sweep takes at most.
    std::int64_t stepsOfASweep() const { return m_plan.steps; }
    /// Takes every slab of `from` so many steps on, into `to` of the same extents. Returns the largest change of the
    /// last step when it is asked for.
    float sweep(const io::Grid& from, io::Grid& to, std::int64_t steps, bool compare);

private:
    /// What lies on a device beside its port's planes.
    struct Part {
        std::optional<Stepper> stepper;
        std::int64_t first = 0, count = 0;  ///< slices of the volume, the halo among them
        std::vector<std::byte> before;      ///< the fields of the step before the last one
        float worst = 0;                    ///< largest change of a sweep's last step
    };

    void work() override;
    Result result() override;
    /// One sweep of slabs that stay, from step m_evolution.iterations on; the fields come to `to` where `wanted`, and
    /// where changes are compared.
    float onward(io::Grid& to, std::int64_t steps, bool compare, bool wanted);
    /// The same with overlapped exchanges.
    float onwardInRounds(io::Grid& to, std::int64_t steps, bool compare, bool wanted);
    void exchange();
    /// So many steps in rounds whose exchange is overlapped; with `more` steps to come, halos are sent behind the last
    /// round, too.
    void rounds(std::int64_t steps, bool more);
    /// Lines that a round wants of its neighbours, at most.
    std::int64_t haloOfRounds() const;
    HaloRound roundOf(std::size_t device, int steps);
    bool overlaps() const { return m_exchange && HaloExchange::overlaps(m_exchange->way()); }
    /// Rounds of so many steps each, all followed by another, in launch graphs; returns how many were taken.
    std::int64_t roundsAsGraphs(int steps, std::int64_t most);
    std::vector<HaloRound> roundsOf(int steps);
    void passed(std::int64_t steps, std::int64_t rounds);
    /// The plan that the last pass went by: rounds have halos of a kernel's own steps.
    IterationPlan taken() const;
    /// The largest change that any device has found.
    float worst() const;
    void advance(std::size_t device, std::int64_t steps);
    /// Sends a slab with a halo of as many slices as there are steps, cut off where the volume ends.
    void load(std::size_t device, const Slab& slab, const io::Grid& from, std::int64_t steps);
    /// Brings the slab without its halo to the host. After the first step the planes that were sent are free to pack it
    /// in.
    void store(std::size_t device, const Slab& slab, std::byte* to);

    const StencilProblem& m_problem;
    IterationPlan m_plan;
    std::string m_first;                     ///< the first device
    std::optional<HaloExchange> m_exchange;  ///< of slabs that stay and need each other's slices
    std::shared_ptr<const io::Grid> m_start;
    Extent m_extent;
    std::vector<Part> m_parts;                      ///< one a device
    std::optional<OverlappedHaloExchange> m_faces;  ///< of a pass under way; ends before the parts
    std::int64_t m_rounds = 0, m_stepsOfARound = 0;
    std::optional<StencilRing> m_ring;  ///< in their place
    SlabOverlap m_overlap;
    const Variant* m_variant = nullptr;
    TunableValues m_tunables;
    std::array<io::Grid, 2> m_fields;  ///< what the sweeps read and write in turn
    int m_last = 1;                    ///< the one written last
    bool m_poison = false;
    ConvergenceHistory m_evolution;
};

/// Such a session by a plan of its own, on all of the devices at once.
std::unique_ptr<Session> openSlabSession(const StencilProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, HaloExchangeMode way = HaloExchangeMode::overlapped);
/// The same on one device; null when the whole problem fits the memory that may be used. The problem must
/// outlive it. Throws Error(outOfMemory).
std::unique_ptr<Session> openSlabSessionIfNeeded(const StencilProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::stencil
