// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/families/stencil/problem.hpp"

namespace warplens::gpu::stencil {

/// Why OpenCL's device of the row's tunables cannot take this row, or empty.
std::string openClRefusal(const StencilProblem& problem, const Variant& variant, const TunableValues& tunables);

/// The row on that device. The problem must outlive the session.
std::unique_ptr<PortableSession> openClSession(const StencilProblem& problem, const Variant& variant,
                                               const TunableValues& tunables);

}  // namespace warplens::gpu::stencil
