// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu {

/// Where a number comes from: a clock or a kernel's result, the trace, a formula, driver or compiler, an earlier run on
/// a named GPU.
enum class Origin { measured, counted, modelled, reported, recorded };

const char* nameOf(Origin origin);    ///< "measured"
const char* letterOf(Origin origin);  ///< "M", "C", "m", "R", "r", as the window draws it

}  // namespace warplens::gpu
