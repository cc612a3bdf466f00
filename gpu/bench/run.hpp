// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/bench/result.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run/race.hpp"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::bench {

/// How to run the cases.
struct Settings {
    std::string device;                    ///< as openDevice() takes it
    int scale = 0;                         ///< extents divided by this; 0: 1 on a GPU, 64 on the CPU
    double budgetSeconds = 0;              ///< of timing, a row; 0: 0.5 on a GPU, 0.02 on the CPU
    std::shared_ptr<const Tuning> tuning;  ///< what the row `auto` guesses by; null: no such row
    /// Makes the picture that a gen: description names. gpu reads no files, so that this comes from above.
    std::function<std::shared_ptr<const io::Grid>(const std::string& description)> read;
};

/// Runs cases on one device, the input kept from case to case.
class Bench {
public:
    /// Opens the device and measures its limits. Throws Error.
    explicit Bench(Settings settings);
    ~Bench();

    /// What is known before the first case: environment, device, limits, scale.
    Result head(const Suites& suites) const;
    /// Races every variant of the case's family. What makes the case impossible is its problem; only Error(cancelled)
    /// leaves, and the device's loss ends all cases that follow. `observer` is told as a runner's is.
    CaseResult run(const Case& one, std::stop_token stop, const Observer& observer = {});

private:
    Comparison race(CaseResult& result, const std::stop_token& stop, const Observer& observer);
    void addAuto(const Family& family, const Problem& problem, const Race& race, const std::stop_token& stop,
                 std::vector<TimedVariant>& entrants);

    Settings m_settings;
    std::unique_ptr<Device> m_device;
    std::vector<std::unique_ptr<Resident>> m_residents;
    std::optional<Limits> m_limits;
    std::string m_inputName;
    std::shared_ptr<const io::Grid> m_input;
    std::string m_lost;  ///< why the device can no longer be used
};

}  // namespace warplens::gpu::bench
