// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warplens::cli {

/// An option that names a file or a folder: an empty name is refused, as it is a script's unset variable.
CLI::Option* namesFile(CLI::Option* option, const char* type = "FILE");

/// --device: where kernels run. One device, or a list that deviceIds() takes apart where the command shares its work
/// between several.
CLI::Option* takesDevice(CLI::App& command, std::string& device, bool several = false);

/// An option that takes seconds within this range.
CLI::Option* takesSeconds(CLI::Option* option, double least, double most);

}  // namespace warplens::cli
