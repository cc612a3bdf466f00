// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/choice.hpp"
#include "gpu/core/family.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A variant with tunables, as a measurement ranked it among others of its problem.
struct RankedRow {
    std::string variant;
    TunableValues tunables;  ///< those that are not at their default
    double relative = 1;  ///< its time over the best one's; of several problems of the same traits the worst such ratio
};

/// The ranking measured for problems of these traits, the best first. Only rows that were verified are in it.
struct TuningEntry {
    std::string family;
    Traits traits;
    std::vector<RankedRow> rows;
    // Of one task, as `auto` measured it (auto_choice.hpp); empty of an entry for all problems of the traits.
    std::string task{};  ///< its key (task_key.hpp)
    std::string date{};  ///< ISO 8601
    double bestMs = 0;   ///< of the first row, by the device's clock
};

/// A row that may be the fastest.
struct Guess {
    Choice choice;
    /// What a table measured for a problem like this: its time over the best one's. Of the ladder's end 1.
    std::optional<double> relative{};
};

/// Rankings measured on one device.
struct TuningTable {
    std::string device;   ///< its name, as the driver gives it; "CPU (SIMT)"
    std::string driver;   ///< CUDA version of the driver; of the CPU device the processor's name
    std::string version;  ///< of Warplens
    std::string date;     ///< ISO 8601
    std::string source;   ///< how it was made, in words
    std::vector<TuningEntry> entries;
};

/// What `auto` guesses by: measurements made before, of problems that are like this one.
class Tuning {
public:
    /// Knows nothing: takes the ladder from its end.
    Tuning() = default;
    /// `shipped` are tables of named devices, `cached` those that were measured on this very machine; `problems` is one
    /// line on files that could not be used, or empty, and becomes part of each choice's reason.
    Tuning(std::vector<TuningTable> shipped, std::vector<TuningTable> cached, std::string problems = {});

    /// The choice for a problem on a device:
    /// 1. the cache, where it holds a problem of the same kind and about the same size (source "cache");
    /// 2. the shipped table of a device of this name: its entry that is nearest (source "table");
    /// 3. on a GPU that has none: the ranking of the nearest entry of another GPU's table, tunables left at their
    /// defaults,
    ///    since those follow a GPU's own numbers (source "order");
    /// 4. without any: the kernels of the ladder from its end, where the fast rungs are (source "order").
    /// Rows whose bound is wider than single precision's (those on tensor cores) are left out: they are taken by name
    /// only. Of each the first row that the problem, the device and `wanted` allow; `wanted` are tunables that the user
    /// has set: a variant must have them all. Throws Error(argument) when no kernel has them, Error(unsupported) with
    /// the last reason when none can run.
    Choice choose(const Family& family, const Problem& problem, const DeviceInfo& device,
                  const TunableValues& wanted) const;

    /// That choice, and after it every other row that the problem, the device and `wanted` allow, the most promising
    /// first: in turn one of each of the nearest entries (with the tunables measured on a device of this name, without
    /// those of others), of the ladder from its end and of the ladder from its beginning, where the simple rungs are
    /// that win small tasks. Throws as choose().
    std::vector<Guess> guesses(const Family& family, const Problem& problem, const DeviceInfo& device,
                               const TunableValues& wanted) const;

    /// What was measured on this machine for the very task; null when nothing was.
    const TuningEntry* measured(const DeviceInfo& device, const std::string& task) const;

    /// Writes a measured task to the cache on disk; returns why that failed, or nothing. Empty: there is no cache.
    std::function<std::string(const DeviceInfo&, const TuningEntry&)> keep;

    const std::vector<TuningTable>& shipped() const { return m_shipped; }
    const std::vector<TuningTable>& cached() const { return m_cached; }
    const std::string& problems() const { return m_problems; }

private:
    std::vector<TuningTable> m_shipped, m_cached;
    std::string m_problems;
};

/// How far two problems are apart: 0 for the same traits; each kind that differs counts 16, each size its weight times
/// the octaves between them.
double traitDistance(const Traits& measured, const Traits& asked);

/// The entry of the family that is nearest; null when there is none.
const TuningEntry* nearest(const TuningTable& table, const std::string& family, const Traits& traits);

/// Takes up an entry, in place of one with the same traits, or of the same task. One for all problems of its traits
/// replaces the tasks with these traits; tasks beyond kMostTasks leave, the oldest first.
void put(TuningTable& table, TuningEntry entry);
constexpr std::size_t kMostTasks = 500;

/// The row's choice, if the problem, the device and `wanted` allow it; with tunables of its own or, where these are not
/// possible, without.
std::optional<Choice> able(const Family& family, const Problem& problem, const DeviceInfo& device,
                           const TunableValues& wanted, const RankedRow& row);

/// Combines rankings of problems with the same traits into one: rows that all of them have, by the worst of their
/// ratios.
TuningEntry combine(const std::vector<TuningEntry>& entries);

}  // namespace warplens::gpu
