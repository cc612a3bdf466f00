// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/limits.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplens::codec {

/// The files beside `file` that its header names, if it is of a format with such headers. The header is read by a
/// process of its own in a sandbox with nothing but that file, for this one still may open every file. Call before
/// entering the sandbox. Throws io::Error for a file that cannot be opened.
std::vector<std::filesystem::path> filesNamedBy(const std::filesystem::path& file, const io::Limits& limits);

}  // namespace warplens::codec
