// SPDX-License-Identifier: Apache-2.0
#include "app/cli/byte_size.hpp"
#include "app/cli/call_files.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/resources.hpp"
#include "gpu/bench/draw.hpp"
#include "gpu/bench/run.hpp"
#include "gpu/bench/table.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/device.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;
namespace bench = gpu::bench;

struct Options {
    std::vector<std::string> suites, only, reports, peers;
    std::string device, from, largest;
    std::optional<std::uint64_t> seed;
    std::optional<int> cases;
    int scale = 0;
    double budget = 0;
    bool json = false, list = false;
};

void checkName(const std::string& path) {
    const auto extension = fs::path(path).extension();
    if (extension != ".json" && extension != ".md")
        throw ArgumentError("--report " + path + ": the name must end in .json or .md");
}

int benchStatusOf(const bench::Result& result) {
    int status = result.interrupted ? kInterrupted : kFine;
    for (const auto& one : result.cases) {
        if (!one.problem.empty()) status = std::max<int>(status, kDevice);
        if (!one.report) continue;
        for (const auto& run : one.report->runs) {
            if (run.record.kind != gpu::Variant::Kind::kernel) continue;
            if (run.record.status == gpu::Status::wrong) status = std::max<int>(status, kWrong);
            if (run.record.status == gpu::Status::failed) status = std::max<int>(status, kDevice);
        }
    }
    return status;
}

/// The first case with something to tell, and how many there are.
std::string whyAmiss(const bench::Result& result) {
    std::string first;
    int count = 0;
    for (const auto& one : result.cases) {
        std::vector<gpu::RunRecord> runs;
        if (one.report) {
            for (const auto& run : one.report->runs) runs.push_back(run.record);
        }
        const std::string why = one.problem.empty() ? cli::whyNotFine(runs) : one.problem;
        if (!why.empty() && count++ == 0) first = one.what.id + ": " + why;
    }
    return first + (count > 1 ? "; and " + std::to_string(count - 1) + " more cases" : "");
}

constexpr const char* kRandom = "random";
// A run of them takes minutes on a GPU, and on the CPU.
constexpr std::int64_t kLargestOnGpu = 1'000'000'000, kLargestOnCpu = 64'000;

/// What to draw; nothing where the cases are those of the families' suites.
std::optional<bench::Drawing> drawingOf(const Options& options) {
    const bool random = std::ranges::find(options.suites, kRandom) != options.suites.end();
    if (!random) {
        const char* given = options.seed ? "--seed" : options.cases ? "--cases" : "--largest";
        if (options.seed || options.cases || !options.largest.empty())
            throw ArgumentError(std::string(given) + ": it goes with --suite random; add that, or leave it out");
        return std::nullopt;
    }
    if (options.suites.size() > 1) throw ArgumentError("--suite random: it is run alone; leave the other suites out");
    if (options.scale > 1) throw ArgumentError("--scale: drawn sizes are not divided; give --largest instead");
    bench::Drawing drawing{.seed = options.seed.value_or(1), .cases = options.cases.value_or(100)};
    if (!options.largest.empty())
        drawing.largest = parseByteSize("--largest", options.largest);
    else
        drawing.largest = gpu::openDevice(options.device)->info().ranks() ? kLargestOnGpu : kLargestOnCpu;
    return drawing;
}

/// The drawn tasks beside the suites' goals, as if a file had held them.
bench::Suites suitesOf(const std::optional<bench::Drawing>& drawing) {
    const auto families = resourceFolder() / "families";
    bench::Suites suites = bench::loadSuites(families);
    if (drawing) suites.cases = bench::drawCases(bench::loadDraws(families), *drawing);
    return suites;
}

std::vector<bench::Case> chosenCases(const Options& options, const bench::Suites& suites,
                                     const std::string& otherwise) {
    return bench::choose(suites, options.suites.empty() ? std::vector<std::string>{otherwise} : options.suites,
                         options.only);
}

bench::Result measure(const Options& options, const bench::Suites& suites, const std::optional<bench::Drawing>& drawing,
                      const std::stop_token& stop) {
    const auto cases = chosenCases(options, suites, "limits");
    bench::Settings settings{.device = options.device,
                             .scale = drawing ? 1 : options.scale,  // drawn sizes are as large as they should be
                             .budgetSeconds = options.budget,
                             .tuning = loadTuning(),
                             .read = {}};
    settings.read = [&stop](const std::string& description) {
        io::ReadOptions reading;
        reading.stop = stop;
        return std::make_shared<const io::Grid>(io::read(description, reading));
    };
    bench::Bench runner(std::move(settings));
    bench::Result result = runner.head(suites);
    result.drawn = drawing;
    Progress progress("bench");
    try {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (stop.stop_requested()) throw gpu::Error(gpu::Error::Kind::cancelled, "stopped");
            const gpu::Observer observer{
                .progress =
                    [&](double share, const std::string& what) {
                        progress.show((static_cast<double>(i) + share) / static_cast<double>(cases.size()),
                                      cases[i].id + ", " + what);
                    },
                .record = {}};
            result.cases.push_back(runner.run(cases[i], stop, observer));
        }
    } catch (const gpu::Error& error) {
        if (error.kind() != gpu::Error::Kind::cancelled) throw;
        result.interrupted = true;
    } catch (const io::Error& error) {
        if (error.kind() != io::Error::Kind::cancelled) throw;
        result.interrupted = true;
    }
    return result;
}

int list(const Options& options, const std::vector<bench::Case>& cases) {
    std::string text;
    for (const auto& one : cases) text += one.suite + "  " + one.id + "  " + one.title + "\n";
    options.json ? printJson(bench::casesJson(cases)) : printText(text);
    return kFine;
}

int run(const Options& options, const std::stop_token& stop) {
    CallFiles files;
    if (!options.from.empty()) files.readsFile(options.from);
    for (const std::string& path : options.peers) files.readsFile(path);
    for (const std::string& report : options.reports) {
        checkName(report);
        checkFolderOf(report);
        files.writes("--report", report);
    }
    std::vector<std::pair<std::string, std::string>> peers;
    for (const std::string& path : options.peers) peers.emplace_back(path, io::readText(path));
    const auto drawing = options.from.empty() ? drawingOf(options) : std::nullopt;
    const auto suites = suitesOf(drawing);
    if (options.list) return list(options, chosenCases(options, suites, "all"));
    bench::Result result = options.from.empty() ? measure(options, suites, drawing, stop)
                                                : bench::parseResult(io::readText(options.from), options.from);
    for (const auto& [path, content] : peers) bench::mergePeers(result, content, path);
    // Printed first: what was measured is not lost when a file cannot be written.
    options.json ? printJson(bench::toJson(result)) : printText(bench::toText(result));
    for (const std::string& report : options.reports)
        io::writeFileAtomically(
            report, fs::path(report).extension() == ".md" ? bench::toMarkdown(result) : bench::toJson(result));
    if (const std::string why = whyAmiss(result); !why.empty() && !result.interrupted) printError("bench: " + why);
    if (result.interrupted) printError("bench: interrupted after " + std::to_string(result.cases.size()) + " cases");
    return benchStatusOf(result);
}

void addRandom(CLI::App& command, Options& options) {
    command.add_option("--seed", options.seed, "Of --suite random: which tasks; default 1")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    command.add_option("--cases", options.cases, "Of --suite random: how many tasks; default 100")
        ->check(CLI::Range(1, 100000))
        ->type_name("M");
    command
        .add_option("--largest", options.largest,
                    "Of --suite random: bytes of a task's pictures at most, as in 256MB; default 1GB on a GPU, 64kB on "
                    "the CPU")
        ->type_name("SIZE");
}

}  // namespace

Command addBench(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "bench",
        "Compare all variants and libraries on fixed cases, in turn, against the measured limits of the device");
    const auto options = std::make_shared<Options>();
    command
        ->add_option("--suite", options->suites,
                     gpu::familyIds() +
                         ", or limits (all of them, with the goals set for the GPU); default limits; "
                         "or random: tasks that are drawn")
        ->delimiter(',');
    command->add_option("--case", options->only, "Only these cases: ids, or prefixes with *")->delimiter(',');
    command->add_flag("--list", options->list,
                      "List the cases and run nothing; with --json as scripts/bench-peers takes them");
    addRandom(*command, *options);
    takesDevice(*command, options->device);
    command
        ->add_option("--scale", options->scale,
                     "Divide every extent by N, but not below 16; default 1 on a GPU, 64 on the CPU")
        ->check(CLI::Range(1, 4096))
        ->type_name("N");
    takesSeconds(command->add_option("--budget", options->budget,
                                     "Seconds of timing per row; default 0.5 on a GPU, 0.02 on the CPU"),
                 0.001, 60);
    namesFile(command->add_option("--merge", options->peers,
                                  "Rows of other programs, as scripts/bench-peers writes them; may be repeated"))
        ->take_all();
    CLI::Option* from =
        namesFile(command->add_option("--from", options->from, "Run nothing: take the JSON of an earlier bench"));
    for (const char* measuring :
         {"--suite", "--case", "--list", "--device", "--scale", "--budget", "--seed", "--cases", "--largest"})
        from->excludes(command->get_option(measuring));
    namesFile(command->add_option("--report", options->reports, "Write a report: .json or .md; may be repeated"))
        ->take_all();
    command->add_flag("--json", options->json,
                      "Print the JSON report instead of text (resources/schema/bench.schema.json)");
    return {command, [options](const std::stop_token& stop) { return run(*options, stop); }};
}

}  // namespace warplens::cli
