// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace warplens::io {

/// A program of ours to run: what the environment variable says when it is set, else beside the running program, in
/// ../libexec/warplens, on PATH. Empty when there is none.
std::filesystem::path findProgram(const std::string& name, const char* variable);

}  // namespace warplens::io
