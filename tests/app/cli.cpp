// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli.hpp"

#include <algorithm>
#include <filesystem>

namespace warplens::test {

std::vector<std::string> cliCommand(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), WARPLENS_CLI);
    return arguments;
}

Outcome cli(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment) {
    // Not what the user has tuned.
    auto whole = environment;
    whole.emplace("XDG_CACHE_HOME", "/proc/nonexistent");
    return runProgram(cliCommand(std::move(arguments)), whole);
}

bool isOneLine(const std::string& err) {
    const std::string name = "warplens-cli: ";
    return err.size() > name.size() + 1 && err.rfind(name, 0) == 0 && err.back() == '\n' &&
           std::count(err.begin(), err.end(), '\n') == 1;
}

bool haveCodec() {
    return std::filesystem::exists(std::filesystem::path(WARPLENS_CLI).parent_path() / "warplens-codec");
}

}  // namespace warplens::test
