// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplens::gpu {

/// In the process that runs a kernel file of the user's (app/worker): what the file offers stands in the place of what
/// a row's own file does, in every build. `folder` is the family's, "gpu/families/NAME/"; `entry` its KernelEntry,
/// which outlives every problem. Once, before any problem is posed.
void overrideEntry(std::string folder, std::string variant, const void* entry);

/// Null where the row's own file serves, as everywhere else.
const void* overridingEntry(const std::string& folder, const std::string& variant);

}  // namespace warplens::gpu
