// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu {

/// Where a number comes from. Measured: read off a clock, or off the results of this run, as an error against the
/// reference is. Counted: enumerated, by the trace or in values. Modelled: by a formula. Reported: by driver or
/// compiler. Recorded: measured in an earlier run on a named GPU.
enum class Origin { measured, counted, modelled, reported, recorded };

const char* nameOf(Origin origin);    ///< "measured"
const char* letterOf(Origin origin);  ///< "M", "C", "m", "R", "r", as the window draws it

}  // namespace warplens::gpu
