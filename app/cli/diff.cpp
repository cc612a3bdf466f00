// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/diff.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"

#include <iostream>
#include <memory>

namespace warplens::cli {

namespace {

struct Options {
    std::string a, b;
    bool json = false;
};

}  // namespace

Command addDiff(CLI::App& program) {
    CLI::App* command = program.add_subcommand("diff", "Two JSON reports: what became faster, slower, stayed the same");
    const auto options = std::make_shared<Options>();
    command->add_option("A", options->a, "The report before")->required()->type_name("A.json");
    command->add_option("B", options->b, "The report after")->required()->type_name("B.json");
    command->add_flag("--json", options->json, "Print JSON (resources/schema/diff.schema.json)");
    return {command, [options](const std::stop_token&) {
                const gpu::Report before = gpu::loadReport(options->a);
                const gpu::Diff found = gpu::diff(before, gpu::loadReport(options->b));
                std::cout << (options->json ? gpu::toJson(found) : gpu::toText(found));
                return static_cast<int>(kFine);
            }};
}

}  // namespace warplens::cli
