// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/run.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/document.hpp"
#include "gui/session/step_results.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gui {

/// What a job brings: the steps before one, and the pictures that this takes.
struct RecipeMade {
    std::string device;  ///< that it was made on
    std::vector<StepResult> steps;
    OpenedPicture picture;
    std::map<std::string, std::shared_ptr<const gpu::NamedGrid>> pictures;
};

/// Runs the steps before `at` on base.input, but for those of `known` whose pictures are there; behind the last step,
/// all. On any thread. Throws gpu::Error and io::Error.
RecipeMade makeStep(gpu::Runner& runner, const gpu::recipe::Recipe& recipe, std::size_t at, const gpu::Request& base,
                    std::vector<StepResult> known, const JobContext& context);
/// The same, and runs the step `at` itself by itself and several times: its result is the last one.
RecipeMade timeStep(gpu::Runner& runner, const gpu::recipe::Recipe& recipe, std::size_t at, const gpu::Request& base,
                    std::vector<StepResult> known, const JobContext& context);

}  // namespace warplens::gui
