// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/tuning.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace warplens::gpu::tuning {

/// A table as JSON (resources/schema/tuning.schema.json).
std::string toJson(const TuningTable& table);

/// Reads a table back. Throws Error(argument) that begins with `where`.
TuningTable parseTable(const std::string& json, const std::string& where);
/// The same from a file. Throws io::Error(unreadable) as well.
TuningTable loadTable(const std::filesystem::path& file);

/// Where a user's measurements are kept: warplens/tuning below XDG_CACHE_HOME, or below ~/.cache. Empty when neither is
/// known.
std::filesystem::path cacheFolder();

/// The cache's key and file: a device by name, its driver (of the CPU device the processor), and this program's
/// version.
TuningTable emptyCache(const DeviceInfo& device, const Environment& environment);
std::filesystem::path cacheFile(const std::filesystem::path& folder, const TuningTable& table);

/// Changes the file of `fresh`'s key in the folder, which is made where it is missing: reads what is there, or begins
/// with `fresh`, lets `change` at it and writes it again, so that no other program's change in between is lost. What is
/// there and cannot be used is told to `warn` and begun anew. Returns the file. Throws io::Error(unwritable).
std::filesystem::path update(const std::filesystem::path& folder, const TuningTable& fresh,
                             const std::function<void(TuningTable&)>& change,
                             const std::function<void(const std::string&)>& warn = {});

/// Shipped tables of `shippedFolder` (each *.json), and from `cache` what was measured with these drivers and this
/// version; other versions' files are left alone. Files that cannot be read are told in problems() and cost themselves
/// alone. What `auto` measures is kept in `cache`, unless that is empty. Never throws for a file.
std::shared_ptr<const Tuning> load(const std::filesystem::path& shippedFolder, const std::filesystem::path& cache);

}  // namespace warplens::gpu::tuning
