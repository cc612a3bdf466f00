// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/interrupt.hpp"
#include "gpu/device/specialisation_mode.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using namespace warplens::cli;

int run(int argc, char** argv) {
    CLI::App program{"Warplens: compare the variants of a CUDA kernel on your own picture."};
    program.name("warplens-cli");
    program.set_version_flag("--version", std::string("warplens-cli ") + WARPLENS_VERSION);
    program.require_subcommand(1);
    program.footer(
        "Exit status: 0 fine; 1 a kernel variant failed verification; 2 bad arguments; 3 unreadable or unwritable "
        "file;\n"
        "4 device missing, out of memory or failed; 130 interrupted.");
    const std::vector<Command> commands{
        addInfo(program),    addDevices(program),  addList(program),     addRun(program),
        addCompare(program), addBench(program),    addTune(program),     addExplain(program),
        addSweep(program),   addDiff(program),     addHistory(program),  addMovement(program),
        addKernel(program),  addExercise(program), addAssembly(program), addFilm(program)};
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& wanted) {
        return program.exit(wanted);  // --help and --version
    } catch (const CLI::ParseError& error) {
        std::string help = "warplens-cli";
        for (const Command& command : commands) {
            if (command.app->parsed()) help += " " + command.app->get_name();
        }
        printError(std::string(error.what()) + "; see " + help + " --help");
        return kArguments;
    }
    if (const std::string problem = warplens::gpu::specialisingProblem(); !problem.empty()) {
        printError(problem);
        return kArguments;
    }
    const Interrupt interrupt;
    for (const Command& command : commands) {
        if (command.app->parsed()) return command.run(interrupt.token());
    }
    return kArguments;
}

std::terminate_handler endOtherwise = nullptr;

/// The JSON library allocates while it destroys, so that where memory is short it throws what nothing can catch.
[[noreturn]] void endWithoutMemory() {
    try {
        if (const std::exception_ptr failure = std::current_exception()) std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        constexpr std::string_view kText =
            "warplens-cli: not enough memory: use a smaller picture or close other programs\n";
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
        std::_Exit(kDevice);
    } catch (...) {  // for the one below, which says what it was
        endOtherwise();
    }
    std::abort();
}

}  // namespace

int main(int argc, char** argv) {
    endOtherwise = std::set_terminate(&endWithoutMemory);
    // A file over the limit (ulimit -f) is an error of its write, with a sentence, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    int status = kFine;
    try {
        status = run(argc, argv);
    } catch (...) {
        status = report(std::current_exception());
    }
    std::cout.flush();
    if (!std::cout && status != kInterrupted) {
        printError("standard output cannot be written; is the disk full?");
        status = std::max<int>(status, kFile);
    }
    return status;
}
