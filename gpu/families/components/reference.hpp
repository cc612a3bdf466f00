// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/components/measured.hpp"
#include "gpu/families/components/parameters.hpp"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace warplens::gpu::components {

/// Whether pixel i is inside: each of its channels but alpha above the level.
bool insideAt(const io::Grid& input, double level, std::size_t i);

/// What is to come out: a label a pixel, and a component a label.
struct Labelled {
    std::vector<std::uint32_t> labels;
    std::vector<Measured> components;
};

/// By the definition: in raster order the first pixel inside that has no label begins the next component, which is
/// filled from there. Throws Error(cancelled).
Labelled labelled(const io::Grid& input, const LabellingOptions& asked, const std::stop_token& stop);

/// Labels must be the same.
Verification compareLabels(const io::Grid& output, const std::vector<std::uint32_t>& exact,
                           const std::stop_token& stop);

}  // namespace warplens::gpu::components
