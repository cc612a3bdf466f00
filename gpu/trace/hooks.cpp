// SPDX-License-Identifier: Apache-2.0
// What the compiler calls in a traced unit: at each basic block, and before each access to memory.
#include "gpu/trace/record_access.hpp"

namespace {

using warplens::gpu::Operation;

inline void record(const volatile void* address, std::size_t size, Operation operation, const void* caller) {
    warplens::gpu::trace::recordAccess(address, size, operation, caller);
}

}  // namespace

#include "gpu/trace/compiler_hooks.inc"

extern "C" void __sanitizer_cov_trace_pc() { warplens::gpu::trace::recordBlock(__builtin_return_address(0)); }
