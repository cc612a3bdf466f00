// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/list_tables.hpp"
#include "app/cli/print.hpp"

#include <fmt/format.h>
#include <iostream>
#include <memory>

namespace warplens::cli {

namespace {

struct ListOptions {
    std::string what, family;
    bool json = false;
    bool markdown = false;
};

}  // namespace

Command addList(CLI::App& program) {
    CLI::App* command = program.add_subcommand("list", fmt::format("What there is: {}", fmt::join(listNames(), ", ")));
    const auto options = std::make_shared<ListOptions>();
    command->add_option("WHAT", options->what, "What to list")->required()->check(CLI::IsMember(listNames()));
    command
        ->add_option("FAMILY", options->family,
                     "Of variants and parameters: those of this family alone; default: of all")
        ->type_name("");
    CLI::Option* json = command->add_flag("--json", options->json, "Print JSON (resources/schema/list.schema.json)");
    command->add_flag("--markdown", options->markdown, "Print a Markdown table")->excludes(json);
    return {command, [options](const std::stop_token&) {
                const ListFormat format = options->json       ? ListFormat::json
                                          : options->markdown ? ListFormat::markdown
                                                              : ListFormat::text;
                std::cout << listOf(options->what, options->family, format, terminalWidth());
                return static_cast<int>(kFine);
            }};
}

}  // namespace warplens::cli
