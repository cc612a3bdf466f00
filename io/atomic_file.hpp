// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace warplens::io {

/// A file being written in the folder of its final name, a symbolic link being followed. commit() syncs it and renames
/// it into place; without commit nothing is left and the old file, if any, stays as it was. Where the file system can,
/// the file has no name before commit(), so that not even a killed process leaves one; what one left elsewhere, or in
/// the middle of commit(), goes when the next process writes to the folder.
class AtomicFile {
public:
    /// Throws Error(unwritable) when the folder does not take a new file, or the path names something that is no
    /// regular file: a folder, FIFO, socket or device is neither replaced nor written to.
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
    void checkReplaceable() const;
    /// Calls make(name), which returns -1 and sets errno when it fails, with unused names in the folder of the file.
    template <class Make>
    int makeTemporary(Make make);

    std::filesystem::path m_path;
    std::string m_temporary;  ///< empty while the file has no name
    UniqueFd m_fd;
};

}  // namespace warplens::io
