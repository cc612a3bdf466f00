// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace warplens::io {

/// True for the beginning of a DICOM file: at least 132 bytes, DICM at 128.
bool isDicomHead(std::span<const std::byte> head);

/// The plain DICOM files right in a folder, by name; hidden ones and links left out, 20,000 at most. Throws
/// Error(unreadable) for a folder that cannot be listed, Error(limit) for more.
std::vector<std::string> dicomFilesIn(const std::filesystem::path& folder);

/// True for a folder whose plain files are all DICOM, notes (.txt .md .json .csv .html .xml) and hidden files aside,
/// and at least one is: it is one input, a volume. Any other folder is a batch of its files.
bool isDicomFolder(const std::filesystem::path& folder);

}  // namespace warplens::io
