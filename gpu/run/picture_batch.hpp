// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/pipeline.hpp"
#include "io/file_version.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::io {
class Grid;
}

namespace warplens::gpu {

/// Whether a result that a batch wrote stands and is not older than what it was made from; files are named when they
/// are complete. An `input` without a path (a generated one) is never newer.
bool isUpToDate(const std::filesystem::path& result, const std::filesystem::path& input);

/// A picture on its way through a batch.
struct BatchPicture {
    std::string name{};  ///< as io::read() takes it
    std::shared_ptr<const io::Grid> input{};
    std::int64_t bytes = 0;                    ///< of the decoded picture
    std::optional<io::FileVersion> version{};  ///< of its file, before it was read
    int worker = 0;                            ///< that computes it
    std::exception_ptr failure{};              ///< why it is not read, or what comes after what was done

    /// Whether its file was written since it was read: a result is of one version of its input.
    bool changed() const;
};

/// Pictures through decode, compute, verify and encode, several at once: the folder run of both programs, which say
/// what each stage does with the picture at a place in the batch.
class PictureBatch {
public:
    using Step = std::function<void(std::size_t place, const std::stop_token& stop)>;
    struct Work {
        std::function<BatchPicture&(std::size_t place)> picture;
        int codecs = 0;     ///< pictures decoded at once, and encoded; 0: by the processors
        int computing = 1;  ///< pictures computed at once, each by a worker of its own (BatchPicture::worker)
        std::vector<std::string> places{};  ///< the device of each worker, where there are several
        std::function<std::shared_ptr<const io::Grid>(std::size_t place, const std::stop_token& stop)> read;
        Step compute;
        Step
            verify{};  ///< empty: compute does it. As many at once as there are devices, which would wait for another's
        Step encode;
    };

    PictureBatch(std::size_t count, Work work);

    /// As runPipeline(), within half of the machine's memory, and as many pictures as have a worker and one that waits
    /// before each stage.
    PipelineRun run(const std::function<void(std::size_t place, const std::exception_ptr& failure)>& deliver,
                    const std::stop_token& stop);
    const std::vector<PipelineStage>& stages() const { return m_stages; }

private:
    void decode(std::size_t place, const std::stop_token& stop);
    std::int64_t weightOf(const BatchPicture& picture) const;

    std::size_t m_count;
    Work m_work;
    std::vector<PipelineStage> m_stages;
    /// Bytes of the largest picture so far, for which those that are not decoded yet are taken.
    std::atomic<std::int64_t> m_largest = 0;
};

}  // namespace warplens::gpu
