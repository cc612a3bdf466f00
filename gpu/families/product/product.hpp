// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::product {

/// Pictures as matrices: times another matrix, as cosines and back, through a bank of filters, colours into colours.
const Family& family();

}  // namespace warplens::gpu::product
