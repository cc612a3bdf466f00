// SPDX-License-Identifier: Apache-2.0
#include "app/worker/serve.hpp"

#include <cstdio>
#include <string_view>

/// Compiles and runs one kernel of the user's and ends. Exit status: 0 when an answer was given, be it a refusal; 2 for
/// bad arguments; 4 when the request or the answer could not pass.
int main(int argc, char** argv) {
    const std::string_view argument = argc == 2 || argc == 3 ? argv[1] : "";
    if (argument == "serve") return warplens::worker::serve(argc == 3 ? argv[2] : "");
    if (argument == "--version") {
        std::puts("warplens-worker " WARPLENS_VERSION);
        return 0;
    }
    std::fputs("warplens-worker: run by Warplens for kernels of yours; try warplens-cli run --kernel, or --version\n",
               stderr);
    return 2;
}
