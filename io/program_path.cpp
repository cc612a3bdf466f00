// SPDX-License-Identifier: Apache-2.0
#include "io/program_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <sys/auxv.h>
#include <system_error>
#include <unistd.h>

namespace warplens::io {
namespace {

bool executable(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// The name that the kernel was given when this process began, as a path that does not depend on the folder we are in.
std::filesystem::path nameAtStart() {
    const auto name = ::getauxval(AT_EXECFN);
    if (name == 0) return {};
    std::error_code error;
    auto path = std::filesystem::canonical(reinterpret_cast<const char*>(name), error);
    return error ? std::filesystem::path() : path;
}

const std::filesystem::path kNameAtStart = nameAtStart();

}  // namespace

std::filesystem::path programFile(const char* link) {
    std::error_code error;
    auto self = std::filesystem::read_symlink(link, error);
    return error ? kNameAtStart : self;
}

std::filesystem::path findProgram(const std::string& name, const char* variable) {
    if (const char* chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0') {
        return executable(chosen) ? chosen : "";
    }
    if (const auto self = programFile(); !self.empty()) {
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
