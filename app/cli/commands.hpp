// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <stop_token>

namespace warplens::cli {

/// A subcommand: what CLI11 parses, and what runs afterwards and gives the exit status. Both live until the program
/// ends.
struct Command {
    CLI::App* app;
    std::function<int(std::stop_token)> run;
};

Command addInfo(CLI::App& program);
Command addDevices(CLI::App& program);
Command addList(CLI::App& program);
Command addRun(CLI::App& program);
Command addCompare(CLI::App& program);
Command addBench(CLI::App& program);
Command addTune(CLI::App& program);
Command addExplain(CLI::App& program);
Command addFilm(CLI::App& program);
Command addSweep(CLI::App& program);
Command addDiff(CLI::App& program);
Command addHistory(CLI::App& program);
Command addMovement(CLI::App& program);
Command addKernel(CLI::App& program);
Command addExercise(CLI::App& program);
Command addAssembly(CLI::App& program);

}  // namespace warplens::cli
