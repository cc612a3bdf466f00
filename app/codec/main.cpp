// SPDX-License-Identifier: Apache-2.0
#include "app/codec/serve.hpp"
#include "app/sandbox/sandbox.hpp"
#include "io/codecs/codec.hpp"

#include <cstdio>
#include <string_view>

/// Answers one request from Warplens on standard input and ends, or one after the other. Exit status: 0 when an answer
/// was given, be it a refusal; 2 for bad arguments; 4 when the request or the answer could not pass.
int main(int argc, char** argv) {
    const std::string_view argument = argc == 2 || argc == 3 ? argv[1] : "";
    if (argc == 3 && argument == "serve" && argv[2] == std::string_view("--repeatedly")) {
        return warplens::codec::serveRepeatedly();
    }
    if (argc == 2 && argument == "serve") return warplens::codec::serve();
    if (argument == "--sandbox-status") {
        std::fputs(warplens::sandbox::sandboxStatus().c_str(), stdout);
        return 0;
    }
    if (argument == "--formats") {
        for (const auto& codec : warplens::io::codecs::all()) {
            std::printf("%s\t%s\n", codec.id, codec.writes.empty() ? "read" : "read, write");
        }
        return 0;
    }
    if (argument == "--version") {
        std::puts("warplens-codec " WARPLENS_VERSION);
        return 0;
    }
    std::fputs(
        "warplens-codec: run by Warplens to read and write pictures; try --formats, --sandbox-status or --version\n",
        stderr);
    return 2;
}
