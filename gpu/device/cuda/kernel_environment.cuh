// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first in the CUDA build of a kernel.
#define WARPLENS_BUILD cuda_build

#include "gpu/device/cuda/launch.cuh"
