// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/sweep.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/request_options.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/sweep_document.hpp"
#include "io/generate.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace warplens::cli {

namespace {

struct Options {
    explicit Options(CLI::App& command) : parameters(command) {}
    FamilyOptions parameters;
    std::string family;
    std::string radii = "1,2,3,4,5,7", sizes = "256,512,1024,2048,4096,8192";
    std::string type = "f32", variants = "all", device, report;
    bool json = false;
};

gpu::SweepRequest requestOf(const Options& options) {
    const gpu::Family& family = gpu::familyOf(options.family);
    gpu::SweepRequest request;
    request.family = family.id();
    request.parameter = family.info().swept;
    request.parameters = options.parameters.valuesFor(family);
    if (request.parameters.contains(request.parameter))
        throw ArgumentError("--" + request.parameter + ": a sweep varies it; give --radii");
    request.values = gpu::parseWholeNumbers("--radii", options.radii);
    request.sizes = gpu::parseSizes("--sizes", options.sizes);
    request.variants = chosenVariants(options.variants, family);
    request.device = options.device;
    request.input = "noise";
    request.type = options.type;
    request.picture = [type = options.type](std::int64_t width, std::int64_t height) {
        return std::make_shared<const io::Grid>(io::generate(fmt::format("gen:noise:{}x{}:{}", width, height, type)));
    };
    return request;
}

int statusOf(const gpu::Sweep& sweep) {
    int status = sweep.interrupted ? kInterrupted : kFine;
    for (const gpu::SweepCell& cell : sweep.cells) {
        for (const gpu::SweepRow& row : cell.rows) {
            if (row.status == gpu::Status::wrong) status = std::max<int>(status, kWrong);
            if (row.status == gpu::Status::failed) status = std::max<int>(status, kDevice);
        }
    }
    return status;
}

int sweep(const Options& options, const std::stop_token& stop) {
    if (!options.report.empty() && !options.report.ends_with(gpu::kSweepEnding))
        throw ArgumentError("--report " + options.report + ": the name must end in " + gpu::kSweepEnding);
    if (!options.report.empty()) {
        CallFiles files;
        options.parameters.addFiles(gpu::familyOf(options.family), files);
        checkFolderOf(options.report);
        files.writes("--report", options.report);
    }
    const gpu::SweepRequest request = requestOf(options);
    Progress progress("sweep");
    gpu::Runner runner;
    const gpu::Observer observer{
        .progress = [&](double fraction, const std::string& what) { progress.show(fraction, what); }, .record = {}};
    const auto save = [&](const gpu::Sweep& now) {
        if (!options.report.empty()) io::writeFileAtomically(options.report, gpu::toJson(now));
    };
    // After each cell, so that what was measured outlives whatever ends the program.
    const gpu::Sweep result = gpu::runSweep(runner, request, stop, observer, save);
    save(result);
    progress.clear();
    options.json ? printJson(gpu::toJson(result)) : printText(gpu::sweepText(result));
    if (result.interrupted) {
        printError("sweep: interrupted after " + std::to_string(result.cells.size()) + " of " +
                   std::to_string(result.values.size() * result.sizes.size()) + " cells");
    }
    for (const gpu::SweepCell& cell : result.cells) {
        const auto bad = std::ranges::find_if(cell.rows, [](const gpu::SweepRow& row) {
            return row.status == gpu::Status::wrong || row.status == gpu::Status::failed;
        });
        if (bad == cell.rows.end()) continue;
        printError(fmt::format("sweep: {} at {} {}, {}x{}: {}: {}", bad->id, result.parameter, cell.value, cell.width,
                               cell.height, gpu::nameOf(bad->status), bad->reason));
        break;
    }
    return statusOf(result);
}

}  // namespace

Command addSweep(CLI::App& program) {
    CLI::App* command =
        program.add_subcommand("sweep", "Time the variants over radius and picture size: who wins where");
    const auto options = std::make_shared<Options>(*command);
    command->add_option("FAMILY", options->family, "What to sweep: " + gpu::sweptFamilies())->required()->type_name("");
    command->add_option("--radii", options->radii, "Radii, with commas between them; default " + options->radii)
        ->type_name("LIST");
    command
        ->add_option("--sizes", options->sizes,
                     "Sides of square pictures, or WxH, with commas between them; default " + options->sizes)
        ->type_name("LIST");
    command->add_option("--type", options->type, "Of the pictures' values: u8, u16 or f32; default f32")
        ->type_name("TYPE")
        ->check(CLI::IsMember({"u8", "u16", "f32"}));
    command->add_option("--variants", options->variants,
                        "all, or names with commas between them; default all; tunables as in compare");
    command->add_option("--device", options->device,
                        "Where kernels run: cpu, cuda, cuda:N or a UUID; default: the first GPU, else cpu");
    namesFile(command->add_option("--report", options->report,
                                  "Write the sweep after each cell; the name ends in .sweep.json"));
    command->add_flag("--json", options->json, "Print the JSON document instead of text");
    return {command, [options](const std::stop_token& stop) { return sweep(*options, stop); }};
}

}  // namespace warplens::cli
