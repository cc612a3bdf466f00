// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::histogram {

/// Counts the values of a picture or volume in bins, a channel at a time, or its luminance.
const Family& family();

}  // namespace warplens::gpu::histogram
