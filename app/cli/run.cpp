// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.hpp"
#include "app/cli/computation.hpp"
#include "app/cli/error_options.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/recipe_run.hpp"
#include "app/cli/report_file.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/resources.hpp"
#include "app/cli/tell.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"

#include <memory>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
    explicit Options(CLI::App& command) : request(command), errors(command) { errors.addPicture(command); }
    RequestOptions request;
    ErrorOptions errors;
    std::string variant = gpu::kAuto, keepSteps;
    int samples = 1;

    /// How often a run is timed, and against what.
    void time(gpu::Request& asked) const {
        asked.timing = gpu::TimingPolicy::once();
        asked.measureLimits = samples > 1;
        if (samples > 1)
            asked.timing = {.warmUps = 3, .minimumSamples = samples, .maximumSamples = samples, .budgetSeconds = 1e9};
    }
};

/// One input after the other, the runner and its device kept.
class Run {
public:
    Run(const Options& options, const std::stop_token& stop) : m_options(options), m_stop(stop) {
        m_request = options.request.request();
        const gpu::Family& family = options.request.family();
        if (options.variant != gpu::kAuto) gpu::askedRun(family, options.variant);
        m_request.variants = {options.variant};
        if (options.variant == gpu::kAuto) m_runner.setTuning(loadTuning());
        options.time(m_request);
        m_inputs = options.request.inputs();
        m_files = options.request.files(m_inputs);
        options.errors.prepare(m_request, family, m_inputs.batch, m_files);
        const std::string& output = options.request.output;
        m_toFolder = m_inputs.batch || output.ends_with('/') || fs::is_directory(output, m_ignored);
        if (!output.empty()) {
            if (m_toFolder) {
                makeFolder(output);
            } else {
                m_files.writes("-o", output);
                checkResultName(output, family, options.request.table);
            }
        }
        m_recorded = loadRecorded();
    }

    int all() {
        return overInputs(m_inputs, m_stop, [this](const std::string& name) { return one(name); });
    }

private:
    int one(const std::string& name) {
        const std::string stem = m_stems.next(name);
        m_request.input = m_options.request.read(name, m_stop);
        m_request.inputName = name;
        Computed computed = compute(m_runner, m_request, m_stop);
        m_options.errors.find(m_runner, m_request, m_stop, computed);
        const auto& [comparison, report] = computed;
        const int status = statusOfRun(comparison);

        const std::string& reportName = m_options.request.report;
        if (!reportName.empty()) {
            writeReport(m_inputs.batch ? reportNameFor(reportName, stem) : reportName, report, comparison, m_recorded);
        }
        fs::path written;
        if (status == kFine && !m_options.request.output.empty())
            written = writeOutput(comparison.runs.front(), name, stem);
        if (m_options.request.json) {
            printJson(gpu::toJson(report, m_inputs.batch) + (m_inputs.batch ? "\n" : ""));
        }
        tellRun(name, comparison, written, m_options.request.json);
        if (const gpu::TextTable errors = gpu::errorTable(report); !errors.rows.empty() && !m_options.request.json)
            printText(gpu::toText(errors));
        return status;
    }

    fs::path writeOutput(const gpu::RunRecord& run, const std::string& name, const std::string& stem) {
        fs::path path = m_options.request.output;
        if (m_toFolder) {
            path /= stem + extensionFor(name, run.result, m_options.request.table);
            m_files.writes("-o", path);
        }
        writeResult(run.result, path, m_options.request.table, {!m_options.request.uncompressed});
        return path;
    }

    const Options& m_options;
    std::stop_token m_stop;
    gpu::Request m_request;
    gpu::Runner m_runner;
    gpu::RecordedRuns m_recorded;
    Inputs m_inputs;
    CallFiles m_files;
    Stems m_stems;
    bool m_toFolder = false;
    std::error_code m_ignored;  ///< what cannot be asked about is no folder; writing to it says why
};

int runRecipe(const Options& options, const std::stop_token& stop) {
    if (options.variant != gpu::kAuto)
        throw ArgumentError("--variant: a recipe's steps say it themselves: leave it out, or write it there");
    if (options.errors.any())
        throw ArgumentError("--errors: of one family's result; leave it out, or leave out --recipe");
    gpu::Request base = options.request.base();
    options.time(base);
    return RecipeRun(options.request, base, options.keepSteps, stop).all();
}

}  // namespace

Command addRun(CLI::App& program) {
    CLI::App* command = program.add_subcommand("run", "Filter pictures with one variant");
    const auto options = std::make_shared<Options>(*command);
    command->add_option("--variant", options->variant,
                        "Which variant; default auto: the fastest that this filter, picture and device allow, by "
                        "measurements (see tune); a name may have tunables, each after an @: "
                        "tiled_output@block_width=16@block_height=4");
    command->add_option("--samples", options->samples, "Number of timed runs; default 1")
        ->check(CLI::Range(1, 100000))
        ->type_name("N");
    namesFile(command->add_option(
        "-o,--output", options->request.output,
        "Where the result goes: .png, .tif, .exr, .nrrd, .mha, .nii or .npy, .csv for a table, or a "
        "folder; several inputs need a folder"));
    namesFile(command->add_option("--keep-steps", options->keepSteps,
                                  "With --recipe: a folder for the result of every step, as photo.step-1.png"),
              "FOLDER");
    options->request.addTable(*command);
    options->request.addRecipe(*command);
    return {command, [options](const std::stop_token& stop) {
                if (!options->request.recipe.empty()) return runRecipe(*options, stop);
                if (!options->keepSteps.empty())
                    throw ArgumentError("--keep-steps: give --recipe, whose steps they are");
                return Run(*options, stop).all();
            }};
}

}  // namespace warplens::cli
