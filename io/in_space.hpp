// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

namespace warplens::io {

/// Whether a file said where its voxels lie. Where none did, as of pictures in a series or of what was generated,
/// lengths are voxels, not mm.
inline bool hasGeometry(const Geometry& geometry) { return geometry != Geometry(); }

}  // namespace warplens::io
