// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/families/stencil/problem.hpp"

namespace warplens::gpu::stencil {

/// Why this program has no rows by OpenACC, or empty.
std::string openAccRefusal();

/// The row where OpenACC's regions run. The problem must outlive the session.
std::unique_ptr<PortableSession> openAccSession(const StencilProblem& problem, const Variant& variant);

}  // namespace warplens::gpu::stencil
