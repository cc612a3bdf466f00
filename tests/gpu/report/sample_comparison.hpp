// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/report/report.hpp"

namespace warplens::test {

/// A timing whose 95 % interval is the median +- 1 %.
gpu::Timing timing(gpu::Clock clock, double medianMs, int samples = 20);

/// 4 x 3, u8, one channel, on a GPU that was never there: naive 2 ms, constant 1 ms, tiled_input wrong, separable
/// unsupported, opencv by its own clock.
gpu::Comparison cudaComparison();

/// The same on the CPU device: two rows, by the SIMT clock.
gpu::Comparison cpuComparison();

}  // namespace warplens::test
