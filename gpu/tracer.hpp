// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/record.hpp"
#include "gpu/runner.hpp"

#include <stop_token>

namespace warplens::gpu {

/// Counts what the variants of a request do. The traced kernels live in a program of their own, so whoever starts it
/// implements this (app/trace/client.hpp) and hands it to those who ask.
class Tracer {
public:
    virtual ~Tracer() = default;
    /// A comparison whose records hold counters in place of times and results; libraries are unsupported. Device, timing and
    /// verification of the request mean nothing here. Throws Error for what makes the whole request impossible; stopping
    /// returns what is done so far with `interrupted` set.
    virtual Comparison explain(const Request& request, std::stop_token stop, const Observer& observer) = 0;
};

}  // namespace warplens::gpu
