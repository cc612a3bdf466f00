// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <string>

namespace warplens::gpu::cuda {

/// Throws Error of the right kind unless `result` is success; the message holds the call, the code's name and a remedy.
void check(cudaError_t result, const char* call, const std::string& what = {});

/// Whether the process's context is lost with this code.
bool isSticky(cudaError_t result);

}  // namespace warplens::gpu::cuda

#define WARPLENS_CUDA(call) ::warplens::gpu::cuda::check((call), #call)
