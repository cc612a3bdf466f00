// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace warplens::io {

/// A file being written beside its final name. commit() syncs it and renames it into place; without commit the
/// temporary file is removed and the old file, if any, stays as it was.
class AtomicFile {
public:
    /// Throws Error(unwritable) when the folder does not take a new file.
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends. Throws Error(unwritable), for a full disk for example.
    void write(std::span<const std::byte> bytes);
    /// Makes it the file at `path`. Throws Error(unwritable). Call once.
    void commit();

private:
    [[noreturn]] void fail(const std::string& what, int error) const;

    std::filesystem::path m_path;
    std::string m_temporary;
    UniqueFd m_fd;
};

}  // namespace warplens::io
