// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/playback.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/families/stencil/stepper.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace warplens::gpu::stencil {

namespace {

/// Steps between two pictures by which slabs are planned: the more, the deeper their halos and the fewer their sweeps.
constexpr std::int64_t kUsualSteps = 10;

}  // namespace

/// The fields of one variant.
class Playback::Fields {
public:
    virtual ~Fields() = default;
    virtual std::int64_t step() const = 0;
    virtual void restart() = 0;
    /// Takes `steps` >= 1 steps, the last one by itself where its change is `wanted`. Returns the milliseconds of the
    /// kernels.
    virtual double advance(std::int64_t steps, bool wanted) = 0;
    /// Largest change of a cell in the last step, which was wanted.
    virtual double change() = 0;
    /// f32.
    virtual io::Grid field() const = 0;
};

class Playback::OnDevice final : public Fields {
public:
    OnDevice(Device& device, const StencilProblem& problem, const Resident& resident, const Variant& variant,
             const TunableValues& tunables)
        : m_device(device), m_shape(problem.input()->shape()), m_stepper(device, problem.extent(), problem.op()) {
        m_stepper.load(resident.planes, problem.input()->type());
        m_stepper.prepare(variant, tunables);
    }
    std::int64_t step() const override { return m_stepper.step(); }
    void restart() override { m_stepper.restart(); }
    double advance(std::int64_t steps, bool wanted) override {
        return m_device.time([&] {
            if (wanted && steps > 1) m_stepper.advance(steps - 1);
            m_stepper.advance(wanted ? 1 : steps);
        });
    }
    double change() override { return m_stepper.change(); }
    io::Grid field() const override {
        io::Grid field(m_shape, io::PixelType::f32);
        double layoutMs = 0, downloadMs = 0;
        downloadPlanes(m_device, m_stepper.current(), field, layoutMs, downloadMs);
        return field;
    }

private:
    Device& m_device;
    io::Shape m_shape;
    Stepper m_stepper;
};

struct Playback::Slabs {
    StencilSlabs sweeps;
    io::Grid next;  ///< what the sweep under way writes
};

class Playback::OnHost final : public Fields {
public:
    OnHost(Slabs& slabs, const Variant& variant, TunableValues tunables)
        : m_slabs(slabs), m_variant(variant), m_tunables(std::move(tunables)) {}
    std::int64_t step() const override { return m_step; }
    void restart() override {
        m_step = 0;
        m_field = {};
    }
    double advance(std::int64_t steps, bool wanted) override {
        StencilSlabs& sweeps = m_slabs.sweeps;
        const double before = sweeps.kernelMs();
        sweeps.prepare(m_variant, m_tunables);
        while (steps > 0) {
            const std::int64_t taken = std::min(steps, sweeps.stepsOfASweep());
            const io::Grid& from = m_step == 0 ? *sweeps.start() : m_field;
            if (m_slabs.next.empty()) m_slabs.next = io::Grid(from.shape(), io::PixelType::f32);
            const float change = sweeps.sweep(from, m_slabs.next, taken, wanted && taken == steps);
            m_change = static_cast<double>(change);
            std::swap(m_field, m_slabs.next);
            m_step += taken;
            steps -= taken;
        }
        return sweeps.kernelMs() - before;
    }
    double change() override { return m_change; }
    io::Grid field() const override { return m_step == 0 ? m_slabs.sweeps.start()->clone() : m_field.clone(); }

private:
    Slabs& m_slabs;
    const Variant& m_variant;
    TunableValues m_tunables;
    io::Grid m_field;  ///< empty at step 0
    std::int64_t m_step = 0;
    double m_change = 0;
};

/// A variant that takes part.
struct Playback::TimedVariant {
    const Variant* variant;
    std::string id;
    std::size_t player;  ///< in the state's list
    TunableValues tunables;
    std::unique_ptr<Fields> fields{};
};

Playback::Playback(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
                   const std::vector<std::string>& variants, const TunableValues& tunables, const std::string& device,
                   std::int64_t memoryCap)
    : m_problem(std::make_unique<StencilProblem>(std::move(input), values)), m_device(openDevice(device)) {
    m_device->setMemoryLimit(memoryCap);
    std::string why = "no variant was chosen";
    for (const std::string& id : variants) {
        const RunSpec run = parseRunSpec(family(), id);
        const Variant& variant = *run.variant;
        Player player{.variant = id, .refusal = {}, .msPerStep = 0, .gcellsPerSecond = 0};
        TunableValues chosen = resolve(variant, run.over(tunables));
        player.refusal = variant.kind == Variant::Kind::library ? "a library, which is not stepped"
                         : variant.kind == Variant::Kind::portable
                             ? "a portable variant, which cannot be stepped"
                             : m_problem->refusal(variant, chosen, m_device->info());
        if (player.refusal.empty())
            m_entrants.push_back(
                std::make_unique<TimedVariant>(TimedVariant{&variant, id, m_state.players.size(), std::move(chosen)}));
        else
            why = id + ": " + player.refusal;
        m_state.players.push_back(std::move(player));
    }
    if (m_entrants.empty()) throw Error(Error::Kind::unsupported, "nothing to play: " + why);
    const auto single = std::find_if(m_entrants.begin(), m_entrants.end(),
                                     [](const auto& entrant) { return entrant->variant->id != "fused"; });
    m_leader = single == m_entrants.end() ? 0 : static_cast<std::size_t>(single - m_entrants.begin());
    place();
    restart();
}

void Playback::place() {
    const std::int64_t budget = memoryBudget(*m_device, m_resident);
    if (inCoreBytes(*m_problem, static_cast<std::int64_t>(m_entrants.size())) <= budget) {
        keepResident(*m_device, m_problem->input(), m_resident);
        for (const auto& entrant : m_entrants)
            entrant->fields =
                std::make_unique<OnDevice>(*m_device, *m_problem, m_resident, *entrant->variant, entrant->tunables);
        return;
    }
    const IterationPlan plan = planIterationOn(*m_device, *m_problem, {.iterations = kUsualSteps}, budget);
    m_slabs = std::unique_ptr<Slabs>(new Slabs{{*m_problem, {m_device.get()}, m_resident, plan}, {}});
    m_state.plan = plan.slabs.sentence();
    for (const auto& entrant : m_entrants)
        entrant->fields = std::make_unique<OnHost>(*m_slabs, *entrant->variant, entrant->tunables);
}

Playback::~Playback() = default;

const PlaybackState& Playback::restart() {
    for (const auto& entrant : m_entrants) entrant->fields->restart();
    m_state.step = 0;
    m_state.change = std::numeric_limits<double>::quiet_NaN();
    return m_state;
}

bool Playback::even() const {
    return std::ranges::all_of(m_entrants,
                               [&](const auto& entrant) { return entrant->fields->step() == m_state.step; });
}

const PlaybackState& Playback::advance(std::int64_t steps, std::stop_token stop) {
    m_device->setStop(stop);
    // After a stop some are ahead: everybody goes beyond the foremost, so that the last step is one that all of them
    // take.
    std::int64_t target = m_state.step + steps;
    if (!even())
        for (const auto& entrant : m_entrants) target = std::max(target, entrant->fields->step() + 1);
    const Extent extent = m_problem->extent();
    const double cells = static_cast<double>(extent.cells()) * extent.stepped;
    for (std::size_t i = 0; i < m_entrants.size(); ++i) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        Fields& fields = *m_entrants[i]->fields;
        const std::int64_t left = target - fields.step();
        // The change of a step needs that step by itself.
        const double ms = fields.advance(left, i == m_leader);
        Player& player = m_state.players[m_entrants[i]->player];
        player.msPerStep = ms / static_cast<double>(left);
        player.gcellsPerSecond = ms > 0 ? cells * static_cast<double>(left) / ms * 1e-6 : 0;
    }
    const double change = m_entrants[m_leader]->fields->change();
    m_state.step = target;
    m_state.change = change;
    return m_state;
}

Playback::TimedVariant& Playback::entrantOf(const std::string& id) {
    const auto found = std::ranges::find_if(m_entrants, [&](const auto& entrant) { return entrant->id == id; });
    if (found == m_entrants.end()) throw Error(Error::Kind::argument, id + " does not take part in this playback");
    return **found;
}

std::shared_ptr<const io::Grid> Playback::frame(const std::string& variant) {
    return m_problem->finish(entrantOf(variant).fields->field());
}

Verification Playback::verify(const std::string& variant, std::stop_token stop) {
    const ConvergenceHistory evolution{entrantOf(variant).fields->step(), "iterations", {}};
    return m_problem->verify({.picture = frame(variant), .tables = tablesOf(evolution)}, *entrantOf(variant).variant,
                             std::move(stop));
}

}  // namespace warplens::gpu::stencil
