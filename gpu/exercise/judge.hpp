// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/exercise/exercise.hpp"
#include "gpu/run/user_kernel.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {
class Runner;
}

namespace warplens::gpu::exercise {

/// How far a kernel is from a goal.
struct GoalState {
    bool reached = false;
    std::optional<double> value{};  ///< of a counted one, where it was counted, or a timed one
    std::string now{};              ///< "yes", "wrong", "12.8", "not counted", "needs a GPU"
    bool judged = true;             ///< false: it takes what is not here
};

struct Judgement {
    std::vector<GoalState> goals{};  ///< in the exercise's order
    std::string reason{};            ///< what is wrong, in one sentence, or empty
    RunRecord first{};               ///< of the first case: result, and its counters where it was counted

    /// Of those that could be judged here.
    bool allReached() const;
    int reached() const;
    int judged() const;
};

/// The GPU that goals in time are judged on: the first one, or empty where there is none.
std::string timingDevice();

/// Runs and verifies a kernel in every case on the CPU device, which needs no GPU, and counts it in the first, block by
/// block. Goals in time are judged on `timedOn`, and are not where that is empty. Throws CompileError, and Error for
/// what could not be tried, Error(cancelled) for one.
Judgement judge(const Exercise& exercise, const std::shared_ptr<const UserKernel>& kernel, Runner& runner,
                const std::stop_token& stop = {},
                const std::function<void(double fraction, const std::string& what)>& progress = {},
                const std::string& timedOn = timingDevice());

/// A goal's limit in words: "at most 35,144", "at most 0.50 of naive's"; empty of one without.
std::string limitOf(const Goal& goal);

}  // namespace warplens::gpu::exercise
