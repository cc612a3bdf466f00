// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/pipeline.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warplens::io {
class Grid;
}

namespace warplens::gpu {

/// How many of `pictures` are decoded at once, and encoded; `asked` 0: by the processors.
int codecsFor(std::size_t pictures, int asked = 0);
/// How many results are checked at once: as many as there are devices among those that the workers compute on, as what
/// ends together would wait for each other's check.
int checkersFor(const std::vector<std::string>& places);

/// Whether a result that a batch wrote stands and is not older than what it was made from; files are named when they
/// are complete. An `input` without a path (a generated one) is never newer.
bool resultStands(const std::filesystem::path& result, const std::filesystem::path& input);

/// What pictures weigh on their way through a pipeline. How large one is decoding tells; until then it counts as the
/// largest so far, and before any as all there is room for. Thread-safe.
class PictureWeights {
public:
    void decoded(const io::Grid& picture);
    /// `picture` null: not decoded yet.
    std::int64_t of(const io::Grid* picture) const;
    /// Half of the machine's memory; as many items as have a worker, and one that waits before each stage.
    static PipelineBounds bounds(const std::vector<PipelineStage>& stages,
                                 std::function<std::int64_t(std::size_t item)> weight);

private:
    std::atomic<std::int64_t> m_largest = 0;  ///< bytes
};

}  // namespace warplens::gpu
