// SPDX-License-Identifier: Apache-2.0
#include "io/program_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace warplens::io {
namespace {

bool executable(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::filesystem::path findProgram(const std::string& name, const char* variable) {
    if (const char* chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0') {
        return executable(chosen) ? chosen : "";
    }
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const auto folder = self.parent_path();
        for (const auto& candidate : {folder / name, folder / "../libexec/warplens" / name}) {
            if (executable(candidate)) return candidate;
        }
    }
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        // An empty entry would mean the current folder, which is not a place to run programs from.
        if (end > 0) {
            auto candidate = std::filesystem::path(rest.substr(0, end)) / name;
            if (executable(candidate)) return candidate;
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

}  // namespace warplens::io
