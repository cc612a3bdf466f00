// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/computation.hpp"
#include "app/cli/error_options.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/recipe_run.hpp"
#include "app/cli/report_file.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/resources.hpp"
#include "app/cli/tell.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/device_team.hpp"
#include "io/format.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
    explicit RunOptions(CLI::App& command) : request(command, true), errors(command), batch(command) {
        errors.addPicture(command);
    }
    RequestOptions request;
    ErrorOptions errors;
    BatchOptions batch;
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

/// Runners of a device that are on a picture each: while one computes, another sends or fetches its own.
constexpr std::size_t kRunners = 2;

/// The devices and their runners are kept from one input to the next.
class Run {
public:
    Run(const RunOptions& options, const std::stop_token& stop) : m_options(options), m_stop(stop) {
        m_request = options.request.request();
        const gpu::Family& family = options.request.family();
        if (options.variant != gpu::kAuto) gpu::parseRunSpec(family, options.variant);
        m_request.variants = {options.variant};
        m_request.hostLibraries = family.info().makesPicture || family.info().makesOtherPicture;
        m_request.kernelsAlone = options.request.hasKernels();
        if (m_request.kernels.size() > 1) throw ArgumentError("--kernel: run takes one; compare takes several");
        if (m_request.kernelsAlone && options.variant != gpu::kAuto)
            throw ArgumentError("--variant: --kernel says what runs: leave one out, or compare both");
        options.time(m_request);
        m_inputs = options.request.inputs();
        m_request.beside = options.request.beside(m_inputs);
        // Times that are asked for are measured with nothing beside them, and a limit is one device's.
        const bool beside = m_inputs.names.size() > 1 && options.samples == 1 && m_request.memoryCap == 0;
        m_team.emplace(options.request.sharing(m_inputs), beside ? kRunners : 1);
        if (options.variant == gpu::kAuto) m_team->setTuning(loadTuning());
        m_files = options.request.files(m_inputs);
        options.errors.prepare(m_request, family, m_inputs.batch, m_files);
        m_keepPictures = std::exchange(m_request.keepPictures, true);  // verified later than it is computed
        m_request.verify = false;
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
        m_batch.emplace(options.batch, options.request, m_inputs, m_toFolder, m_files);
        m_batch->leaveOutDone(family);
    }

    int all() {
        return m_batch->run(
            {.computing = m_team->workers(),
             .places = m_team->places(),
             .compute = [this](Picture& picture, const std::stop_token& stop) { compute(picture, stop); },
             .verify = [this](Picture& picture, const std::stop_token& stop) { verify(picture, stop); }},
            m_stop);
    }

private:
    void compute(Picture& picture, const std::stop_token& stop) {
        picture.request = m_request;
        picture.request.input = picture.input;
        picture.request.inputName = picture.name;
        if (const std::string said = m_options.request.toPixels(picture.request); !said.empty())
            picture.acts.push_back({.said = {.out = said}});
        picture.request.device = m_team->id(picture.worker);
        const auto begin = gpu::PipelineClock::now();
        const auto progress = [&](double fraction, const std::string& what) { m_batch->show(picture, fraction, what); };
        gpu::Comparison& comparison = picture.computed.comparison;
        gpu::StageLog log(m_team->turns(picture.worker));
        comparison = m_team->runner(picture.worker).run(picture.request, stop, {.progress = progress, .record = {}});
        if (comparison.interrupted) return conclude(picture, stop);
        picture.timed.push_back({gpu::timesOf(comparison.runs.front()), begin, gpu::PipelineClock::now(), true,
                                 log.take(), m_team->row(picture.worker)});
    }

    void verify(Picture& picture, const std::stop_token& stop) {
        cli::verify(m_team->runner(picture.worker), picture.request, picture.computed.comparison, stop);
        conclude(picture, stop);
    }

    /// What is written and said of a picture, in this order.
    void conclude(Picture& picture, const std::stop_token& stop) {
        auto& [comparison, report] = picture.computed;
        report = gpu::makeReport(comparison);
        gpu::keepSources(report, picture.request);
        m_options.errors.find(m_team->runner(picture.worker), picture.request, stop, picture.computed);
        if (!m_keepPictures)
            for (gpu::RunRecord& run : comparison.runs) run.result.picture.reset();
        picture.interrupted = comparison.interrupted;
        picture.status = statusOfRun(comparison);
        const RequestOptions& asked = m_options.request;
        if (!asked.reports.empty()) {
            picture.acts.push_back({.write = [this, &picture](const std::stop_token&) {
                const auto& [shown, told] = picture.computed;
                m_options.request.writeReports(picture.stem, m_inputs.batch, told, shown, m_recorded);
            }});
        }
        fs::path written;
        if (picture.status == kFine && !asked.output.empty()) {
            const gpu::Result& result = comparison.runs.front().result;
            try {
                written = m_batch->resultName(picture, result);
            } catch (const ArgumentError&) {
                picture.failure = std::current_exception();
                return;
            }
            io::WriteOptions options = asked.writing(result, picture.request.input.get());
            picture.acts.push_back({.write = [this, written, result, options,
                                              measured = picture.request.input](const std::stop_token& ending) {
                const RequestOptions& request = m_options.request;
                io::WriteOptions stopped = options;
                stopped.stop = ending;
                writeResult(result, request.family(), written, request.table, request.unitHeads, measured.get(),
                            stopped);
            }});
        }
        if (asked.json)
            picture.acts.push_back({.json = gpu::toJson(report, m_inputs.batch) + (m_inputs.batch ? "\n" : "")});
        Picture::Act last{.said = formatRun(picture.name, comparison, written, asked.json)};
        if (const gpu::TextTable errors = gpu::errorTable(report); !errors.rows.empty() && !asked.json)
            last.said.out += gpu::toText(errors);
        picture.acts.push_back(std::move(last));
    }

    const RunOptions& m_options;
    std::stop_token m_stop;
    gpu::Request m_request;
    std::optional<gpu::DeviceTeam> m_team;
    gpu::RecordedRuns m_recorded;
    Inputs m_inputs;
    CallFiles m_files;
    std::optional<Batch> m_batch;
    bool m_toFolder = false, m_keepPictures = false;
    std::error_code m_ignored;  ///< what cannot be asked about is no folder; writing to it says why
};

int runRecipe(const RunOptions& options, const std::stop_token& stop) {
    if (options.variant != gpu::kAuto)
        throw ArgumentError("--variant: a recipe's steps say it themselves: leave it out, or write it there");
    if (options.errors.any())
        throw ArgumentError("--errors: of one family's result; leave it out, or leave out --recipe");
    gpu::Request base = options.request.base();
    options.time(base);
    base.hostLibraries = true;
    return RecipeRun(options.request, options.batch, base, options.keepSteps, stop).all();
}

}  // namespace

Command addRun(CLI::App& program) {
    CLI::App* command = program.add_subcommand("run", "Filter pictures with one variant");
    const auto options = std::make_shared<RunOptions>(*command);
    command->add_option("--variant", options->variant,
                        "Which variant; default auto: the fastest that this filter, picture and device allow, by "
                        "measurements (see tune), and on a CPU a library before emulated kernels; a name may have "
                        "tunables, each after an @: "
                        "tiled_output@block_width=16@block_height=4");
    command->add_option("--samples", options->samples, "Number of timed runs; default 1")
        ->check(CLI::Range(1, 100000))
        ->type_name("N");
    namesFile(
        command->add_option("-o,--output", options->request.output,
                            "Where the result goes: " + io::writtenExtensions() +
                                ", of which tables take .csv and .npy, .zip for the outlines of labels as ImageJ's "
                                "RoiSet, or a folder; several inputs need a folder"));
    namesFile(command->add_option("--keep-steps", options->keepSteps,
                                  "With --recipe: a folder for the result of every step, as photo.step-1.png"),
              "FOLDER");
    options->request.addTable(*command);
    options->request.addKernels(*command);
    options->request.addRecipe(*command);
    return {command, [options](const std::stop_token& stop) {
                options->batch.check(options->request.output);
                if (!options->request.recipe.empty()) return runRecipe(*options, stop);
                if (!options->keepSteps.empty())
                    throw ArgumentError("--keep-steps: give --recipe, whose steps they are");
                return Run(*options, stop).all();
            }};
}

}  // namespace warplens::cli
