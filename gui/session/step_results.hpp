// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/recipe/recipe.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// How a step went when it ran last.
struct StepMeasured {
    double ms = 0;
    gpu::Clock clock = gpu::Clock::simulated;
    bool verified = false;
};
StepMeasured measuredOf(const gpu::RunRecord& record);

/// What a step made; nothing where it did not run.
struct StepResult {
    gpu::recipe::Step step{};
    std::shared_ptr<const io::Grid> picture{};  ///< null also when it was let go
    std::optional<StepMeasured> measured{};
    std::optional<std::size_t> within{};  ///< the step that it was one run with
    bool madePicture = false;

    bool ran() const { return measured || within; }
    void take(const gpu::RunRecord& record);
};

/// What a recipe's steps made of one picture on one device. Their pictures are kept up to a limit: those furthest from
/// the step at hand are let go first, and computed again when they are wanted.
class StepResults {
public:
    static constexpr std::size_t kMostBytes = 1'000'000'000;

    /// What it is of: the picture that the recipe begins with, and the device's id.
    struct Of {
        std::shared_ptr<const io::Grid> origin;
        std::string device;
        bool operator==(const Of&) const = default;
    };

    /// How many steps from the first on are as they were when they ran.
    std::size_t count(const gpu::recipe::Recipe& recipe, const Of& of) const;
    std::vector<StepResult> first(const gpu::recipe::Recipe& recipe, const Of& of) const;
    /// Null: it did not run with the steps before it as they are.
    const StepResult* find(const gpu::recipe::Recipe& recipe, const Of& of, std::size_t step) const;
    /// `at`: the step at hand.
    void take(std::vector<StepResult> results, Of of, std::size_t at);

    std::size_t mostBytes() const { return m_mostBytes; }
    void setMostBytes(std::size_t bytes, std::size_t at);

private:
    void letGo(std::size_t at);

    std::vector<StepResult> m_results;
    Of m_of;
    std::size_t m_mostBytes = kMostBytes;
};

}  // namespace warplens::gui
