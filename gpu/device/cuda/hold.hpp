// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace warplens::gpu::cuda {

/// Keeps a stream busy until what follows is queued, so that events around a kernel see the kernel and not the host on
/// its way to launch it, some microseconds a launch. One at a time; whoever waits for the stream lets go first.
class Hold {
public:
    Hold() = default;
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    /// What is queued on the stream from now on waits for release(), but no longer than a millisecond. Throws Error.
    void begin(cudaStream_t stream);
    void release() noexcept;

private:
    unsigned* m_flag = nullptr;  ///< in the host's memory, which the device reads
    unsigned m_turn = 0;
};

}  // namespace warplens::gpu::cuda
