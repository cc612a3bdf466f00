// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "app/cli/print.hpp"
#include "app/worker/client.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/user/starting_file.hpp"
#include "io/generate.hpp"

#include <memory>
#include <string>

namespace warplens::cli {

namespace {

struct KernelOptions {
    explicit KernelOptions(CLI::App& command) : options(command) {}
    std::string family;
    std::string type = "u8", from;
    bool copy = false;
    FamilyOptions options;
};

int printStartingFile(const KernelOptions& given) {
    const gpu::Family& family = gpu::familyOf(given.family);
    if (!given.from.empty()) {
        printText(worker::copyOfVariant(family, gpu::variantOf(family, given.from)));
        return kFine;
    }
    const gpu::ParameterValues values = given.options.valuesFor(family);
    // Any picture of the type will do: results of integers are rounded.
    const auto picture = std::make_shared<const io::Grid>(io::generate("gen:noise:64x64:" + given.type));
    const auto problem = family.pose(picture, values);
    printText(gpu::user::startingFile(family, *problem, values,
                                      given.copy ? gpu::user::Start::copy : gpu::user::Start::plain));
    return kFine;
}

}  // namespace

Command addKernel(CLI::App& program) {
    CLI::App* command = program.add_subcommand(
        "kernel", "Print a file to begin a kernel of yours with, for run and compare --kernel, and the page Kernel");
    const auto options = std::make_shared<KernelOptions>(*command);
    command->add_option("FAMILY", options->family, "The family whose task it is to do (see list families)")
        ->required()
        ->type_name("");
    command
        ->add_option("--type", options->type,
                     "Of the picture's values, by which results are rounded or not; default u8")
        ->check(CLI::IsMember({"u8", "u16", "f32"}))
        ->type_name("");
    CLI::Option* copies =
        command->add_flag("--copy", options->copy, "A kernel that copies its input, with everything left to do");
    command
        ->add_option("--from", options->from, "A copy of this variant's own file, in the full form (see list variants)")
        ->type_name("VARIANT")
        ->excludes(copies);
    return {command, [options](const std::stop_token&) { return printStartingFile(*options); }};
}

}  // namespace warplens::cli
