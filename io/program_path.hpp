// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace warplens::io {

/// The running program's own file: what `link` leads to; where that cannot be read (a sandbox without /proc), the name
/// that it was started by, looked up when the process began. Empty when neither is known.
std::filesystem::path programFile(const char* link = "/proc/self/exe");

/// A program of ours to run: what the environment variable says when it is set, else beside the running program, in
/// ../libexec/warplens, on PATH. Empty when there is none.
std::filesystem::path findProgram(const std::string& name, const char* variable);

}  // namespace warplens::io
