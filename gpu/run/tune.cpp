// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/tune.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/run/rows.hpp"

#include <algorithm>
#include <map>

namespace warplens::gpu {
namespace {

bool counts(const RunRecord& record) {
    return record.status == Status::ok && record.kind == Variant::Kind::kernel && record.time &&
           record.time->medianMs > 0 && record.verification && record.verification->checkedShare > 0;
}

/// Tunables that are not at their default.
TunableValues changed(const Variant& variant, const TunableValues& values) {
    TunableValues others;
    for (const Tunable& tunable : variant.tunables) {
        const auto at = values.find(tunable.id);
        if (at != values.end() && at->second != tunable.fallback) others.insert(*at);
    }
    return others;
}

/// One problem's races.
class Tuner {
public:
    Tuner(const Family& family, const Problem& problem, Device& device,
          std::vector<std::unique_ptr<Resident>>& residents, const TuneSettings& settings, std::stop_token stop,
          const Observer& observer)
        : m_family(family),
          m_problem(problem),
          m_device(device),
          m_race(problem, device, residents, policyOf(settings)),
          m_stop(std::move(stop)),
          m_observer(observer) {}

    /// Races these candidates; those that ran are kept. Returns their records.
    std::vector<RunRecord> race(const std::vector<std::pair<const Variant*, TunableValues>>& candidates) {
        std::vector<TimedVariant> entrants;
        for (const auto& [variant, tunables] : candidates)
            entrants.push_back({variant, makeRunRecord(m_family.id(), m_problem, *variant, tunables, m_device.info())});
        m_race.run(entrants, m_stop, m_observer);
        std::vector<RunRecord> records;
        for (TimedVariant& entrant : entrants) {
            rate(entrant.record, m_problem.work(), 0, m_device.info(), std::nullopt, m_race.sets());
            if (entrant.record.status != Status::unsupported) m_tried.push_back(entrant.record);
            records.push_back(std::move(entrant.record));
        }
        return records;
    }

    std::vector<RunRecord> takeTried() { return std::move(m_tried); }

private:
    static RacePolicy policyOf(const TuneSettings& settings) {
        return {.timing = {.minimumSamples = 5, .budgetSeconds = settings.budgetSeconds}};
    }

    const Family& m_family;
    const Problem& m_problem;
    Device& m_device;
    Race m_race;
    std::stop_token m_stop;
    const Observer& m_observer;
    std::vector<RunRecord> m_tried;
};

}  // namespace

std::vector<int> neighbours(const Tunable& tunable, int value) {
    std::vector<int> values;
    if (!tunable.choices.empty()) {
        const auto& choices = tunable.choices;
        const auto at = std::find(choices.begin(), choices.end(), value);
        if (at == choices.end()) return values;
        if (at != choices.begin()) values.push_back(*(at - 1));
        if (at + 1 != choices.end()) values.push_back(*(at + 1));
        return values;
    }
    for (const int other : {value / 2, value * 2, value * 4}) {
        if (other != value && other >= std::max(1, tunable.minimum) && other <= tunable.maximum)
            values.push_back(other);
    }
    return values;
}

TuningEntry rankingOf(const std::string& family, const Traits& traits, const std::vector<const RunRecord*>& records) {
    TuningEntry entry{family, traits, {}};
    const auto& variants = familyOf(family).variants();
    std::map<std::string, const RunRecord*> best;
    for (const RunRecord* record : records) {
        if (!counts(*record) || record->variant == kAuto) continue;
        const RunRecord*& own = best[record->variant];
        if (own == nullptr || record->time->medianMs < own->time->medianMs) own = record;
    }
    double least = 0;
    for (const auto& [id, record] : best)
        least = least == 0 ? record->time->medianMs : std::min(least, record->time->medianMs);
    for (const auto& [id, record] : best) {
        const auto variant =
            std::find_if(variants.begin(), variants.end(), [&id = id](const Variant& v) { return v.id == id; });
        if (variant == variants.end()) continue;
        entry.rows.push_back({id, changed(*variant, record->tunables), record->time->medianMs / least});
    }
    std::stable_sort(entry.rows.begin(), entry.rows.end(),
                     [](const RankedRow& a, const RankedRow& b) { return a.relative < b.relative; });
    return entry;
}

Tuned tune(const Family& family, const Problem& problem, Device& device,
           std::vector<std::unique_ptr<Resident>>& residents, const TuneSettings& settings, std::stop_token stop,
           const Observer& observer) {
    Tuner tuner(family, problem, device, residents, settings, std::move(stop), observer);
    std::vector<std::pair<const Variant*, TunableValues>> candidates;
    for (const Variant& variant : family.variants()) {
        if (variant.kind == Variant::Kind::kernel && !isIntentionallyWrong(variant))
            candidates.emplace_back(&variant, TunableValues());
    }
    const std::vector<RunRecord> defaults = tuner.race(candidates);
    std::vector<const RunRecord*> right;
    for (const RunRecord& record : defaults) {
        if (counts(record)) right.push_back(&record);
    }
    if (right.empty())
        throw Error(Error::Kind::unsupported, "no kernel of " + family.id() + " gave a verified result here");
    std::stable_sort(right.begin(), right.end(),
                     [](const RunRecord* a, const RunRecord* b) { return a->time->medianMs < b->time->medianMs; });
    right.resize(std::min(right.size(), settings.finalists));

    candidates.clear();
    for (const RunRecord* record : right) {
        const Variant& variant = variantOf(family, record->variant);
        for (const Tunable& tunable : variant.tunables) {
            for (const int value : neighbours(tunable, tunable.fallback))
                candidates.push_back({&variant, {{tunable.id, value}}});
        }
    }
    const std::vector<RunRecord> singles = candidates.empty() ? std::vector<RunRecord>() : tuner.race(candidates);

    // What helped by itself, all together, beside the defaults under the same conditions.
    std::vector<std::pair<const Variant*, TunableValues>> last;
    for (const RunRecord* record : right) {
        const Variant& variant = variantOf(family, record->variant);
        std::map<std::string, std::pair<double, int>> helped;  // tunable: its best time and value
        for (std::size_t i = 0; i < singles.size(); ++i) {
            if (candidates[i].first != &variant || !counts(singles[i])) continue;
            if (judge(*singles[i].time, *record->time) != Verdict::faster) continue;
            const auto& [id, value] = *candidates[i].second.begin();
            const auto known = helped.find(id);
            if (known == helped.end() || singles[i].time->medianMs < known->second.first)
                helped[id] = {singles[i].time->medianMs, value};
        }
        last.push_back({&variant, {}});
        TunableValues together;
        for (const auto& [id, found] : helped) {
            last.push_back({&variant, {{id, found.second}}});
            together[id] = found.second;
        }
        if (together.size() > 1) last.push_back({&variant, together});
    }
    const std::vector<RunRecord> finals = tuner.race(last);

    // The last race decides among finalists; the others stand behind, as they did in the first.
    std::vector<const RunRecord*> all;
    double scale = 1;
    std::vector<RunRecord> others;
    for (const RunRecord& record : finals) {
        all.push_back(&record);
        if (record.variant == right.front()->variant && counts(record) &&
            changed(variantOf(family, record.variant), record.tunables).empty())
            scale = record.time->medianMs / right.front()->time->medianMs;
    }
    for (const RunRecord& record : defaults) {
        const bool finalist =
            std::any_of(right.begin(), right.end(), [&](const RunRecord* r) { return r->variant == record.variant; });
        if (finalist || !counts(record)) continue;
        others.push_back(record);
        others.back().time->medianMs *= scale;
    }
    for (const RunRecord& record : others) all.push_back(&record);
    return {rankingOf(family.id(), problem.traits(), all), tuner.takeTried()};
}

}  // namespace warplens::gpu
