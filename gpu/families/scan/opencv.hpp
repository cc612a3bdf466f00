// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/scan/task.hpp"

#include <string>

namespace warplens::gpu::library {

/// Why OpenCV has no call that does the same, or empty.
std::string opencvScanRefusal(const scan::Asked& asked, const io::Grid& input);

/// integral, equalizeHist or CLAHE, slice by slice and channel by channel. Returns milliseconds of the calls alone.
double opencvScan(const io::Grid& input, const scan::Asked& asked, io::Grid& output);

}  // namespace warplens::gpu::library
