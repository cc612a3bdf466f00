// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/families/product/problem.hpp"

namespace warplens::gpu::product {

/// Why OpenCL's device of the row's tunables cannot take this row, or empty.
std::string openClRefusal(const ProductProblem& problem, const Variant& variant, const TunableValues& tunables);

/// The row on that device. The problem must outlive the session.
std::unique_ptr<PortableSession> openClSession(const ProductProblem& problem, const Variant& variant,
                                               const TunableValues& tunables);

}  // namespace warplens::gpu::product
