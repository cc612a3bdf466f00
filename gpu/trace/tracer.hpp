// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/run/runner.hpp"
#include "gpu/trace/warp_trace.hpp"

#include <stop_token>

namespace warplens::gpu {

/// Counts what the variants of a request do. The traced kernels live in a program of their own, so whoever starts it
/// implements this (app/trace/client.hpp) and hands it to those who ask. One call at a time.
class Tracer {
public:
    virtual ~Tracer() = default;
    /// A comparison whose records hold counters in place of times and results; libraries are unsupported. Device,
    /// timing and verification of the request mean nothing here. Throws Error for what makes the whole request
    /// impossible; stopping returns what is done so far with `interrupted` set.
    virtual Comparison explain(const Request& request, std::stop_token stop, const Observer& observer) = 0;
    /// Replays one warp of the request's only variant. Throws Error: unsupported when the variant cannot be traced or
    /// no warp has to do with the pixel, cancelled.
    virtual WarpTrace warp(const Request& request, const WarpQuery& query, std::stop_token stop) = 0;
    /// Traces every block of the request's only variant, once. Throws Error: unsupported when it cannot be traced or
    /// what it reads is not the picture, cancelled.
    virtual LoadMap loads(const Request& request, std::stop_token stop, const Observer& observer) = 0;
};

}  // namespace warplens::gpu
