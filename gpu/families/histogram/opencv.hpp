// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "io/grid.hpp"

#include <string>

namespace warplens::gpu::library {

/// How its definition differs, for the record.
std::string opencvHistogramNote();
/// Why OpenCV cannot count these values, or empty.
std::string opencvHistogramRefusal(const io::Grid& values);

/// cv::calcHist, a channel at a time, into the bins of `result`; what lies beside them is left as it is. Bins of one
/// width go by its uniform way, others by the table of edges. Returns milliseconds of the calls alone.
double opencvHistogram(const io::Grid& values, const histogram::Edges& edges, BinnedCounts& result);

}  // namespace warplens::gpu::library
