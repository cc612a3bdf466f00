// SPDX-License-Identifier: Apache-2.0
#include "app/cli/call_files.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/print.hpp"
#include "app/cli/resources.hpp"
#include "app/trace/client.hpp"
#include "app/worker/client.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/user/shipped.hpp"
#include "io/file.hpp"
#include "io/generate.hpp"
#include "io/text.hpp"

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warplens::cli {

namespace {

using gpu::user::Instruction;
using gpu::user::InstructionKind;
using Json = nlohmann::ordered_json;

struct AssemblyOptions {
    explicit AssemblyOptions(CLI::App& command) : parameters(command) {}
    std::string family, kernel, variant, against, instance, language = "auto", type = "f32";
    double capability = 9.0;
    bool json = false;
    FamilyOptions parameters;
};

/// Kernels that a variant launches for the task on a small picture, as the trace names them.
std::vector<std::string> kernelsOf(const AssemblyOptions& given, const gpu::Variant& variant,
                                   const std::stop_token& stop) {
    constexpr std::int64_t kLittle = 4096;
    gpu::Request request;
    request.family = given.family;
    request.parameters = given.parameters.valuesFor(gpu::familyOf(given.family));
    request.inputName = "gen:noise:64x64:" + given.type;
    request.input = std::make_shared<const io::Grid>(io::generate(request.inputName));
    request.variants = {variant.id};
    const gpu::Comparison counted = TraceProgram(kLittle).explain(request, stop, {});
    if (counted.interrupted || counted.runs.empty()) throw gpu::Error(gpu::Error::Kind::cancelled, "stopped");
    const gpu::RunRecord& run = counted.runs.front();
    if (!run.counters) throw gpu::Error(gpu::Error::Kind::unsupported, variant.id + ": " + run.reason);
    return gpu::user::launchedKernels(variant, *run.counters);
}

/// What is shown of a kernel.
struct Shown {
    const AssemblyOptions& given;
    std::string kernel{};  ///< its file, or of a variant of ours the instance
    gpu::user::Listings all{};
    std::optional<gpu::user::Listings> against{};  ///< of the variant that it is compared with
    std::string text{};                            ///< the source
    bool sass = false;

    const gpu::user::Listing& of(const gpu::user::Listings& both) const { return sass ? both.sass : both.ptx; }
    const gpu::user::Listing& listing() const { return of(all); }
    const char* language() const { return sass ? "SASS" : "PTX"; }
};

std::string rowOf(const Instruction& one, const char* sign = "") {
    return fmt::format(
        "{}{:>6}  {:<13} {:>4}  {:>5}  {}\n", sign, one.at, one.kind == InstructionKind::other ? "" : nameOf(one.kind),
        one.line > 0 ? std::to_string(one.line) : "", one.alive >= 0 ? std::to_string(one.alive) : "", one.text);
}

/// Both in one: what stands before it alone with a minus sign, what it has alone with a plus sign.
std::string differenceText(const gpu::user::Listing& before, const gpu::user::Listing& now) {
    std::string text = fmt::format(" {:>6}  {:<13} {:>4}  {:>5}  {}\n", "at", "what", "line", "alive", "instruction");
    for (const auto& [kind, old, fresh] : gpu::user::differenceOf(before, now)) {
        const bool same = kind == gpu::user::DifferenceRow::Kind::same;
        if (!same && old > 0) text += rowOf(before.instructions[static_cast<std::size_t>(old - 1)], "-");
        if (fresh > 0) text += rowOf(now.instructions[static_cast<std::size_t>(fresh - 1)], same ? " " : "+");
    }
    text += fmt::format("\nThe whole kernel\n{:>6}  {:>6}\n", "before", "now");
    for (const auto& figure : gpu::user::figuresOf(before, now))
        text += fmt::format("{:>6}  {:>6}  {}\n", figure.before, figure.now, figure.name);
    return text;
}

std::string textOf(const Shown& shown) {
    const gpu::user::Listing& listing = shown.listing();
    std::string text =
        fmt::format("{} of {}{} for compute capability {:.1f}, by {}{}\n{}\n", shown.language(), shown.kernel,
                    shown.against ? " against " + shown.against->kernel : std::string(), shown.given.capability,
                    shown.all.compiler, shown.sass ? " and " + shown.all.disassembler : std::string(),
                    shown.sass && !shown.all.shipped.empty() ? shown.all.shipped + "\n" : std::string());
    if (shown.against) return text + differenceText(shown.of(*shown.against), listing);
    text += fmt::format("{:>6}  {:<13} {:>4}  {:>5}  {}\n", "at", "what", "line", "alive", "instruction");
    for (const Instruction& one : listing.instructions) text += rowOf(one);
    if (!shown.text.empty()) text += "\nOf each source line\n";
    int line = 0;
    for (const auto source : io::split(shown.text, '\n'))
        if (const auto count = listing.ofLine(++line).size(); count > 0)
            text += fmt::format("{:>6}  {:>4}  {}\n", count, line, source);
    text += "\nThe whole kernel\n";
    for (const auto& figure : gpu::user::figuresOf({}, listing))
        text += fmt::format("{:>6}  {}\n", figure.now, figure.name);
    return text + (shown.all.whyNoSass.empty() ? "" : "No SASS: " + shown.all.whyNoSass + "\n");
}

Json jsonOf(const Shown& shown) {
    const gpu::user::Listing& listing = shown.listing();
    Json counts = Json::object(), instructions = Json::array();
    const auto all = listing.counts();
    for (std::size_t i = 0; i < all.size(); ++i) counts[keyOf(static_cast<InstructionKind>(i))] = all[i];
    for (const Instruction& one : listing.instructions)
        instructions.push_back({{"at", one.at},
                                {"text", one.text},
                                {"kind", keyOf(one.kind)},
                                {"line", one.line > 0 ? Json(one.line) : Json(nullptr)},
                                {"alive", one.alive >= 0 ? Json(one.alive) : Json(nullptr)}});
    return {{"warplens", WARPLENS_VERSION},
            {"family", shown.given.family},
            {"kernel", shown.kernel},
            {"language", shown.sass ? "sass" : "ptx"},
            {"compute_capability", fmt::format("{:.1f}", shown.given.capability)},
            {"compiler", shown.all.compiler},
            {"disassembler", shown.sass ? Json(shown.all.disassembler) : Json(nullptr)},
            {"shipped", shown.all.shipped.empty() ? Json(nullptr) : Json(shown.all.shipped)},
            {"why_no_sass", shown.all.whyNoSass.empty() ? Json(nullptr) : Json(shown.all.whyNoSass)},
            {"counts", counts},
            {"alive_most", listing.mostAlive() >= 0 ? Json(listing.mostAlive()) : Json(nullptr)},
            {"instructions", instructions}};
}

/// The instances to look for: the one that was asked for, or those that the variant launches.
std::vector<std::string> instancesOf(const AssemblyOptions& given, const gpu::Variant& variant,
                                     const std::stop_token& stop) {
    if (given.instance.empty()) return kernelsOf(given, variant, stop);
    if (given.instance.find('<') != std::string::npos) return {given.instance};
    return {variant.id + "<" + given.instance + ">"};
}

/// Made here, or shipped where nothing makes it.
gpu::user::Listings listingsOf(const AssemblyOptions& given, const std::string& id, int capability,
                               const std::stop_token& stop) {
    const gpu::Variant& variant = gpu::variantOf(gpu::familyOf(given.family), id);
    const auto make =
        gpu::user::withShipped([](const auto& one, const auto& kernels, int of,
                                  const std::stop_token& until) { return worker::listingsOf(one, kernels, of, until); },
                               resourceFolder() / "listings");
    return make(variant, instancesOf(given, variant, stop), capability, stop);
}

int printAssembly(const AssemblyOptions& given, const std::stop_token& stop) {
    const gpu::Family& family = gpu::familyOf(given.family);
    const int capability = static_cast<int>(std::lround(10 * given.capability));
    if (given.kernel.empty() == given.variant.empty())
        throw ArgumentError("assembly: give a --kernel of yours, or a --variant with its --instance");
    if (given.variant.empty() && !(given.instance + given.against).empty())
        throw ArgumentError("assembly: --instance and --against go with a --variant, as in naive and float,2");
    Shown shown{.given = given, .kernel = given.kernel};
    if (given.kernel.empty()) {
        shown.all = listingsOf(given, given.variant, capability, stop);
        shown.kernel = shown.all.kernel;
        if (!given.against.empty()) shown.against = listingsOf(given, given.against, capability, stop);
    } else {
        const auto kernel = worker::loadKernel(given.kernel);
        shown.text = kernel->source();
        shown.all = worker::listingsOf(
            worker::fileOfKernel(given.kernel), shown.text,
            {.family = given.family,
             .parameters = given.parameters.valuesFor(family),
             .tunables = kernel->chosen(),
             .input = std::make_shared<const io::Grid>(io::generate("gen:noise:64x64:" + given.type)),
             .capability = capability},
            stop);
        // Of a copy there are several.
        if (!shown.all.kernel.empty()) shown.kernel += ": " + shown.all.kernel;
    }
    shown.sass = given.language != "ptx" && shown.all.whyNoSass.empty();
    if (given.language == "sass" && !shown.sass) throw gpu::Error(gpu::Error::Kind::unsupported, shown.all.whyNoSass);
    if (shown.listing().empty()) throw gpu::Error(gpu::Error::Kind::unsupported, "no PTX: " + shown.all.shipped);
    given.json ? printJson(jsonOf(shown).dump(2) + "\n") : printText(textOf(shown));
    return kFine;
}

}  // namespace

Command addAssembly(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "assembly",
        "Show what NVRTC makes of a kernel, of yours or of ours, PTX and SASS, by the lines of its source; no GPU is "
        "needed");
    const auto options = std::make_shared<AssemblyOptions>(*command);
    command->add_option("FAMILY", options->family, "The family whose task it does (see list families)")
        ->required()
        ->type_name("");
    namesFile(command->add_option("--kernel", options->kernel, "The kernel; tunables may follow, each after an @"),
              "FILE.cuh");
    command
        ->add_option("--variant", options->variant,
                     "Instead of it: a variant of ours, with the instance that the task launches")
        ->type_name("NAME");
    command
        ->add_option("--against", options->against,
                     "Of the variant, how its listing differs from this variant's: registers and addresses make no "
                     "difference")
        ->type_name("NAME");
    command
        ->add_option("--instance", options->instance,
                     "Of the variant another instance: its template's arguments, as in float,2, or with the kernel's "
                     "name, as in naive<float,2>")
        ->type_name("LIST");
    command
        ->add_option("--listing", options->language,
                     "ptx; sass, which nvdisasm writes; or auto, SASS where nvdisasm is found; default auto")
        ->type_name("LANGUAGE")
        ->check(CLI::IsMember({"auto", "ptx", "sass"}));
    command->add_option("--capability", options->capability, "Compute capability of the GPU, as in 8.6; default 9.0")
        ->type_name("X.Y")
        ->check(CLI::Range(1.0, 99.9));
    command->add_option("--type", options->type, "Of the picture's values: u8, u16 or f32; default f32")
        ->type_name("TYPE")
        ->check(CLI::IsMember({"u8", "u16", "f32"}));
    command->add_flag("--json", options->json, "Print JSON (schema/assembly.schema.json) instead of text")
        ->excludes(command->get_option("--against"));
    return {command, [options](const std::stop_token& stop) { return printAssembly(*options, stop); }};
}

}  // namespace warplens::cli
