// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/product/problem.hpp"

namespace warplens::gpu::product {

/// Puts the problem on the device; the picture's planes are uploaded unless `resident` holds them already. The problem
/// must outlive the session.
std::unique_ptr<Session> openSession(const ProductProblem& problem, Device& device, Resident& resident);

}  // namespace warplens::gpu::product
