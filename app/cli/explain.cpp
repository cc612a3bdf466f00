// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/print.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/report_file.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/resources.hpp"
#include "app/trace/client.hpp"
#include "gpu/report/ladder.hpp"

#include <memory>

namespace warplens::cli {

namespace {

struct ExplainOptions {
    explicit ExplainOptions(CLI::App& command) : request(command) {}
    RequestOptions request;
    std::string variants = "all";
    bool whole = false;
};

/// One input after the other.
class Explain {
public:
    Explain(const ExplainOptions& options, const std::stop_token& stop)
        : m_options(options.request), m_stop(stop), m_tracer(options.whole ? 0 : TraceProgram::kSampleWords) {
        m_request = m_options.request();
        if (!m_request.device.empty() && m_request.device != "cpu") {
            throw ArgumentError("--device " + m_request.device +
                                ": explain counts on the traced build, which runs on the CPU; leave it out");
        }
        m_request.kernelsAlone = options.variants == "none";
        if (m_request.kernelsAlone && m_request.kernels.empty())
            throw ArgumentError("--variants none: give --kernel, or names of variants");
        if (!m_request.kernelsAlone) m_request.variants = chosenVariants(options.variants, m_options.family());
        m_inputs = m_options.inputs();
        m_options.files(m_inputs);
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
        const gpu::Comparison comparison = count(name);
        const gpu::Report report = gpu::makeReport(comparison);
        if (m_options.json)
            printJson(gpu::toJson(report, m_inputs.batch) + (m_inputs.batch ? "\n" : ""));
        else
            printText(gpu::ladderText(report, &m_recorded));
        m_options.writeReports(stem, m_inputs.batch, report, comparison, m_recorded);
        if (comparison.interrupted)
            printError(name + ": interrupted after " + std::to_string(comparison.runs.size()) + " variants");
        if (const std::string why = whyNotFine(comparison.runs); !why.empty() && !comparison.interrupted)
            printError(name + ": " + why);
        return statusOf(comparison);
    }

    gpu::Comparison count(const std::string& name) {
        Progress progress(name);
        const gpu::Observer observer{
            .progress = [&](double fraction, const std::string& what) { progress.show(fraction, what); }, .record = {}};
        return m_tracer.explain(m_request, m_stop, observer);
    }

    const RequestOptions& m_options;
    std::stop_token m_stop;
    TraceProgram m_tracer;
    gpu::Request m_request;
    gpu::RecordedRuns m_recorded;
    Inputs m_inputs;
    UniqueNames m_stems;
};

}  // namespace

Command addExplain(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "explain", "Count the memory requests and operations of each variant, and what changed from one to the next");
    const auto options = std::make_shared<ExplainOptions>(*command);
    command->add_option("--variants", options->variants,
                        "all, names with commas between them, or none, with --kernel; default all; tunables as in "
                        "compare");
    options->request.addKernels(*command);
    command->add_flag("--every-block", options->whole, "Trace every block; default: a sample where the grid is large");
    return {command, [options](const std::stop_token& stop) { return Explain(*options, stop).all(); }};
}

}  // namespace warplens::cli
