// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace warplens::gpu {

/// Does things 0 to count - 1 by several workers at once, each in a thread of its own; the first one's is the caller's.
/// Worker w begins with thing w, so that every worker has one where there are as many, and goes on with the next one
/// that nobody has begun: a fast one does more. After a failure nobody begins another; once all have ended, what the
/// first of the failed things threw is thrown.
void parallelForEach(std::size_t workers, std::int64_t count,
                     const std::function<void(std::size_t worker, std::int64_t thing)>& one);

}  // namespace warplens::gpu
