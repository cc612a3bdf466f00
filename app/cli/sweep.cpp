// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/sweep.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/request_options.hpp"
#include "app/worker/client.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/sweep_document.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace warplens::cli {

namespace {

constexpr const char* kUsualRadii = "1,2,3,4,5,7";
constexpr const char* kUsualSizes = "256,512,1024,2048,4096,8192";

struct SweepOptions {
    explicit SweepOptions(CLI::App& command) : parameters(command) {}
    FamilyOptions parameters;
    std::string family;
    std::vector<std::string> over, kernels;
    std::string radii, sizes, input, type;
    std::string variants = "all", device, report;
    double budget = gpu::TimingPolicy().budgetSeconds;
    bool json = false;
};

/// Those of --over; without it the family's own parameter and the size.
std::vector<gpu::SweepAxis> axesOf(const SweepOptions& options, const gpu::Family& family) {
    std::vector<gpu::SweepAxis> axes;
    for (const std::string& text : options.over) axes.push_back(gpu::parseSweepAxis(family, text));
    if (axes.empty()) {
        const std::string& swept = family.info().swept;
        if (swept.empty())
            throw ArgumentError("sweep: " + family.id() + " has no parameter to vary; give --over, or one of " +
                                gpu::sweptFamilies());
        axes.push_back(
            gpu::parseSweepAxis(family, swept + "=" + (options.radii.empty() ? kUsualRadii : options.radii)));
        if (options.input.empty())
            axes.push_back(gpu::parseSweepAxis(
                family, std::string("size=") + (options.sizes.empty() ? kUsualSizes : options.sizes)));
    } else if (!options.radii.empty()) {
        throw ArgumentError("--radii " + options.radii + ": --over says what is varied: give --over " +
                            (family.info().swept.empty() ? "ID" : family.info().swept) + "=" + options.radii);
    }
    return axes;
}

gpu::SweepRequest sweepRequestOf(const SweepOptions& options, const std::stop_token& stop) {
    const gpu::Family& family = gpu::familyOf(options.family);
    gpu::SweepRequest request;
    request.family = family.id();
    request.axes = axesOf(options, family);
    request.parameters = options.parameters.valuesFor(family);
    for (const gpu::SweepAxis& axis : request.axes)
        if (request.parameters.contains(axis.id))
            throw ArgumentError("--" + axis.id + ": a sweep varies it; give --over " + axis.id + "=VALUES");
    request.variants = chosenVariants(options.variants, family);
    request.kernels = loadKernels(options.kernels, request.family);
    request.device = options.device;
    request.timing.budgetSeconds = options.budget;
    if (!options.input.empty()) {
        if (!options.sizes.empty()) throw ArgumentError("--sizes " + options.sizes + ": --input has its own size");
        gpu::sweepOn(request, std::make_shared<const io::Grid>(ReadChoices().read(options.input, stop)), options.input);
        return request;
    }
    const auto varies = [&](const char* id) {
        return std::ranges::find(request.axes, id, &gpu::SweepAxis::id) != request.axes.end();
    };
    if (varies("type") && !options.type.empty()) throw ArgumentError("--type " + options.type + ": --over varies it");
    if (varies("size") && !options.over.empty() && !options.sizes.empty())
        throw ArgumentError("--sizes " + options.sizes + ": --over varies the size");
    request.input = "noise";
    request.type = options.type.empty() ? "f32" : options.type;
    if (!varies("size")) request.size = gpu::parseSize("--sizes", options.sizes.empty() ? "2048" : options.sizes);
    request.picture = gpu::noisePicture;
    return request;
}

int sweepStatusOf(const gpu::Sweep& sweep) {
    int status = sweep.interrupted ? kInterrupted : kFine;
    for (const gpu::SweepCell& cell : sweep.cells) {
        for (const gpu::SweepRow& row : cell.rows) {
            if (row.status == gpu::Status::wrong) status = std::max<int>(status, kWrong);
            if (row.status == gpu::Status::failed) status = std::max<int>(status, kDevice);
        }
    }
    return status;
}

int sweep(const SweepOptions& options, const std::stop_token& stop) {
    if (!options.report.empty() && !gpu::isSweepName(options.report))
        throw ArgumentError("--report " + options.report + ": the name must end in " + gpu::kSweepEndings);
    if (!options.report.empty()) {
        CallFiles files;
        options.parameters.addFiles(gpu::familyOf(options.family), files);
        if (!options.input.empty()) files.reads(options.input);
        for (const std::string& kernel : options.kernels) files.readsFile(worker::fileOfKernel(kernel));
        checkFolderOf(options.report);
        files.writes("--report", options.report);
    }
    const gpu::SweepRequest request = sweepRequestOf(options, stop);
    Progress progress("sweep");
    gpu::Runner runner;
    const gpu::Observer observer{
        .progress = [&](double fraction, const std::string& what) { progress.show(fraction, what); }, .record = {}};
    const auto save = [&](const gpu::Sweep& now) {
        if (!options.report.empty()) io::writeFileAtomically(options.report, gpu::sweepFile(now, options.report));
    };
    // After each cell, so that what was measured outlives whatever ends the program.
    const gpu::Sweep result = gpu::runSweep(runner, request, stop, observer, save);
    save(result);
    progress.clear();
    options.json ? printJson(gpu::toJson(result)) : printText(gpu::sweepText(result));
    if (result.interrupted) {
        printError("sweep: interrupted after " + std::to_string(result.cells.size()) + " of " +
                   std::to_string(result.wanted()) + " cells");
    }
    for (const gpu::SweepCell& cell : result.cells) {
        const auto bad = std::ranges::find_if(cell.rows, [](const gpu::SweepRow& row) {
            return row.status == gpu::Status::wrong || row.status == gpu::Status::failed;
        });
        if (bad == cell.rows.end()) continue;
        printError(fmt::format("sweep: {} at {}, {}x{}: {}: {}", bad->id, gpu::placeOf(result, cell), cell.width,
                               cell.height, gpu::nameOf(bad->status), bad->reason));
        break;
    }
    return sweepStatusOf(result);
}

}  // namespace

Command addSweep(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "sweep", "Time the variants over parameters, tunables, size or type of pictures: who wins where");
    const auto options = std::make_shared<SweepOptions>(*command);
    command->add_option("FAMILY", options->family, "What to sweep: " + gpu::familyIds())->required()->type_name("");
    command
        ->add_option("--over", options->over,
                     "What is varied, once or twice: a tunable, a parameter, size or type, with its values, as in "
                     "block_width=8,16,32, radius=1:7, sigma=0.5:2:0.5, border=zero,wrap, size=512,1024x768; default: "
                     "the family's own parameter (radius) and size")
        ->type_name("ID=VALUES")
        ->expected(1, 2)
        ->allow_extra_args(false);
    command
        ->add_option("--radii", options->radii,
                     std::string("Values of the family's own parameter, without --over; default ") + kUsualRadii)
        ->type_name("LIST");
    command
        ->add_option("--sizes", options->sizes,
                     std::string("Sides of square pictures, or WxH, with commas between them; default ") + kUsualSizes +
                         "; with --over the one size of all pictures, default 2048")
        ->type_name("LIST");
    CLI::Option* type =
        command->add_option("--type", options->type, "Of the pictures' values: u8, u16 or f32; default f32")
            ->type_name("TYPE")
            ->check(CLI::IsMember({"u8", "u16", "f32"}));
    namesFile(command->add_option("--input", options->input, "Sweep on this picture instead of noise"))->excludes(type);
    command->add_option("--variants", options->variants,
                        "all, or names with commas between them; default all; tunables as in compare");
    takesKernels(*command, options->kernels);
    takesDevice(*command, options->device);
    takesSeconds(command->add_option("--budget", options->budget, "Seconds of timing, a run of a cell; default 0.5"),
                 0.001, 60);
    namesFile(
        command->add_option("--report", options->report,
                            std::string("Write the sweep after each cell; the name ends in ") + gpu::kSweepEndings));
    command->add_flag("--json", options->json, "Print the JSON document instead of text");
    return {command, [options](const std::stop_token& stop) { return sweep(*options, stop); }};
}

}  // namespace warplens::cli
