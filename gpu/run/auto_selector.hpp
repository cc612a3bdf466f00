// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/autotune.hpp"
#include "gpu/run/tuning.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// What `auto` is to choose for.
struct AutoTask {
    const Family& family;
    const Problem& problem;
    const DeviceInfo& device;
    const TunableValues& wanted;              ///< that the user has set: a variant must have them all
    std::string key;                          ///< task_key.hpp
    std::shared_ptr<const io::Grid> input{};  ///< only compared
    bool hostLibraries = false;               ///< may it be a library's row, where times rank nothing
};

/// What `auto` takes: on a GPU the row that was fastest when the guesses raced on the very task, remembered by task and
/// device in this session and in the user's cache; until then a guess by the tables, which alone decide on a device
/// whose times rank nothing. Thread-safe, but for the device that a race runs on.
class AutoSelector {
public:
    /// Without tuning it guesses by the ladder and keeps nothing on disk.
    void setTuning(std::shared_ptr<const Tuning> tuning);

    /// What was given, or tables that say nothing.
    std::shared_ptr<const Tuning> tables();

    /// Without a launch: what was measured; else, while values change on the same picture, what was chosen last, as far
    /// as it can do the task; else the first guess. Throws as Tuning::choose().
    Choice known(const AutoTask& task);
    /// Whether a race would tell more.
    bool shouldMeasure(const AutoTask& task);
    /// Races the guesses unless that was done before, verifies the fastest (one that is wrong gives way to the next)
    /// and remembers it. Devices take turns: what raced on one of them need not race on another of its name. Throws as
    /// autotune() and Tuning::choose().
    Choice measured(const AutoTask& task, Device& device, const std::vector<Session*>& sets,
                    const AutotuneBudget& budget, const std::stop_token& stop);
    /// A row that was chosen turned out to be wrong, or failed: it is not chosen again for this task in this session.
    void reject(const std::string& key, const std::string& variant);

    static constexpr std::size_t kMostRemembered = 256;

private:
    using Place = std::pair<std::string, std::string>;  ///< device, task
    struct Remembered {
        Choice choice;
        std::uint64_t when = 0;
    };
    struct Last {
        std::weak_ptr<const io::Grid> input{};  ///< another picture may come to lie where it lay
        std::string family, device;
        Choice choice;
    };

    const Tuning& tuning() const;
    std::optional<Choice> remembered(const AutoTask& task);
    std::vector<Guess> guesses(const AutoTask& task) const;
    bool rejected(const AutoTask& task, const std::string& variant) const;
    /// The first row of a library on the host that takes the task.
    std::optional<Choice> hostLibrary(const AutoTask& task) const;
    void remember(const AutoTask& task, const Choice& choice);

    std::mutex m_mutex, m_racing;
    std::shared_ptr<const Tuning> m_tuning;
    std::map<Place, Remembered> m_remembered;
    std::set<std::pair<std::string, std::string>> m_rejected;  ///< task, variant
    std::uint64_t m_clock = 0;
    Last m_last;
};

}  // namespace warplens::gpu
