// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"

#include <filesystem>
#include <string>

namespace warplens::io {

/// A lock on a folder between programs, which the system takes back when a program is killed.
class FolderLock {
public:
    /// Throws Error(unwritable), which ends in `remedy`, when the folder cannot be opened.
    explicit FolderLock(const std::filesystem::path& folder, const std::string& remedy = {});
    /// Each waits up to five seconds for other programs and returns whether it has the lock. On a file system without
    /// such locks share() has it and own() has not.
    bool share() const;
    bool own() const;

private:
    bool take(int operation) const;
    UniqueFd m_folder;
};

}  // namespace warplens::io
