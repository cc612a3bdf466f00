// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/npp.hpp"
#include "gpu/families/scan/arguments.hpp"
#include "io/grid.hpp"

#include <string>

namespace warplens::gpu::library {

/// Why NPP has no call that does the same, or empty.
std::string nppScanRefusal(const scan::Asked& asked, const io::Grid& input);

/// nppiIntegral, slice by slice. Its integral pictures have a row and a column of zeros before the first, so that a
/// second set of calls, which is not timed, puts the rest where it belongs.
struct NppIntegral {
    NppCalls sums, cut;
};
NppIntegral nppIntegral(Device& device, const scan::Integral& of);

}  // namespace warplens::gpu::library
