// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"
#include "gpu/run/runner.hpp"

#include <stop_token>

namespace warplens::cli {

/// What `run` and `compare` have of one input. Of `run` it is computed first and verified then, when the next input may
/// be on the device.
struct Computed {
    gpu::Comparison comparison;
    gpu::Report report;
};

/// Runs the request, with progress on a terminal. Each run goes into the report as soon as it is done, when its picture
/// may be given up (Request::keepPictures), so that a call that is interrupted has no results left to look through.
Computed compute(gpu::Runner& runner, const gpu::Request& request, const std::stop_token& stop);

/// Verifies what was run without. Stopping leaves no run and sets `interrupted`.
void verify(gpu::Runner& runner, const gpu::Request& request, gpu::Comparison& comparison, const std::stop_token& stop);

}  // namespace warplens::cli
