// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/run.hpp"

#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/run/auto_selector.hpp"
#include "gpu/run/rows.hpp"

#include <memory>
#include <new>

namespace warplens::gpu::bench {
namespace {

// Sizes that a CPU takes seconds for, all cases together.
constexpr int kCpuScale = 64;
constexpr double kCpuBudget = 0.02, kGpuBudget = 0.5;
// On a GPU's sizes some libraries take minutes on the host; nobody waits for them beside kernels of milliseconds.
constexpr double kHostSeconds = 3;

}  // namespace

Bench::Bench(Settings settings) : m_settings(std::move(settings)), m_device(openDevice(m_settings.device)) {
    const bool cuda = m_device->info().ranks();
    if (m_settings.scale == 0) m_settings.scale = cuda ? 1 : kCpuScale;
    if (m_settings.budgetSeconds <= 0) m_settings.budgetSeconds = cuda ? kGpuBudget : kCpuBudget;
    m_limits = m_device->limits();
}

Bench::~Bench() = default;

Result Bench::head(const Suites& suites) const {
    Result result;
    result.environment = describeEnvironment();
    result.version = result.environment.version;
    result.device = m_device->info();
    result.limits = m_limits;
    result.goalsOn = suites.goalsOn;
    result.scale = m_settings.scale;
    return result;
}

CaseResult Bench::run(const Case& one, std::stop_token stop, const Observer& observer) {
    CaseResult result{.what = one, .report = {}, .problem = m_lost, .traits = {}};
    if (!m_lost.empty()) return result;
    result.what.input = scaledInput(one.input, m_settings.scale);
    result.what.parameters = scaledPictures(one.parameters, m_settings.scale);
    if (m_settings.scale > 1) result.what.title += " at 1/" + std::to_string(m_settings.scale);
    try {
        result.report = makeReport(race(result, stop, observer));
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::cancelled) throw;
        result.problem = error.what();
        if (error.kind() == Error::Kind::fault) m_lost = "not run: the GPU was lost to this process in " + one.id;
    } catch (const std::bad_alloc&) {
        result.problem = "not enough memory on the host";
    }
    return result;
}

/// `auto` races its guesses before all others, on the sets of buffers that they are timed on, and knows of no earlier
/// race: what it took and how long that took is this run's.
void Bench::addAuto(const Family& family, const Problem& problem, const Race& race, const std::stop_token& stop,
                    std::vector<TimedVariant>& entrants) {
    if (m_settings.tuning == nullptr) return;
    AutoSelector chooser;
    chooser.setTuning(std::make_shared<const Tuning>(m_settings.tuning->shipped(), m_settings.tuning->cached(),
                                                     m_settings.tuning->problems()));
    const TunableValues none;
    const AutoTask task{family, problem, m_device->info(), none, "bench", m_input};
    const Choice choice = chooser.measured(task, *m_device, race.sessions(), {}, stop);
    const Variant& variant = variantOf(family, choice.variant);
    TimedVariant entrant{&variant, makeRunRecord(family.id(), problem, variant, choice.tunables, m_device->info())};
    entrant.record.variant = kAuto;
    entrant.record.choice = choice;
    entrants.push_back(std::move(entrant));
}

Comparison Bench::race(CaseResult& result, const std::stop_token& stop, const Observer& observer) {
    const Case& one = result.what;
    const std::string& input = one.input;
    if (m_inputName != input) {
        m_residents.clear();
        m_input.reset();
        m_inputName.clear();
        if (observer.progress) observer.progress(0, "making " + input);
        m_input = m_settings.read(input);
        m_inputName = input;
    }
    const Family& family = familyOf(one.family);
    const auto problem = family.pose(m_input, withPictures(one.parameters, m_settings.read));
    result.traits = problem->traits();
    m_device->clocks();  // what the case before has left

    Comparison comparison;
    comparison.inputName = input;
    comparison.input = m_input;
    comparison.family = family.id();
    comparison.parameters = withDefaults(family, one.parameters);
    comparison.facts = problem->facts();
    comparison.work = problem->work();
    comparison.environment = describeEnvironment();
    comparison.device = m_device->info();
    comparison.limits = m_limits;

    std::vector<TimedVariant> entrants;
    for (const Variant& variant : family.variants())
        if (!isExplicitOnly(variant))
            entrants.push_back({&variant, makeRunRecord(family.id(), *problem, variant, {}, m_device->info())});
    const RacePolicy policy{.timing = {.budgetSeconds = m_settings.budgetSeconds},
                            .hostSeconds = m_device->info().ranks() ? kHostSeconds : 0};
    Race race(*problem, *m_device, m_residents, policy);
    m_device->setStop(stop);
    addAuto(family, *problem, race, stop, entrants);
    race.run(entrants, stop, observer);
    if (race.sets() > 1)
        comparison.facts.push_back(std::to_string(race.sets()) +
                                   " sets of buffers in turn, together twice the L2 cache");
    for (TimedVariant& entrant : entrants) {
        rate(entrant.record, completedWork(comparison.work, entrant.record, comparison.parameters),
             comparison.input->shape().values(), m_device->info(), m_limits, race.sets());
        comparison.runs.push_back(std::move(entrant.record));
    }
    comparison.environment.clocks = m_device->clocks();
    return comparison;
}

}  // namespace warplens::gpu::bench
