// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/contention.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <mutex>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace warplens::gpu::histogram {
namespace {

constexpr unsigned kLanes = 32;
constexpr std::uint32_t kIdle = 0xffffffffU;

/// What each lane adds to in one request, or kIdle; returns the most lanes that meet.
unsigned meeting(const std::array<std::uint32_t, kLanes>& lanes, const WarpMapping& mapping) {
    // Lanes that share counters have equal keys; sorted, they lie side by side.
    std::array<std::uint64_t, kLanes> keys;
    unsigned active = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if (lanes[lane] != kIdle) keys[active++] = std::uint64_t{lanes[lane]} * mapping.copies + lane % mapping.copies;
    }
    if (active == 0) return 0;
    if (mapping.matched) return 1;
    std::sort(keys.begin(), keys.begin() + active);
    unsigned most = 1, same = 1;
    for (unsigned i = 1; i < active; ++i) {
        same = keys[i] == keys[i - 1] ? same + 1 : 1;
        most = std::max(most, same);
    }
    return most;
}

/// Counts one warp's requests into `requests`; returns their sum and number.
struct WarpSum {
    std::int64_t lanes = 0, requests = 0;
};

class Counting {
public:
    Counting(std::span<const std::uint32_t> slots, const WarpMapping& mapping) : m_slots(slots), m_mapping(mapping) {}

    WarpSum warp(std::uint64_t index, std::array<std::int64_t, 33>& requests) const {
        WarpSum sum;
        const auto note = [&](const std::array<std::uint32_t, kLanes>& lanes) {
            const unsigned most = meeting(lanes, m_mapping);
            if (most == 0) return;
            ++requests[most];
            sum.lanes += most;
            ++sum.requests;
        };
        const std::uint64_t first = index * kLanes * m_mapping.laneStride;
        for (std::uint64_t step = 0; step < m_mapping.laneStride; ++step) {
            // A lane whose run ends because the next bin differs adds inside the loop, one without a next value after
            // it.
            std::array<std::uint32_t, kLanes> inside, after;
            inside.fill(kIdle);
            after.fill(kIdle);
            for (unsigned lane = 0; lane < kLanes; ++lane) {
                const std::uint64_t i = first + lane * m_mapping.laneStride + step;
                if (i >= m_slots.size()) continue;
                const std::uint64_t then = i + m_mapping.runStride;
                if (m_mapping.runStride == 0)
                    inside[lane] = m_slots[i];
                else if (then >= m_slots.size())
                    after[lane] = m_slots[i];
                else if (m_slots[then] != m_slots[i])
                    inside[lane] = m_slots[i];
            }
            note(inside);
            if (m_mapping.runStride != 0) note(after);
        }
        return sum;
    }

private:
    std::span<const std::uint32_t> m_slots;
    WarpMapping m_mapping;
};

}  // namespace

std::int64_t Contention::count() const {
    std::int64_t sum = 0;
    for (const auto n : requests) sum += n;
    return sum;
}

double Contention::mean() const {
    std::int64_t lanes = 0;
    for (std::size_t n = 0; n < requests.size(); ++n) lanes += static_cast<std::int64_t>(n) * requests[n];
    return count() == 0 ? 0 : static_cast<double>(lanes) / static_cast<double>(count());
}

double Contention::share(int lanes) const {
    std::int64_t sum = 0;
    for (auto n = static_cast<std::size_t>(std::clamp(lanes, 0, 33)); n < requests.size(); ++n) sum += requests[n];
    return count() == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count());
}

Contention countContention(std::span<const std::uint32_t> slots, const WarpMapping& mapping,
                           const std::stop_token& stop) {
    Contention result;
    result.cells.assign((slots.size() + kLanes - 1) / kLanes, 0.0F);
    if (!mapping.atomics) return result;
    const Counting counting(slots, mapping);
    const std::uint64_t perWarp = kLanes * mapping.laneStride;
    const std::uint64_t warps = (slots.size() + perWarp - 1) / perWarp;
    std::mutex mutex;
    // Stretches of about 64 Ki values: stopping is seen within a millisecond.
    const std::uint64_t grain = std::max<std::uint64_t>(1, 65536 / perWarp);
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, warps, grain), [&](const auto& range) {
        if (stop.stop_requested()) return;
        std::array<std::int64_t, 33> requests{};
        for (auto warp = range.begin(); warp != range.end(); ++warp) {
            const WarpSum sum = counting.warp(warp, requests);
            const float mean =
                sum.requests == 0
                    ? 0.0F
                    : static_cast<float>(static_cast<double>(sum.lanes) / static_cast<double>(sum.requests));
            const std::uint64_t first = warp * mapping.laneStride;
            const auto last = std::min<std::uint64_t>(first + mapping.laneStride, result.cells.size());
            for (auto cell = first; cell < last; ++cell) result.cells[cell] = mean;
        }
        const std::lock_guard lock(mutex);
        for (std::size_t n = 0; n < requests.size(); ++n) result.requests[n] += requests[n];
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "contention: stopped");
    return result;
}

}  // namespace warplens::gpu::histogram
