// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/film.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/request_options.hpp"
#include "app/trace/client.hpp"
#include "app/worker/client.hpp"
#include "gpu/core/registry.hpp"
#include "io/file.hpp"
#include "io/text.hpp"

#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warplens::cli {

namespace {

using Json = nlohmann::ordered_json;

struct FilmOptions {
    explicit FilmOptions(CLI::App& command) : choices(command), family(command) {}
    std::vector<std::string> positionals, kernels;
    std::string variant, kernel, block, pixel, output;
    int launch = 0;
    bool json = false;
    ReadChoices choices;
    FamilyOptions family;
};

/// "3,5" or "3,5,1"; what is left out is 0.
std::array<std::int64_t, 3> threeOf(const std::string& option, const std::string& text) {
    std::array<std::int64_t, 3> three{};
    std::size_t at = 0;
    for (const std::string_view part : io::split(text, ',')) {
        const char* end = part.data() + part.size();
        const bool good = at < three.size() && !part.empty();
        if (good) {
            const auto [stopped, failure] = std::from_chars(part.data(), end, three[at]);
            if (failure == std::errc() && stopped == end && three[at] >= 0) {
                ++at;
                continue;
            }
        }
        throw ArgumentError(option + " " + text + ": give X,Y or X,Y,Z, whole numbers from 0");
    }
    return three;
}

gpu::FilmQuery queryOf(const FilmOptions& options) {
    gpu::FilmQuery query{.kernel = options.kernel, .launch = options.launch};
    if (!options.block.empty()) {
        const auto three = threeOf("--block", options.block);
        query.block = {static_cast<unsigned>(three[0]), static_cast<unsigned>(three[1]),
                       static_cast<unsigned>(three[2])};
    }
    if (!options.pixel.empty()) query.pixel = threeOf("--pixel", options.pixel);
    return query;
}

/// Of each step the phase that it is in.
std::vector<std::string> phaseOfSteps(const gpu::Film& film) {
    std::vector<std::string> names;
    for (const gpu::FilmPhase& phase : phasesOf(film))
        names.insert(names.end(), static_cast<std::size_t>(phase.count), nameOf(phase.kind));
    return names;
}

/// Empty where the compiler made the access, as it does of a loop that fills with zeros.
std::string placeOf(const gpu::WarpSite& site) {
    if (site.line == 0) return {};
    return site.file.substr(site.file.rfind('/') + 1) + ":" + std::to_string(site.line);
}

std::string phasesText(const gpu::Film& film) {
    std::string text = "Phases:";
    for (const gpu::FilmPhase& phase : phasesOf(film)) {
        text +=
            phase.kind == gpu::FilmPhaseKind::wait
                ? fmt::format(" | barrier at {} |", placeOf(film.barriers[static_cast<std::size_t>(phase.epoch)]))
                : fmt::format(" {} (steps {} to {})", nameOf(phase.kind), phase.first + 1, phase.first + phase.count);
    }
    return text + "\n";
}

std::string textOf(const gpu::Film& film) {
    const auto three = [](const auto& of, const char* between) {
        return fmt::format("{}{}{}{}{}", of[0], between, of[1], between, of[2]);
    };
    std::string text =
        fmt::format("{}, block ({}) of {}, {} threads in {} warps\n", film.kernel, three(film.index, ", "),
                    three(film.grid, " x "), three(film.block, " x "), film.warps());
    for (const gpu::FilmArray& array : film.arrays)
        text += fmt::format("Shared array {}: {} bytes, {} each\n", array.name, array.bytes, array.valueBytes);
    text += phasesText(film) + "A step is one warp and one request, in the order of the trace: no time.\n\n";
    const auto phases = phaseOfSteps(film);
    for (std::size_t i = 0; i < film.steps.size(); ++i) {
        const gpu::FilmStep& step = film.steps[i];
        const gpu::WarpSite& site = film.siteOf(step);
        const std::string cost = costOf(film, step);
        text += fmt::format("{:>5}  {:<17}  {:<15}  {:<24}  {}{}\n", i + 1, phases[i], accessOf(site), placeOf(site),
                            sentenceOf(film, step), cost.empty() ? "" : "; " + cost);
    }
    if (film.omittedSteps > 0) text += fmt::format("{} further steps are left out.\n", film.omittedSteps);
    return text;
}

Json stepJson(const gpu::Film& film, const gpu::FilmStep& step, const std::string& phase) {
    const gpu::WarpSite& site = film.siteOf(step);
    Json lanes = Json::array(), offsets = Json::array();
    for (std::uint32_t left = step.request.mask; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        lanes.push_back(lane);
        offsets.push_back(step.request.offset[static_cast<std::size_t>(lane)]);
    }
    Json json{{"warp", step.warp},
              {"phase", phase},
              {"barriers_passed", step.epoch},
              {"space", nameOf(site.space)},
              {"operation", nameOf(site.operation)},
              {"file", site.file},
              {"line", site.line},
              {"bytes", site.bytes},
              {"lanes", lanes},
              {"offsets", offsets}};
    if (step.array >= 0) json["array"] = step.array;
    if (step.request.buffer >= 0) json["buffer"] = step.request.buffer;
    if (film.onPicture(step)) {
        const std::int64_t plane = film.extent[0] * film.extent[1];
        Json pixels = Json::array();
        for (const std::int64_t value : valuesTouched(film, step))
            pixels.push_back(
                {value % film.extent[0], value / film.extent[0] % film.extent[1], value / plane % film.extent[2]});
        json["pixels"] = pixels;
    }
    json["sectors"] = step.request.count.sectors;
    json["wavefronts"] = step.request.count.wavefronts;
    json["worst"] = step.request.count.worst;
    if (!step.values.empty()) json["values"] = step.values;
    json["says"] = sentenceOf(film, step);
    json["costs"] = costOf(film, step);
    return json;
}

Json jsonOf(const FilmOptions& options, const gpu::Film& film) {
    Json arrays = Json::array(), barriers = Json::array(), phases = Json::array(), steps = Json::array();
    for (const gpu::FilmArray& array : film.arrays)
        arrays.push_back({{"name", array.name}, {"bytes", array.bytes}, {"value_bytes", array.valueBytes}});
    for (const gpu::WarpSite& barrier : film.barriers)
        barriers.push_back({{"file", barrier.file}, {"line", barrier.line}});
    for (const gpu::FilmPhase& phase : phasesOf(film))
        phases.push_back({{"kind", nameOf(phase.kind)}, {"first", phase.first}, {"steps", phase.count}});
    const auto names = phaseOfSteps(film);
    for (std::size_t i = 0; i < film.steps.size(); ++i) steps.push_back(stepJson(film, film.steps[i], names[i]));
    return {{"warplens", WARPLENS_VERSION},
            {"family", options.positionals.back()},
            {"variant", options.kernels.empty() ? options.variant : options.kernels.front()},
            {"kernel", film.kernel},
            {"launch", film.launch},
            {"grid", film.grid},
            {"block", film.block},
            {"index", film.index},
            {"warps", film.warps()},
            {"arrays", arrays},
            {"barriers", barriers},
            {"phases", phases},
            {"steps", steps},
            {"left_out", film.omittedSteps}};
}

int printFilm(const FilmOptions& options, const std::stop_token& stop) {
    if (options.positionals.size() != 2)
        throw ArgumentError(
            "film: give an INPUT and a FAMILY, as in: film photo.png convolution --variant tiled_output");
    const gpu::Family& family = gpu::familyOf(options.positionals.back());
    const gpu::FilmQuery query = queryOf(options);
    if (options.variant.empty() == options.kernels.empty() || options.kernels.size() > 1)
        throw ArgumentError("film: give --variant, or one --kernel");
    CallFiles files;
    files.reads(options.positionals.front());
    for (const std::string& kernel : options.kernels) files.readsFile(worker::fileOfKernel(kernel));
    options.family.addFiles(family, files);
    if (!options.output.empty()) {
        files.writes("--output", options.output);
        checkFolderOf(options.output);
    }
    gpu::Request request;
    request.family = family.id();
    request.parameters = options.family.valuesFor(family, options.choices);
    request.kernels = loadKernels(options.kernels, request.family);
    if (request.kernels.empty()) request.variants = {gpu::parseRunSpec(family, options.variant).id()};
    request.inputName = options.positionals.front();
    request.input = std::make_shared<const io::Grid>(options.choices.read(request.inputName, stop));
    const gpu::Film film = TraceProgram().film(request, query, stop);
    const bool json = options.json || options.output.ends_with(".json");
    const std::string text = json ? jsonOf(options, film).dump() + "\n" : textOf(film);
    if (!options.output.empty())
        io::writeFileAtomically(options.output, text);
    else
        json ? printJson(text) : printText(text);
    return kFine;
}

}  // namespace

Command addFilm(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "film", "Show what one block of a variant does, request by request of each of its warps, with its barriers");
    const auto options = std::make_shared<FilmOptions>(*command);
    command->add_option("INPUT FAMILY", options->positionals, "One picture, then the family (see list families)")
        ->required()
        ->type_name("");
    CLI::Option* variant = command->add_option("--variant", options->variant, "Which variant; tunables as in compare");
    variant->type_name("NAME");
    takesKernels(*command, options->kernels);
    command->get_option("--kernel")->excludes(variant);
    CLI::Option* block =
        command->add_option("--block", options->block, "The block, by its index in the grid; default: the middle one");
    block->type_name("X,Y[,Z]");
    command->add_option("--pixel", options->pixel, "Instead of it: the block that has to do with this pixel")
        ->type_name("X,Y[,Z]")
        ->excludes(block);
    command
        ->add_option("--launched", options->kernel,
                     "Which of the kernels that the variant launches, as explain names it; default: the first")
        ->type_name("KERNEL");
    command->add_option("--launch", options->launch, "Which launch of that kernel, from 0; default 0")
        ->type_name("N")
        ->check(CLI::Range(0, 1000000));
    namesFile(command->add_option("-o,--output", options->output,
                                  "Write it to this file instead, as JSON where the name ends in .json"));
    command->add_flag("--json", options->json, "Print JSON (schema/film.schema.json) instead of text");
    return {command, [options](const std::stop_token& stop) { return printFilm(*options, stop); }};
}

}  // namespace warplens::cli
