// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/batch.hpp"
#include "app/cli/call_files.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/request_options.hpp"
#include "gpu/recipe/run.hpp"
#include "gpu/report/recorded.hpp"
#include "gpu/run/device_team.hpp"
#include "gpu/run/runner.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace warplens::cli {

/// The steps of a recipe on every input, the devices kept.
class RecipeRun {
public:
    /// `base`: what all steps have in common. `keepSteps`: the folder for the result of every step, or empty. Throws as
    /// RequestOptions, gpu::recipe::load() and io.
    RecipeRun(const RequestOptions& options, const BatchOptions& batch, const gpu::Request& base,
              const std::string& keepSteps, std::stop_token stop);
    int all();

private:
    struct OnePicture;
    void claimNames();
    void compute(Picture& picture, const std::stop_token& stop);
    void stepDone(OnePicture& one, std::size_t step, const gpu::Comparison& comparison);
    void writeLater(Picture& picture, std::size_t step, const gpu::Result& result, const std::filesystem::path& path,
                    const std::string& table);
    std::shared_ptr<const io::Grid> read(const std::string& name);
    /// What goes into the names of a step's reports.
    std::string reportStem(const std::string& stem, std::size_t step) const;

    const RequestOptions& m_options;
    gpu::Request m_base;
    std::string m_keepSteps, m_where;
    std::stop_token m_stop;
    gpu::recipe::Recipe m_recipe;
    std::optional<gpu::DeviceTeam> m_team;
    gpu::RecordedRuns m_recorded;
    Inputs m_inputs;
    CallFiles m_files;
    std::optional<Batch> m_batch;
    std::map<std::string, std::shared_ptr<const io::Grid>> m_read;  ///< what steps name, for all inputs
    std::mutex m_reading;
    bool m_toFolder = false;
};

}  // namespace warplens::cli
