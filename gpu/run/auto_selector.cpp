// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/auto_selector.hpp"

#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/timing.hpp"

#include <algorithm>
#include <cstdio>

namespace warplens::gpu {
namespace {

// Rows that are written to the cache: what a task like it may race first.
constexpr std::size_t kMostKept = 6;
constexpr double kSlowestKept = 2;

std::string milliseconds(double ms) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g ms", ms);
    return text;
}

/// "streamed 0.031 ms, ahead of separable by 12 %"
std::string standing(const std::string& first, double firstMs, const std::string& second, double secondMs) {
    std::string text = first + " " + milliseconds(firstMs);
    if (second.empty()) return text;
    const double ahead = 100 * (secondMs / firstMs - 1);
    if (ahead < 1) return text + ", level with " + second;
    char by[40];
    std::snprintf(by, sizeof by, " by %.0f %%", ahead);
    return text + ", ahead of " + second + by;
}

std::string whyOf(const AutotuneResult& raced) {
    const auto& rows = raced.rows;
    const bool alone = rows.size() < 2;
    return "measured here: " +
           standing(rows.front().id, rows.front().ms, alone ? "" : rows[1].id, alone ? 0 : rows[1].ms) + "; " +
           std::to_string(rows.size()) + (alone ? " variant" : " variants") + " raced in " +
           milliseconds(raced.kernelMs);
}

std::string whyOf(const TuningEntry& entry, const RankedRow& taken) {
    const auto id = [](const RankedRow& row) { return RunKey{row.variant, row.tunables}.id(); };
    const auto next = std::ranges::find_if(entry.rows, [&](const RankedRow& row) { return &row > &taken; });
    const bool alone = next == entry.rows.end();
    return "measured here on " + entry.date.substr(0, 10) + ": " +
           standing(id(taken), entry.bestMs * taken.relative, alone ? "" : id(*next),
                    alone ? 0 : entry.bestMs * next->relative);
}

/// Why the row's result is not to be had or not right; empty of one that is.
std::string mistake(const AutoTask& task, Device& device, Session& session, const AutotuneResult::Row& row,
                    const std::stop_token& stop) {
    const Variant& variant = variantOf(task.family, row.variant);
    RunRecord record = makeRunRecord(task.family.id(), task.problem, variant, row.tunables, task.device);
    try {
        makeResult(device, session, variant, record);
        const Verification check = task.problem.verify(record.result, variant, stop);
        return check.mismatches == 0 ? "" : row.id + " was wrong here, at " + check.firstMismatch;
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::cancelled || error.kind() == Error::Kind::fault) throw;
        return row.id + " failed here: " + error.what();
    }
}

/// What of a race is worth keeping.
TuningEntry entryOf(const AutoTask& task, const AutotuneResult& raced) {
    const double best = raced.rows.front().ms;
    TuningEntry entry{.family = task.family.id(),
                      .traits = task.problem.traits(),
                      .rows = {},
                      .task = task.key,
                      .date = describeEnvironment().date,
                      .bestMs = best};
    for (const AutotuneResult::Row& row : raced.rows) {
        const double relative = std::max(1.0, row.ms / best);
        if (entry.rows.size() == kMostKept || relative > kSlowestKept) break;
        entry.rows.push_back({row.variant, parseRunKey(row.id).chosen, relative});
    }
    return entry;
}

}  // namespace

void AutoSelector::setTuning(std::shared_ptr<const Tuning> tuning) {
    const std::lock_guard lock(m_mutex);
    m_tuning = std::move(tuning);
}

std::shared_ptr<const Tuning> AutoSelector::tables() {
    const std::lock_guard lock(m_mutex);
    return m_tuning ? m_tuning : std::make_shared<const Tuning>();
}

const Tuning& AutoSelector::tuning() const {
    static const Tuning none;
    return m_tuning ? *m_tuning : none;
}

bool AutoSelector::rejected(const AutoTask& task, const std::string& variant) const {
    return m_rejected.contains({task.key, variant});
}

std::vector<Guess> AutoSelector::guesses(const AutoTask& task) const {
    std::vector<Guess> all = tuning().guesses(task.family, task.problem, task.device, task.wanted);
    std::vector<Guess> left;
    for (const Guess& guess : all)
        if (!rejected(task, guess.choice.variant)) left.push_back(guess);
    return left.empty() ? all : left;
}

void AutoSelector::remember(const AutoTask& task, const Choice& choice) {
    m_remembered[{task.device.name, task.key}] = {choice, ++m_clock};
    if (m_remembered.size() > kMostRemembered)
        m_remembered.erase(std::ranges::min_element(m_remembered, {}, [](const auto& one) { return one.second.when; }));
}

std::optional<Choice> AutoSelector::remembered(const AutoTask& task) {
    const auto at = m_remembered.find({task.device.name, task.key});
    if (at != m_remembered.end()) {
        at->second.when = ++m_clock;
        // A few values, which the task's key may have missed, decide whether a row takes the picture.
        const Choice& choice = at->second.choice;
        if (able(task.family, task.problem, task.device, task.wanted, {choice.variant, choice.tunables, 1}))
            return choice;
    }
    const TuningEntry* entry = tuning().measured(task.device, task.key);
    if (entry == nullptr) return std::nullopt;
    for (const RankedRow& row : entry->rows) {
        if (rejected(task, row.variant)) continue;
        // The program that measured it may have had other rows, or other memory.
        auto choice = able(task.family, task.problem, task.device, task.wanted, row);
        if (!choice) continue;
        choice->source = Choice::Source::measured;
        choice->why = whyOf(*entry, row);
        remember(task, *choice);
        return choice;
    }
    return std::nullopt;
}

std::optional<Choice> AutoSelector::hostLibrary(const AutoTask& task) const {
    const auto takes = [&](const Variant& variant) {
        if (variant.kind != Variant::Kind::library || !onHost(variant) || rejected(task, variant.id)) return false;
        try {
            const TunableValues tunables = task.problem.resolved(variant, {}, task.device);
            return task.problem.refusal(variant, tunables, task.device).empty();
        } catch (const Error&) {
            return false;
        }
    };
    const auto row = std::ranges::find_if(task.family.variants(), takes);
    if (row == task.family.variants().end()) return std::nullopt;
    return Choice{.variant = row->id, .why = "a library on the CPU, where kernels are emulated"};
}

Choice AutoSelector::known(const AutoTask& task) {
    const std::lock_guard lock(m_mutex);
    if (!task.device.ranks()) {
        if (const auto choice = task.hostLibraries ? hostLibrary(task) : std::nullopt) return *choice;
        return tuning().choose(task.family, task.problem, task.device, task.wanted);
    }
    const auto settle = [&](const Choice& choice) {
        m_last = {task.input, task.family.id(), task.device.name, choice};
        return choice;
    };
    if (const auto choice = remembered(task)) return settle(*choice);
    const bool same =
        m_last.input.lock() == task.input && m_last.family == task.family.id() && m_last.device == task.device.name;
    if (same && !rejected(task, m_last.choice.variant)) {
        const RankedRow row{m_last.choice.variant, m_last.choice.tunables, 1};
        if (auto choice = able(task.family, task.problem, task.device, task.wanted, row)) {
            choice->why = "as before; what is fastest for these values is not measured yet";
            return *choice;
        }
    }
    return settle(guesses(task).front().choice);
}

bool AutoSelector::shouldMeasure(const AutoTask& task) {
    const std::lock_guard lock(m_mutex);
    return task.device.ranks() && !remembered(task) && guesses(task).size() > 1;
}

Choice AutoSelector::measured(const AutoTask& task, Device& device, const std::vector<Session*>& sets,
                              const AutotuneBudget& budget, const std::stop_token& stop) {
    const std::lock_guard turn(m_racing);
    if (!shouldMeasure(task)) return known(task);
    std::vector<Guess> candidates;
    std::shared_ptr<const Tuning> tuning;
    {
        const std::lock_guard lock(m_mutex);
        candidates = guesses(task);
        tuning = m_tuning;
    }
    AutotuneResult raced = autotune(task.family, task.problem, device, sets, candidates, budget, stop);
    std::string notes;
    while (!raced.rows.empty()) {
        const std::string why = mistake(task, device, *sets.front(), raced.rows.front(), stop);
        if (why.empty()) break;
        notes += "; " + why;
        const std::string wrong = raced.rows.front().variant;
        reject(task.key, wrong);
        std::erase_if(raced.rows, [&](const AutotuneResult::Row& row) { return row.variant == wrong; });
    }
    Choice choice = candidates.front().choice;
    if (raced.rows.empty()) {
        choice.why += "; no variant could be measured" + notes;
        return choice;
    }
    choice.variant = raced.rows.front().variant;
    choice.tunables = raced.rows.front().tunables;
    choice.source = Choice::Source::measured;
    choice.why = whyOf(raced) + notes;
    if (raced.provisional) {
        choice.why += "; not kept: instances for this very task are still being compiled";
        choice.raced = std::move(raced);
        return choice;
    }
    if (tuning && tuning->keep)
        if (const std::string problem = tuning->keep(task.device, entryOf(task, raced)); !problem.empty())
            choice.why += "; not kept for other sessions: " + problem;
    choice.raced = std::move(raced);
    const std::lock_guard lock(m_mutex);
    remember(task, choice);
    m_last = {task.input, task.family.id(), task.device.name, choice};
    return choice;
}

void AutoSelector::reject(const std::string& key, const std::string& variant) {
    const std::lock_guard lock(m_mutex);
    if (m_rejected.size() > kMostRemembered) m_rejected.clear();
    m_rejected.insert({key, variant});
    std::erase_if(m_remembered,
                  [&](const auto& one) { return one.first.second == key && one.second.choice.variant == variant; });
}

}  // namespace warplens::gpu
