// SPDX-License-Identifier: Apache-2.0
#include "app/trace/serve.hpp"

#include <cstdio>
#include <string_view>

/// Answers one request from Warplens on standard input and ends. Exit status: 0 when an answer was given, be it a
/// refusal; 2 for bad arguments; 4 when the request or the answer could not pass.
int main(int argc, char** argv) {
    const std::string_view argument = argc == 2 ? argv[1] : "";
    if (argument == "serve") return warplens::trace_program::serve();
    if (argument == "--version") {
        std::puts("warplens-trace " WARPLENS_VERSION);
        return 0;
    }
    std::fputs("warplens-trace: run by Warplens to count what kernels do; try warplens-cli explain, or --version\n",
               stderr);
    return 2;
}
