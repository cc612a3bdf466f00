// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>

namespace warplens::io {

/// What tells that a file was changed while somebody worked on it.
struct FileVersion {
    std::filesystem::file_time_type changed{};
    std::uintmax_t bytes = 0;

    bool operator==(const FileVersion&) const = default;
};

/// Absent where there is no such file; a folder changes when results are written into it.
inline std::optional<FileVersion> versionOf(const std::filesystem::path& path) {
    std::error_code noTime, noFile;
    const FileVersion version{.changed = std::filesystem::last_write_time(path, noTime),
                              .bytes = std::filesystem::file_size(path, noFile)};
    return noTime || noFile ? std::nullopt : std::optional(version);
}

}  // namespace warplens::io
