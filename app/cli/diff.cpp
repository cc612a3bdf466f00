// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/diff.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/print.hpp"

#include <memory>

namespace warplens::cli {

namespace {

struct DiffOptions {
    std::string a, b;
    bool json = false;
};

}  // namespace

Command addDiff(CLI::App& program) {
    CLI::App* command = program.add_subcommand("diff", "Two JSON reports: what became faster, slower, stayed the same");
    const auto options = std::make_shared<DiffOptions>();
    namesFile(command->add_option("A", options->a, "The report before")->required(), "A.json");
    namesFile(command->add_option("B", options->b, "The report after")->required(), "B.json");
    command->add_flag("--json", options->json, "Print JSON (resources/schema/diff.schema.json)");
    return {command, [options](const std::stop_token&) {
                const gpu::Report before = gpu::loadReport(options->a);
                const gpu::Diff found = gpu::diff(before, gpu::loadReport(options->b));
                options->json ? printJson(gpu::toJson(found)) : printText(gpu::toText(found));
                return static_cast<int>(kFine);
            }};
}

}  // namespace warplens::cli
