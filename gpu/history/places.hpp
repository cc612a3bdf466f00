// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/folder_lock.hpp"

#include <filesystem>
#include <string>

namespace warplens::gpu::history {

/// Where the user's history is: warplens/history.sqlite below XDG_DATA_HOME, or below ~/.local/share. Empty when
/// neither is known.
std::filesystem::path defaultFile();

/// Whether the environment lets comparisons be kept: WARPLENS_HISTORY is neither "off" nor "0".
bool enabled();

/// Keeps other programs from setting the history aside while it is open here (share), and from opening it while that
/// is done (own): a lock on its folder. Throws io::Error(unwritable) when the folder cannot be opened.
io::FolderLock lockOf(const std::filesystem::path& folder);

/// Creates an empty file that only its user may read, and its folder, where they are missing. Throws
/// io::Error(unwritable), also when the name belongs to something that is no regular file.
void createPrivately(const std::filesystem::path& file);

/// Renames a database with what belongs to it to "NAME.damaged-20261123T081500Z"; returns the new path. Throws
/// io::Error(unwritable).
std::filesystem::path setAside(const std::filesystem::path& file);

}  // namespace warplens::gpu::history
