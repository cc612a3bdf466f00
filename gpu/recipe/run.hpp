// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"
#include "gpu/run/runner.hpp"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace warplens::gpu::recipe {

/// Told on the thread that called run().
struct Hooks {
    /// Reads a file that a step names; files are read above gpu.
    std::function<std::shared_ptr<const io::Grid>(const std::string& name)> read;
    std::function<void(double fraction, const std::string& what)> progress{};
    /// A step as soon as it is done, well or not, with its input and its result.
    std::function<void(std::size_t step, const Comparison&)> done{};
    /// The picture that an earlier run made of this step; null: it runs. May be empty.
    std::function<std::shared_ptr<const io::Grid>(std::size_t step)> known{};
    /// Whether an earlier run did this step, though its picture is gone: it runs again only for one that takes it. May
    /// be empty.
    std::function<bool(std::size_t step)> ran{};
    /// Whether the picture of a step is wanted besides, so that it runs, by itself, unless it is known. May be empty.
    std::function<bool(std::size_t step)> wanted{};
    /// Whether neighbours that one run can do (core/fuses.hpp) are one run; then told that step `first` ran within
    /// `in`, whose comparison says so. Empty: every step runs by itself, and its picture can be had.
    std::function<void(std::size_t first, std::size_t in)> fused{};
};

/// How far a recipe came.
struct Outcome {
    Result result{};           ///< of the last step; empty when it did not come so far
    bool interrupted = false;  ///< a stop was asked for
    int failed = kNoStep;      ///< the step that came out wrong, or not at all: its record says why
};

/// Runs the steps that are on, one after the other, each as the runner runs a request: `base` with the step's family,
/// parameters, variant and picture. A picture is let go when no later step takes it. Throws as check(), and as
/// Runner::run(); the message begins with the step.
Outcome run(Runner& runner, const Recipe& recipe, const Request& base, const Hooks& hooks, std::stop_token stop = {});

}  // namespace warplens::gpu::recipe
