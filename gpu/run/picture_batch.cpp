// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/picture_batch.hpp"

#include "io/grid.hpp"

#include <algorithm>
#include <set>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace warplens::gpu {

namespace {

constexpr int kMostCodecs = 8;

/// A decoded picture stands beside its result, the copies that device and check make, and the encoded file.
constexpr std::int64_t kCopies = 4;

std::int64_t mostBytes() { return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2; }

}  // namespace

int codecsFor(std::size_t pictures, int asked) {
    const int processors = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
    return std::clamp(static_cast<int>(pictures), 1, asked > 0 ? asked : std::min(processors / 2, kMostCodecs));
}

int checkersFor(const std::vector<std::string>& places) {
    return std::max(1, static_cast<int>(std::set<std::string>(places.begin(), places.end()).size()));
}

bool resultStands(const std::filesystem::path& result, const std::filesystem::path& input) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(result, failed) || std::filesystem::file_size(result, failed) == 0)
        return false;
    const auto made = std::filesystem::last_write_time(result, failed);
    if (failed) return false;
    if (input.empty()) return true;
    const auto changed = std::filesystem::last_write_time(input, failed);
    return !failed && changed <= made;
}

void PictureWeights::decoded(const io::Grid& picture) {
    const auto bytes = static_cast<std::int64_t>(picture.bytes());
    for (std::int64_t largest = m_largest; largest < bytes && !m_largest.compare_exchange_weak(largest, bytes);) {
    }
}

std::int64_t PictureWeights::of(const io::Grid* picture) const {
    if (picture != nullptr) return kCopies * static_cast<std::int64_t>(picture->bytes());
    const std::int64_t largest = m_largest;
    return largest > 0 ? kCopies * largest : mostBytes();
}

PipelineBounds PictureWeights::bounds(const std::vector<PipelineStage>& stages,
                                      std::function<std::int64_t(std::size_t item)> weight) {
    PipelineBounds bounds{.items = 0, .bytes = mostBytes(), .weight = std::move(weight)};
    for (const PipelineStage& stage : stages) bounds.items += static_cast<std::size_t>(stage.workers) + 1;
    return bounds;
}

}  // namespace warplens::gpu
