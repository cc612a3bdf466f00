// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/families/convolution/problem.hpp"

namespace warplens::gpu::convolution {

/// The kernel that an OpenCL row is written after: what its block and its tile are.
const Variant& writtenAfter(const Variant& openCl);

/// Why OpenCL's device of the row's tunables cannot take this row, or empty.
std::string openClRefusal(const ConvolutionProblem& problem, const Variant& variant, const TunableValues& tunables);

/// The row on that device. The problem must outlive the session.
std::unique_ptr<PortableSession> openClSession(const ConvolutionProblem& problem, const Variant& variant,
                                               const TunableValues& tunables);

}  // namespace warplens::gpu::convolution
