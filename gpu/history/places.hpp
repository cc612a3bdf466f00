// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"

#include <filesystem>
#include <string>

namespace warplens::gpu::history {

/// Where the user's history is: warplens/history.sqlite below XDG_DATA_HOME, or below ~/.local/share. Empty when
/// neither is known.
std::filesystem::path defaultFile();

/// Whether the environment lets comparisons be kept: WARPLENS_HISTORY is neither "off" nor "0".
bool enabled();

/// Keeps other programs from setting the history aside while it is open here, and from opening it while that is done:
/// a lock on its folder, which the system takes back when a program is killed.
class FolderLock {
public:
    /// Throws io::Error(unwritable) when the folder cannot be opened.
    explicit FolderLock(const std::filesystem::path& folder);
    /// Each waits up to five seconds for other programs and returns whether it has the lock.
    bool share() const;
    bool own() const;

private:
    bool take(int operation) const;
    io::UniqueFd m_folder;
};

/// Creates an empty file that only its user may read, and its folder, where they are missing. Throws
/// io::Error(unwritable), also when the name belongs to something that is no regular file.
void createPrivately(const std::filesystem::path& file);

/// Renames a database with what belongs to it to "NAME.damaged-20261123T081500Z"; returns the new path. Throws
/// io::Error(unwritable).
std::filesystem::path setAside(const std::filesystem::path& file);

}  // namespace warplens::gpu::history
