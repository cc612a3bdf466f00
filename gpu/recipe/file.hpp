// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"

#include <filesystem>
#include <string>

namespace warplens::gpu::recipe {

/// The version of resources/schema/recipe.schema.json that is read and written.
inline constexpr int kSchema = 1;

/// The recipe as JSON, on one line or for people. Files that steps name become relative to `folder` where they lie
/// below or beside it; empty: they stay as they are. Throws Error(argument) for a step that holds a picture of no file.
std::string toJson(const Recipe& recipe, const std::filesystem::path& folder, bool oneLine = false);

/// Reads what toJson() writes, strictly, and checks it. Files are relative to `folder`, and absolute afterwards; empty:
/// they stay as they are. Throws Error(argument) in one line: "WHERE, step 2: ...".
Recipe parse(const std::string& json, const std::string& where, const std::filesystem::path& folder);

/// Throws io::Error(unreadable) too.
Recipe load(const std::filesystem::path& path);
/// Throws io::Error(unwritable) too.
void save(const Recipe& recipe, const std::filesystem::path& path);

/// The files that the steps name, "gen:" text left out.
std::vector<std::string> filesOf(const Recipe& recipe);

}  // namespace warplens::gpu::recipe
