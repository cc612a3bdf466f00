// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/npp.hpp"
#include "gpu/families/layout/arguments.hpp"

#include <string>

namespace warplens::gpu::library {

/// Why NPP has no call for a task, or empty.
std::string nppLayoutRefusal(const layout::Case& of);

/// nppiCopy, nppiTranspose or nppiMirror, slice by slice; between planes and pixels one call of nppiCopy.
NppCalls nppLayout(Device& device, const layout::Arguments& of);

}  // namespace warplens::gpu::library
