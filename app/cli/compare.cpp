// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.hpp"
#include "app/cli/computation.hpp"
#include "app/cli/error_options.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/keep.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/report_file.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/resources.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/result_tables.hpp"
#include "gpu/report/table.hpp"

#include <algorithm>
#include <memory>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;

struct CompareOptions {
    explicit CompareOptions(CLI::App& command) : request(command, true), history(command), errors(command) {}
    RequestOptions request;
    HistoryKeeper history;
    ErrorOptions errors;
    std::string variants = "all";
    double budget = gpu::TimingPolicy().budgetSeconds;
};

/// One input after the other, the runner and its devices kept; several devices work on each input together.
class Compare {
public:
    Compare(const CompareOptions& options, const std::stop_token& stop)
        : m_options(options.request), m_history(options.history), m_errors(options.errors), m_stop(stop) {
        m_request = m_options.request();
        m_request.timing.budgetSeconds = options.budget;
        m_request.kernelsAlone = options.variants == "none";
        if (m_request.kernelsAlone && m_request.kernels.empty())
            throw ArgumentError("--variants none: there is nothing to compare: give --kernel");
        if (!m_request.kernelsAlone) m_request.variants = chosenVariants(options.variants, m_options.family(), true);
        if (std::ranges::find(m_request.variants, gpu::kAuto) != m_request.variants.end())
            m_runner.setTuning(loadTuning());
        m_request.beside.assign(m_options.devices().begin() + 1, m_options.devices().end());
        m_inputs = m_options.inputs();
        m_files = m_options.files(m_inputs);
        m_errors.prepare(m_request, m_options.family(), m_inputs.batch, m_files);
        if (!m_options.output.empty()) makeFolder(m_options.output);
        m_recorded = loadRecorded();
    }

    int all() {
        return forEachInput(m_inputs, m_stop, [this](const std::string& name) { return one(name); });
    }

private:
    int one(const std::string& name) {
        const std::string stem = m_stems.next(name);
        m_request.input = m_options.read(name, m_stop);
        m_request.inputName = name;
        printText(m_options.toPixels(m_request));
        Computed computed = compute(m_runner, m_request, m_stop);
        m_errors.find(m_runner, m_request, m_stop, computed);
        const auto& [comparison, report] = computed;
        // Printed first: what was measured is not lost when a file cannot be written.
        print(report);
        const std::string slower = m_history.keep(report);
        if (!slower.empty() && !m_options.json) printText(slower + "\n");
        m_options.writeReports(stem, m_inputs.batch, report, comparison, m_recorded);
        if (!m_options.output.empty()) writePictures(comparison, name, stem);
        if (comparison.interrupted) {
            printError(name + ": interrupted after " + std::to_string(comparison.runs.size()) + " of " +
                       std::to_string(rows()) + " variants");
        }
        if (const std::string why = whyNotFine(comparison.runs); !why.empty() && !comparison.interrupted)
            printError(name + ": " + why);
        return statusOf(comparison);
    }

    std::size_t rows() const {
        if (m_request.kernelsAlone) return m_request.kernels.size();
        return m_request.kernels.size() +
               (m_request.variants.empty() ? m_options.family().variants().size() : m_request.variants.size());
    }

    void print(const gpu::Report& report) {
        if (m_options.json) {
            printJson(gpu::toJson(report, m_inputs.batch) + (m_inputs.batch ? "\n" : ""));
            return;
        }
        std::string text = gpu::toText(gpu::makeTable(report, &m_recorded));
        std::string facts;
        for (const std::string& fact : report.facts) facts += (facts.empty() ? "" : "; ") + fact;
        if (!facts.empty()) text += facts + "\n";
        if (m_request.device.empty() && !report.device.ranks()) text += gpu::listDevices().whyNoCuda + "\n";
        for (const gpu::TextTable& table : gpu::furtherTables(report)) text += "\n" + gpu::toText(table);
        printText(text + (m_inputs.batch ? "\n" : ""));
    }

    void writePictures(const gpu::Comparison& comparison, const std::string& name, const std::string& stem) {
        for (const gpu::RunRecord& run : comparison.runs) {
            if (run.result.empty()) continue;
            const std::string id = run.choice ? gpu::kAuto : run.id();
            const fs::path path =
                fs::path(m_options.output) / (stem + "-" + id + extensionFor(name, run.result, m_options.table));
            m_files.writes("-o", path);
            writeResult(run.result, m_options.family(), path, m_options.table, m_options.unitHeads,
                        m_request.input.get(), m_options.writing(run.result, m_request.input.get()));
        }
    }

    const RequestOptions& m_options;
    const HistoryKeeper& m_history;
    const ErrorOptions& m_errors;
    std::stop_token m_stop;
    gpu::Request m_request;
    gpu::Runner m_runner;
    gpu::RecordedRuns m_recorded;
    Inputs m_inputs;
    CallFiles m_files;
    UniqueNames m_stems;
};

}  // namespace

Command addCompare(CLI::App& program) {
    CLI::App* command = program.add_subcommand("compare", "Compare the variants on the same picture");
    const auto options = std::make_shared<CompareOptions>(*command);
    command->add_option("--variants", options->variants,
                        "all, or names with commas between them, auto among them; default all; a name may have "
                        "tunables of its own, each after an @: naive,tiled_output@block_width=16@block_height=4; none: "
                        "only those of --kernel");
    takesSeconds(command->add_option("--budget", options->budget, "Seconds of timing per variant; default 0.5"), 0.001,
                 60);
    namesFile(command->add_option("-o,--output", options->request.output,
                                  "A folder for the results, one picture per variant"),
              "FOLDER");
    options->request.addTable(*command);
    options->request.addKernels(*command);
    return {command, [options](const std::stop_token& stop) { return Compare(*options, stop).all(); }};
}

}  // namespace warplens::cli
