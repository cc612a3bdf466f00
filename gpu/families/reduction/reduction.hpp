// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::reduction {

/// What a picture or volume amounts to: its statistics, how far it is from another one, or its projection along an
/// axis.
const Family& family();

}  // namespace warplens::gpu::reduction
