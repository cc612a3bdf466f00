// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <cstdint>
#include <string>

namespace warplens::gpu {

/// What tells a task from every other that may take another time on the same device: family, all parameters, the
/// picture's shape and type, what the user has set, and how much memory there may be; of families whose time depends on
/// the values 4,096 of them as well. 16 hexadecimal digits, the same in every process; no name of a file is in it.
std::string taskKey(const Family& family, const ParameterValues& parameters, const io::Grid& input,
                    const TunableValues& wanted, std::int64_t memoryCap);

}  // namespace warplens::gpu
