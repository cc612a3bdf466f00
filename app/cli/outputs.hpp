// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplens::cli {

/// The extension for a result of `grid` computed from `input`, where the user named only a folder: the input's own if
/// it can be written and holds the type, else .png for integers and .tif for f32; .npy for generated and NPY inputs,
/// for volumes and where no codec is installed.
std::string extensionFor(const std::string& input, const io::Grid& grid);

/// Creates the folder if need be. Throws io::Error(unwritable).
void makeFolder(const std::filesystem::path& folder);

/// io::write(), but never over any of the inputs, whether read already or still to come. Throws ArgumentError or io::Error.
void writeResult(const io::Grid& grid, const std::filesystem::path& path, const std::vector<std::string>& inputs);

}  // namespace warplens::cli
