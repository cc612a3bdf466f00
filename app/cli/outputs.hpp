// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/result.hpp"
#include "io/write.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplens::cli {

/// The extension for a result: .csv for tables, and where one was asked for by its id; for a picture the one that fits
/// `input` and the type.
std::string extensionFor(const std::string& input, const gpu::Result& result, const std::string& table);
/// The extension for a result of `grid` computed from `input`, where the user named only a folder: the input's own if
/// it can be written and holds the type, else .png for integers and .tif for f32, .nrrd for volumes; .npy for generated
/// and NPY inputs and where no codec is installed.
std::string extensionFor(const std::string& input, const io::Grid& grid);

/// Why extensionFor(input, grid) is not the input's own, in words without an end: "PNG does not hold f32: written as
/// .tif"; empty where it is, or where the input has none.
std::string otherFormat(const std::string& input, const io::Grid& grid);

/// The extensions of which the family's result from `input` may have one, before there is a result.
std::vector<std::string> extensionsFor(const std::string& input, const gpu::Family& family, const std::string& table);

/// Creates the folder if need be. Throws io::Error(unwritable).
void makeFolder(const std::filesystem::path& folder);

/// Throws io::Error(unwritable) when the folder that `path` is to lie in is none or takes no files, so that nobody
/// computes for minutes to hear of it.
void checkFolderOf(const std::filesystem::path& path);
/// The same for the name of a family's result, whose ending must be one that this is written in. Throws ArgumentError
/// and io::Error(unsupported) too.
void checkResultName(const std::filesystem::path& path, const gpu::Family& family, const std::string& table);

/// Writes a picture by io::write(). Where there is none, or where the family always makes a picture and the name ends
/// in .csv, the first table is written whole, as CSV or as a structured NPY array; `table` names another one. Counts
/// are CSV with a row a bin: low,high,CHANNEL,..., and below, above, nan in rows of their own. Of labels the table
/// "measures" is made when it is asked for, of what they say of the picture `measured`, which may be null or of other
/// extents: then of shapes alone. With `unitHeads` heads in CSV name units (gpu::withUnitHeads), but those of counts. A
/// name of labels that ends in .zip takes their outlines, as ImageJ's RoiSet. Throws io::Error, and ArgumentError for a
/// table that there is not.
void writeResult(const gpu::Result& result, const gpu::Family& family, const std::filesystem::path& path,
                 const std::string& table, bool unitHeads, const io::Grid* measured,
                 const io::WriteOptions& options = {});

}  // namespace warplens::cli
