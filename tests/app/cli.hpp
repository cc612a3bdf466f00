// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/program.hpp"

#include <map>
#include <string>
#include <vector>

namespace warplens::test {

/// Runs warplens-cli with these arguments.
Outcome cli(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment = {});

/// The arguments as a command line of warplens-cli.
std::vector<std::string> cliCommand(std::vector<std::string> arguments);

/// Whether `err` is what an error has to be: one line with our name, a message and nothing else.
bool isOneLine(const std::string& err);

/// Whether warplens-codec stands where the program looks for it.
bool haveCodec();

}  // namespace warplens::test
