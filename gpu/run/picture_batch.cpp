// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/picture_batch.hpp"

#include "io/grid.hpp"
#include "io/read.hpp"

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

int codecsFor(std::size_t pictures, int asked) {
    const int processors = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
    return std::clamp(static_cast<int>(pictures), 1, asked > 0 ? asked : std::min(processors / 2, kMostCodecs));
}

int checkersFor(const std::vector<std::string>& places) {
    return std::max(1, static_cast<int>(std::set<std::string>(places.begin(), places.end()).size()));
}

}  // namespace

bool isUpToDate(const std::filesystem::path& result, const std::filesystem::path& input) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(result, failed) || std::filesystem::file_size(result, failed) == 0)
        return false;
    const auto made = std::filesystem::last_write_time(result, failed);
    if (failed) return false;
    if (input.empty()) return true;
    const auto changed = std::filesystem::last_write_time(input, failed);
    return !failed && changed <= made;
}

bool BatchPicture::changed() const { return version && io::versionOf(io::pathOf(name)) != version; }

PictureBatch::PictureBatch(std::size_t count, Work work) : m_count(count), m_work(std::move(work)) {
    const int codecs = codecsFor(count, m_work.codecs);
    const auto stage = [](const Step& step) {
        return [&step](std::size_t place, int, const std::stop_token& stop) { step(place, stop); };
    };
    m_stages.push_back(
        {"decode", codecs, [this](std::size_t place, int, const std::stop_token& stop) { decode(place, stop); }});
    m_stages.push_back({"compute", m_work.computing,
                        [this](std::size_t place, int worker, const std::stop_token& stop) {
                            m_work.picture(place).worker = worker;
                            m_work.compute(place, stop);
                        },
                        m_work.places});
    if (m_work.verify) m_stages.push_back({"verify", checkersFor(m_work.places), stage(m_work.verify)});
    m_stages.push_back({"encode", codecs, stage(m_work.encode)});
}

void PictureBatch::decode(std::size_t place, const std::stop_token& stop) {
    BatchPicture& picture = m_work.picture(place);
    if (picture.failure) std::rethrow_exception(picture.failure);
    if (const std::string path = io::pathOf(picture.name); !path.empty()) picture.version = io::versionOf(path);
    picture.input = m_work.read(place, stop);
    picture.bytes = static_cast<std::int64_t>(picture.input->bytes());
    for (std::int64_t largest = m_largest;
         largest < picture.bytes && !m_largest.compare_exchange_weak(largest, picture.bytes);) {
    }
}

/// How large a picture is decoding tells; until then it counts as the largest so far, and before any as all there is
/// room for.
std::int64_t PictureBatch::weightOf(const BatchPicture& picture) const {
    if (picture.input != nullptr) return kCopies * static_cast<std::int64_t>(picture.input->bytes());
    if (picture.failure) return 0;
    const std::int64_t largest = m_largest;
    return largest > 0 ? kCopies * largest : mostBytes();
}

PipelineRun PictureBatch::run(const std::function<void(std::size_t place, const std::exception_ptr& failure)>& deliver,
                              const std::stop_token& stop) {
    PipelineBounds bounds{.items = 0, .bytes = mostBytes(), .weight = [this](std::size_t place) {
                              return weightOf(m_work.picture(place));
                          }};
    for (const PipelineStage& stage : m_stages) bounds.items += static_cast<std::size_t>(stage.workers) + 1;
    return runPipeline(m_count, m_stages, bounds, deliver, stop);
}

}  // namespace warplens::gpu
