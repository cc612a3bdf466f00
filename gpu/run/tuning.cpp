// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/tuning.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace warplens::gpu {
namespace {

constexpr double kOtherKind = 16;
// A measurement on this machine is believed for a problem four times the size, and for no other filter or number of
// bins.
constexpr double kNear = 1;

const Variant* find(const Family& family, const std::string& id) {
    const auto& all = family.variants();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.id == id; });
    return at == all.end() ? nullptr : &*at;
}

/// Tries rows one after the other; keeps the last reason why not.
class Picker {
public:
    Picker(const Family& family, const Problem& problem, const DeviceInfo& device, const TunableValues& wanted)
        : m_family(family), m_problem(problem), m_device(device), m_wanted(wanted) {}

    /// The first row that can run, or nothing.
    std::optional<Choice> pick(const std::vector<RankedRow>& rows, bool withTunables) {
        for (const RankedRow& row : rows)
            if (auto choice = one(row, withTunables)) return choice;
        return std::nullopt;
    }

    std::optional<Choice> one(const RankedRow& row, bool withTunables) {
        const Variant* variant = find(m_family, row.variant);
        if (variant == nullptr) return std::nullopt;  // a table may name a row that is gone
        if (withTunables && !row.tunables.empty())
            if (auto choice = attempt(*variant, row.tunables)) return choice;
        return attempt(*variant, {});
    }

    bool anyHasTunables() const { return m_anyHasTunables; }
    const std::string& reason() const { return m_reason; }

private:
    std::optional<Choice> attempt(const Variant& variant, const TunableValues& tuned) {
        if (variant.kind != Variant::Kind::kernel || isIntentionallyWrong(variant) || !has(variant, m_wanted))
            return std::nullopt;
        // A wider bound than single precision's that can be seen is for those who ask for it by name.
        if (m_problem.widerBoundsShow() && m_problem.boundFactor(variant) > 1) return std::nullopt;
        m_anyHasTunables = true;
        Choice choice;
        choice.variant = variant.id;
        choice.tunables = has(variant, tuned) ? tuned : TunableValues();
        for (const auto& [id, value] : m_wanted) choice.tunables[id] = value;
        try {
            m_reason = m_problem.refusal(variant, m_problem.resolved(variant, choice.tunables, m_device), m_device);
        } catch (const Error& error) {
            m_reason = error.what();
        }
        return m_reason.empty() ? std::optional(choice) : std::nullopt;
    }

    static bool has(const Variant& variant, const TunableValues& values) {
        return std::all_of(values.begin(), values.end(), [&](const auto& value) {
            return std::any_of(variant.tunables.begin(), variant.tunables.end(),
                               [&](const Tunable& t) { return t.id == value.first; });
        });
    }

    const Family& m_family;
    const Problem& m_problem;
    const DeviceInfo& m_device;
    const TunableValues& m_wanted;
    bool m_anyHasTunables = false;
    std::string m_reason;
};

std::string dayOf(const std::string& date) { return date.substr(0, 10); }
std::string day(const TuningTable& table) { return dayOf(table.date); }

/// The entries of a family, the nearest first.
std::vector<const TuningEntry*> nearestFew(const std::vector<const TuningTable*>& tables, const std::string& family,
                                           const Traits& traits, std::size_t most) {
    std::vector<std::pair<double, const TuningEntry*>> found;
    for (const TuningTable* table : tables)
        for (const TuningEntry& entry : table->entries)
            if (entry.family == family) found.emplace_back(traitDistance(entry.traits, traits), &entry);
    std::ranges::stable_sort(found, {}, &std::pair<double, const TuningEntry*>::first);
    std::vector<const TuningEntry*> few;
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i) few.push_back(found[i].second);
    return few;
}

}  // namespace

const char* nameOf(Choice::Source source) {
    switch (source) {
        case Choice::Source::measured: return "measured";
        case Choice::Source::cache: return "cache";
        case Choice::Source::table: return "table";
        case Choice::Source::order: return "order";
    }
    return "";
}

double traitDistance(const Traits& measured, const Traits& asked) {
    double far = 0;
    for (const auto& [id, kind] : asked.kinds) {
        const auto other = measured.kinds.find(id);
        if (other == measured.kinds.end() || other->second != kind) far += kOtherKind;
    }
    for (const auto& [id, size] : asked.sizes) {
        const auto other = measured.sizes.find(id);
        if (other == measured.sizes.end()) {
            far += kOtherKind;
            continue;
        }
        far += size.weight * std::fabs(std::log2(std::max(1.0, size.value) / std::max(1.0, other->second.value)));
    }
    return far;
}

const TuningEntry* nearest(const TuningTable& table, const std::string& family, const Traits& traits) {
    const TuningEntry* best = nullptr;
    double least = 0;
    for (const TuningEntry& entry : table.entries) {
        if (entry.family != family) continue;
        const double far = traitDistance(entry.traits, traits);
        if (best != nullptr && far >= least) continue;
        best = &entry;
        least = far;
    }
    return best;
}

void put(TuningTable& table, TuningEntry entry) {
    const auto task = [](const TuningEntry& old) { return !old.task.empty(); };
    const auto sameTraits = [&](const TuningEntry& old) {
        return old.family == entry.family && traitDistance(old.traits, entry.traits) == 0;
    };
    if (!task(entry)) {
        std::erase_if(table.entries, [&](const TuningEntry& old) { return task(old) && sameTraits(old); });
        const auto old = std::ranges::find_if(table.entries, sameTraits);
        if (old != table.entries.end())
            *old = std::move(entry);
        else
            table.entries.push_back(std::move(entry));
        return;
    }
    std::erase_if(table.entries, [&](const TuningEntry& old) { return old.task == entry.task; });
    table.entries.push_back(std::move(entry));
    auto tasks = static_cast<std::size_t>(std::ranges::count_if(table.entries, task));
    std::erase_if(table.entries, [&](const TuningEntry& old) { return task(old) && tasks-- > kMostTasks; });
}

std::optional<Choice> able(const Family& family, const Problem& problem, const DeviceInfo& device,
                           const TunableValues& wanted, const RankedRow& row) {
    return Picker(family, problem, device, wanted).one(row, true);
}

TuningEntry combine(const std::vector<TuningEntry>& entries) {
    TuningEntry all = entries.front();
    std::erase_if(all.rows, [&](RankedRow& row) {
        for (const TuningEntry& entry : entries) {
            const auto same = std::find_if(entry.rows.begin(), entry.rows.end(), [&](const RankedRow& r) {
                return r.variant == row.variant && r.tunables == row.tunables;
            });
            if (same == entry.rows.end()) return true;
            row.relative = std::max(row.relative, same->relative);
        }
        return false;
    });
    std::stable_sort(all.rows.begin(), all.rows.end(),
                     [](const RankedRow& a, const RankedRow& b) { return a.relative < b.relative; });
    return all;
}

Tuning::Tuning(std::vector<TuningTable> shipped, std::vector<TuningTable> cached, std::string problems)
    : m_shipped(std::move(shipped)), m_cached(std::move(cached)), m_problems(std::move(problems)) {}

Choice Tuning::choose(const Family& family, const Problem& problem, const DeviceInfo& device,
                      const TunableValues& wanted) const {
    const Traits traits = problem.traits();
    Picker picker(family, problem, device, wanted);
    const auto from = [&](Choice choice, Choice::Source source, std::string why) {
        choice.source = source;
        choice.why = std::move(why) + (m_problems.empty() ? "" : "; " + m_problems);
        return choice;
    };
    bool measured = false;  // on any device whose order counts here
    for (const TuningTable& table : m_cached) {
        if (table.device != device.name) continue;
        const TuningEntry* entry = nearest(table, family.id(), traits);
        if (entry == nullptr || traitDistance(entry->traits, traits) > kNear) continue;
        if (const auto choice = picker.pick(entry->rows, true))
            return from(*choice, Choice::Source::cache,
                        entry->task.empty() ? "measured on this machine by tune, " + day(table)
                                            : "measured on this machine for a task like it, " + dayOf(entry->date));
    }
    for (const TuningTable& table : m_shipped) {
        if (table.device != device.name) continue;
        if (const TuningEntry* entry = nearest(table, family.id(), traits)) {
            measured = true;
            if (const auto choice = picker.pick(entry->rows, true))
                return from(*choice, Choice::Source::table,
                            "the table shipped for " + table.device + ", measured " + day(table));
        }
    }
    for (const TuningTable& table : m_shipped) {
        // What is slow on a CPU says nothing of a GPU.
        if (!device.ranks() || table.device == device.name || table.device.starts_with("CPU")) continue;
        if (const TuningEntry* entry = nearest(table, family.id(), traits)) {
            measured = true;
            if (const auto choice = picker.pick(entry->rows, false))
                return from(
                    *choice, Choice::Source::order,
                    device.name + " has no table: the order measured on " + table.device + "; tune measures here");
        }
    }
    std::vector<RankedRow> ladder;
    const auto& variants = family.variants();
    for (auto rung = variants.rbegin(); rung != variants.rend(); ++rung) ladder.push_back({rung->id, {}, 1});
    if (const auto choice = picker.pick(ladder, false))
        return from(*choice, Choice::Source::order,
                    measured ? "no row of a table fits: the last kernel of the ladder that can do it"
                             : "no table has " + family.id() + " on " + device.name +
                                   ": the last kernel of the ladder that fits; tune measures here");
    if (!picker.anyHasTunables()) {
        throw Error(Error::Kind::argument,
                    "--set: no kernel of " + family.id() + " has these tunables; see warplens-cli list variants");
    }
    throw Error(Error::Kind::unsupported, picker.reason());
}

std::vector<Guess> Tuning::guesses(const Family& family, const Problem& problem, const DeviceInfo& device,
                                   const TunableValues& wanted) const {
    constexpr std::size_t kOwnEntries = 4, kOtherEntries = 2;
    // Before rows of which nobody says so much: one of those may cost all that a race is worth.
    constexpr double kPromising = 1.5;
    std::vector<const TuningTable*> own, others;
    for (const auto* tables : {&m_cached, &m_shipped})
        for (const TuningTable& table : *tables)
            if (table.device == device.name)
                own.push_back(&table);
            else if (device.ranks() && !table.device.starts_with("CPU"))
                others.push_back(&table);
    struct Source {
        std::vector<RankedRow> rows;
        bool tunables = false, measured = false;
    };
    std::vector<Source> sources;
    const Traits traits = problem.traits();
    for (const TuningEntry* entry : nearestFew(own, family.id(), traits, kOwnEntries))
        sources.push_back({entry->rows, true, true});
    for (const TuningEntry* entry : nearestFew(others, family.id(), traits, kOtherEntries))
        sources.push_back({entry->rows, false, true});
    // From its end on: its beginning may take as long as a hundred of the others, and is the best of small tasks alone,
    // where all of them can be tried.
    const std::size_t end = sources.size();
    sources.emplace_back();
    for (const Variant& variant : family.variants())
        if (variant.kind == Variant::Kind::kernel)
            sources[end].rows.insert(sources[end].rows.begin(), {variant.id, {}, 1});

    std::vector<Guess> found;
    std::vector<TunableValues> settled;
    const auto add = [&](Choice choice, std::optional<double> relative) {
        TunableValues all = problem.resolved(variantOf(family, choice.variant), choice.tunables, device);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (found[i].choice.variant != choice.variant || settled[i] != all) continue;
            if (!found[i].relative) found[i].relative = relative;
            return;
        }
        settled.push_back(std::move(all));
        found.push_back({std::move(choice), relative});
    };
    add(choose(family, problem, device, wanted), std::nullopt);
    Picker picker(family, problem, device, wanted);
    std::size_t longest = 0;
    for (const Source& source : sources) longest = std::max(longest, source.rows.size());
    bool endTaken = false;  // of the ladder, which is where the fast rows are: worth a launch whatever a table says
    const auto take = [&](bool promising) {
        for (std::size_t i = 0; i < longest; ++i)
            for (std::size_t s = 0; s < sources.size(); ++s) {
                const Source& source = sources[s];
                if (i >= source.rows.size()) continue;
                const bool atEnd = s == end && !endTaken;
                if (promising && !(source.measured ? source.rows[i].relative <= kPromising : atEnd)) continue;
                if (auto choice = picker.one(source.rows[i], source.tunables)) {
                    if (atEnd) endTaken = true;
                    const bool near = source.measured || atEnd;
                    add(*std::move(choice), near ? std::optional(source.rows[i].relative) : std::nullopt);
                }
            }
    };
    take(true);
    take(false);
    return found;
}

const TuningEntry* Tuning::measured(const DeviceInfo& device, const std::string& task) const {
    for (const TuningTable& table : m_cached) {
        if (table.device != device.name) continue;
        for (const TuningEntry& entry : table.entries)
            if (entry.task == task) return &entry;
    }
    return nullptr;
}

}  // namespace warplens::gpu
