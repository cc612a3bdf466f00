// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/plain_kernels.hpp"

#include <string>

namespace warplens::gpu::user {

/// What a kernel of the user's can do of a problem. Throws Error(unsupported), which says what families can.
const PlainKernels& plainKernelsOf(const Family& family, const Problem& problem);

enum class Start {
    plain,  ///< does the task, as the family's plain variant does, where the family has it in the short form
    copy    ///< copies its input: everything is left to do
};

/// A file in the short form to begin with. Its head declares a block and says what a parameter may be called. Throws
/// Error(unsupported) for a problem that takes no such kernel.
std::string startingFile(const Family& family, const Problem& problem, const ParameterValues& values, Start start);

}  // namespace warplens::gpu::user
