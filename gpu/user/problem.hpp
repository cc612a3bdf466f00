// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplens::gpu::user {

/// What a compiler's message or a fault of a run means, in a student's words; empty where no row of messages.inc fits.
std::string explanationOf(const std::string& message);

/// One thing that is wrong with a kernel.
struct KernelProblem {
    int line = 0, otherLine = 0;  ///< from 1; 0: not known
    std::string message{}, explanation{};
    bool error = false;  ///< it does not compile
};

/// Of a sentence of a compiler or of the worker, which names lines as "my.cuh:12".
KernelProblem problemOf(const std::string& sentence, const std::string& file, bool error);

}  // namespace warplens::gpu::user
