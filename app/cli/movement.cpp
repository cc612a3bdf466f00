// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/movement.hpp"

#include "app/cli/call_files.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/resources.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/transfer_benchmark.hpp"
#include "io/text.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <memory>

namespace warplens::cli {

namespace {

struct MovementOptions {
    explicit MovementOptions(CLI::App& command) : choices(command), family(command) {}
    std::vector<std::string> positionals;
    std::string device, variant = gpu::kAuto, ways = "all", timeline;
    int pictures = 16, samples = 5;
    bool json = false;
    ReadChoices choices;
    FamilyOptions family;
};

/// The worst that befell a way; one that cannot be on this device is no error.
int movementStatusOf(const gpu::TransferBenchmark& movement) {
    int status = movement.verification.mismatches > 0 ? kWrong : kFine;
    for (const gpu::MovementRow& row : movement.rows) {
        if (row.status == gpu::Status::wrong) status = std::max<int>(status, kWrong);
        if (row.status == gpu::Status::failed) status = std::max<int>(status, kDevice);
    }
    return status;
}

gpu::MovementRequest requestOf(const MovementOptions& options, const gpu::Family& family, const std::stop_token& stop) {
    gpu::MovementRequest request;
    request.inputName = options.positionals.front();
    request.family = family.id();
    request.parameters = options.family.valuesFor(family, options.choices);
    request.variant = options.variant;
    request.pictures = static_cast<std::size_t>(options.pictures);
    request.samples = options.samples;
    if (options.ways != "all")
        for (const std::string_view id : io::split(options.ways, ',')) request.ways.emplace_back(id);
    request.input = std::make_shared<const io::Grid>(options.choices.read(options.positionals.front(), stop));
    return request;
}

int measureWays(const MovementOptions& options, const std::stop_token& stop) {
    if (options.positionals.size() != 2)
        throw ArgumentError("movement: give an INPUT and a FAMILY, as in: movement photo.png convolution --radius 4");
    const gpu::Family& family = gpu::familyOf(options.positionals.back());
    if (options.variant != gpu::kAuto) gpu::parseRunSpec(family, options.variant);
    CallFiles files;
    files.reads(options.positionals.front());
    options.family.addFiles(family, files);
    if (!options.timeline.empty()) {
        files.writes("--timeline", options.timeline);
        checkFolderOf(options.timeline);
    }
    const gpu::MovementRequest request = requestOf(options, family, stop);
    const auto device = gpu::openDevice(options.device);
    const auto tuning = loadTuning();
    gpu::TransferBenchmark movement;
    {
        Progress progress("movement");
        movement = gpu::measureMovement(request, *tuning, *device, stop, [&](double fraction, const std::string& what) {
            progress.show(fraction, what);
        });
    }
    if (options.json)
        printJson(gpu::toJson(movement));
    else
        printText(gpu::movementText(movement));
    if (const auto timelines = gpu::timelinesOf(movement); !options.timeline.empty() && !timelines.empty())
        io::writeFileAtomically(options.timeline, gpu::toChromeTrace(timelines));
    if (movement.verification.mismatches > 0)
        printError(movement.variant + ": values are wrong, the first at " + movement.verification.firstMismatch);
    if (movement.interrupted) {
        printError("interrupted after " + std::to_string(movement.rows.size()) + " ways");
        return kInterrupted;
    }
    return movementStatusOf(movement);
}

}  // namespace

Command addMovement(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "movement",
        "Compare ways to move pictures through a kernel: pinned memory, overlapped streams, graphs, zero-copy");
    const auto options = std::make_shared<MovementOptions>(*command);
    command
        ->add_option("INPUT FAMILY", options->positionals,
                     "One picture, used for all of them, then the family (see list families)")
        ->required()
        ->type_name("");
    takesDevice(*command, options->device);
    command->add_option("--variant", options->variant, "Which variant; default auto; tunables as in compare");
    std::string ways;
    for (const gpu::TransferStrategy& way : gpu::movementWays()) ways += (ways.empty() ? "" : ", ") + way.id;
    command->add_option("--ways", options->ways, "all, or names with commas between them: " + ways)->type_name("NAMES");
    command->add_option("--pictures", options->pictures, "How many pictures; default 16")
        ->check(CLI::Range(1, 100000))
        ->type_name("N");
    command
        ->add_option("--samples", options->samples,
                     "Timed runs per way after one warm-up, for 5 seconds at most; default 5")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    namesFile(command->add_option("--timeline", options->timeline,
                                  "Write what each engine did when, way by way, as trace events for Perfetto and the "
                                  "page Timeline (.json)"));
    command->add_flag("--json", options->json, "Print the comparison as JSON (resources/schema/movement.schema.json)");
    return {command, [options](const std::stop_token& stop) { return measureWays(*options, stop); }};
}

}  // namespace warplens::cli
