// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/tune.hpp"

#include "app/cli/call_files.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/progress.hpp"
#include "gpu/bench/result.hpp"
#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/run/tuning/files.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/printable.hpp"
#include "io/write.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;
namespace tuning = gpu::tuning;

struct TuneOptions {
    explicit TuneOptions(CLI::App& command) : choices(command), family(command) {}
    std::vector<std::string> positionals;
    std::string device, from, output;
    double budget = 0;
    bool json = false;
    ReadChoices choices;
    FamilyOptions family;
};

// A picture to tune on where none is given: one that fills the GPU, or that the CPU is soon done with.
constexpr const char* kGpuInput = "gen:noise:4096x4096:f32";
constexpr const char* kCpuInput = "gen:noise:512x512:f32";

void print(const gpu::Tuned& tuned, const std::string& input, const std::string& family,
           const gpu::DeviceInfo& device) {
    std::string text = io::printable(input) + ": " + family + " on " + device.name + ", " +
                       std::to_string(tuned.tried.size()) + " candidates timed in turn\n";
    for (const gpu::RankedRow& row : tuned.entry.rows) {
        std::string tunables;
        for (const auto& [id, value] : row.tunables) tunables += ", " + id + " " + std::to_string(value);
        text += "  " + gpu::threeDigits(row.relative) + "\u00d7  " + row.variant + tunables + "\n";
    }
    printText(text);
}

/// Measures one problem and keeps its ranking in the cache.
int measureChoices(const TuneOptions& options, const std::stop_token& stop) {
    if (options.positionals.empty() || options.positionals.size() > 2)
        throw ArgumentError(
            "tune: give a FAMILY, or an INPUT and a FAMILY, as in: tune photo.png convolution --radius 4");
    const gpu::Family& family = gpu::familyOf(options.positionals.back());
    const auto parameters = options.family.valuesFor(family, options.choices);
    const fs::path folder = tuning::cacheFolder();
    if (folder.empty())
        throw ArgumentError("tune: neither XDG_CACHE_HOME nor HOME names a folder for the cache: set one");
    const auto device = gpu::openDevice(options.device);
    const bool cuda = device->info().ranks();
    const std::string input = options.positionals.size() == 2 ? options.positionals.front()
                              : cuda                          ? kGpuInput
                                                              : kCpuInput;
    const auto picture = std::make_shared<const io::Grid>(options.choices.read(input, stop));
    const auto problem = family.pose(picture, parameters);

    gpu::Tuned tuned;
    {
        Progress progress("tune");
        const gpu::Observer observer{
            .progress = [&](double fraction, const std::string& what) { progress.show(fraction, what); }, .record = {}};
        std::vector<std::unique_ptr<gpu::Resident>> residents;
        gpu::TuneSettings settings;
        if (options.budget > 0) settings.budgetSeconds = options.budget;
        tuned = gpu::tune(family, *problem, *device, residents, settings, stop, observer);
    }
    const gpu::TuningTable fresh = tuning::emptyCache(device->info(), gpu::describeEnvironment());
    const fs::path file = tuning::update(
        folder, fresh,
        [&](gpu::TuningTable& table) {
            table.date = fresh.date;
            gpu::put(table, tuned.entry);
        },
        [](const std::string& what) { printError("warning: " + what); });
    if (options.json) {
        gpu::TuningTable one = fresh;
        one.entries = {tuned.entry};
        printJson(tuning::toJson(one));
    } else {
        print(tuned, input, family.id(), device->info());
        printText("Kept in " + io::printable(file.string()) + ".\n");
    }
    for (const gpu::RunRecord& record : tuned.tried) {
        if (record.status == gpu::Status::wrong) return kWrong;
    }
    return kFine;
}

/// Makes a table to ship from a benchmark's report.
int convert(const TuneOptions& options) {
    if (!options.output.empty()) {
        CallFiles files;
        files.readsFile(options.from);
        checkFolderOf(options.output);
        files.writes("-o", options.output);
    }
    const gpu::TuningTable table =
        gpu::bench::tableOf(gpu::bench::parseResult(io::readText(options.from), options.from));
    if (table.entries.empty())
        throw io::Error(io::Error::Kind::unreadable,
                        options.from + ": holds no verified rows with traits; run bench again");
    if (options.output.empty())
        printJson(tuning::toJson(table));
    else
        io::writeFileAtomically(options.output, tuning::toJson(table));
    return kFine;
}

}  // namespace

Command addTune(CLI::App& program) {
    CLI::App* command = program.add_subcommand("tune", "Measure what auto should choose here, and keep it");
    const auto options = std::make_shared<TuneOptions>(*command);
    CLI::Option* positionals =
        command
            ->add_option(
                "INPUT FAMILY", options->positionals,
                "A picture, if one is to be measured on rather than noise, then the family (see list families)")
            ->type_name("");
    takesDevice(*command, options->device);
    CLI::Option* budget = takesSeconds(
        command->add_option("--budget", options->budget, "Seconds of timing per candidate; default 0.1"), 0.001, 60);
    CLI::Option* from = namesFile(
        command->add_option("--from", options->from, "Measure nothing: make a table to ship from the JSON of a bench"));
    from->excludes(budget)->excludes(command->get_option("--device"))->excludes(positionals);
    namesFile(
        command->add_option("-o,--output", options->output, "Where --from writes the table; default: standard output"))
        ->needs(from);
    command->add_flag("--json", options->json, "Print the ranking as JSON (resources/schema/tuning.schema.json)");
    return {command, [options](const std::stop_token& stop) {
                return options->from.empty() ? measureChoices(*options, stop) : convert(*options);
            }};
}

}  // namespace warplens::cli
