// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"

#include <filesystem>
#include <string>

namespace warplens::cli {

/// The status of a comparison of one variant that was named: one that cannot run is an error.
int statusOfRun(const gpu::Comparison& comparison);

/// Text for standard output, and an error's line without our name; either may be empty.
struct RunMessages {
    std::string out{}, error{};
};

/// What is said of one run: time, check and tables, unless `quiet`; or what went wrong. `written`: where its result
/// went, or empty.
RunMessages formatRun(const std::string& name, const gpu::Comparison& comparison, const std::filesystem::path& written,
                      bool quiet);

}  // namespace warplens::cli
