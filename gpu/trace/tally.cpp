// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/tally.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace warplens::gpu::trace {
namespace {

constexpr std::uint64_t kSectorBytes = 32, kWordBytes = 4;
constexpr unsigned kBanks = 32, kLanes = 32;
constexpr unsigned kQuarter = 8;  // lanes that a texture unit takes at a time

/// Ranges of bytes, by their first one.
struct Ranges {
    std::array<std::pair<std::uint64_t, unsigned>, kLanes> range;
    std::size_t count = 0;

    explicit Ranges(std::span<const LoggedAccess> lanes) {
        bool rising = true;
        for (const auto& lane : lanes) {
            rising = rising && (count == 0 || range[count - 1].first <= lane.address);
            range[count++] = {lane.address, lane.size};
        }
        if (!rising) std::sort(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(count));
    }
    auto begin() const { return range.begin(); }
    auto end() const { return range.begin() + static_cast<std::ptrdiff_t>(count); }
    /// Different units of `unit` bytes that the ranges touch. Calls each(unit's number) for every one.
    template <class F>
    std::int64_t units(std::uint64_t unit, F each) const {
        std::int64_t different = 0;
        std::uint64_t next = 0;  // the first unit not seen yet
        for (const auto& [first, size] : *this) {
            for (auto u = std::max(first / unit, next); u <= (first + size - 1) / unit; ++u) {
                each(u);
                ++different;
                next = u + 1;
            }
        }
        return different;
    }
};

/// Whether each active lane asks for what the active lane `apart` from it (by exclusive or) asks for.
bool askAlike(std::span<const LoggedAccess> active, std::uint32_t mask, unsigned apart) {
    std::array<std::uint64_t, kLanes> asked{};
    auto access = active.begin();
    for (std::uint32_t left = mask; left != 0; left &= left - 1, ++access)
        asked[static_cast<unsigned>(std::countr_zero(left))] = access->address;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const unsigned other = lane ^ apart;
        if ((mask >> lane & mask >> other & 1U) != 0 && asked[lane] != asked[other]) return false;
    }
    return true;
}

/// Passes that the 32 banks of 4 bytes need: the most different words that one bank has to give. Lanes with 8 bytes go
/// 16 at a time, with 16 bytes 8 at a time; loads of twice as many go together where all lanes ask for what their
/// neighbour asks for, or all for what the next but one does. Read off an NVIDIA H200: tests/gpu/ncu/wavefronts.csv.
std::int64_t wavefrontsOf(std::span<const LoggedAccess> active, std::uint32_t mask) {
    const LoggedAccess& one = active.front();
    unsigned together = one.size <= 4 ? kLanes : kLanes * 4 / one.size;
    if (together < kLanes && one.operation == Operation::load &&
        (askAlike(active, mask, 1) || askAlike(active, mask, 2)))
        together *= 2;
    std::int64_t sum = 0;
    std::size_t done = 0;
    for (unsigned lane = 0; lane < kLanes; lane += together) {
        const std::uint32_t group = together == kLanes ? mask : mask >> lane & ((1U << together) - 1U);
        const auto count = static_cast<std::size_t>(std::popcount(group));
        if (count == 0) continue;
        std::array<std::uint8_t, kBanks> words{};
        Ranges(active.subspan(done, count)).units(kWordBytes, [&](std::uint64_t word) { ++words[word % kBanks]; });
        sum += *std::max_element(words.begin(), words.end());
        done += count;
    }
    return sum;
}

void countAtomic(const Ranges& ranges, AccessCount& count) {
    int same = 0, worst = 0;
    std::uint64_t last = 0;
    for (const auto& [first, size] : ranges) {
        same = same > 0 && first == last ? same + 1 : 1;
        if (same == 1) ++count.words;
        last = first;
        worst = std::max(worst, same);
    }
    count.worst = std::max(count.worst, worst);
}

/// The texture unit makes a request of each quarter of a warp, and a sector that two quarters share is counted by both:
/// exactly so on an NVIDIA H200, of values of 4 bytes (tests/gpu/ncu).
void countFetch(std::span<const LoggedAccess> active, std::uint32_t mask, AccessCount& count) {
    std::size_t done = 0;
    for (unsigned lane = 0; lane < kLanes; lane += kQuarter) {
        const auto lanes = static_cast<std::size_t>(std::popcount(mask >> lane & ((1U << kQuarter) - 1U)));
        if (lanes == 0) continue;
        const Ranges ranges(active.subspan(done, lanes));
        ++count.requests;
        count.sectors += ranges.units(kSectorBytes, [](std::uint64_t) {});
        count.usefulBytes += ranges.units(1, [](std::uint64_t) {});
        done += lanes;
    }
}

}  // namespace

void countRequest(std::span<const LoggedAccess> lanes, std::uint32_t mask, AccessCount& count) {
    const Space space = lanes.front().space;
    count.lanes += static_cast<std::int64_t>(lanes.size());
    for (const auto& lane : lanes) count.threadBytes += lane.size;
    if (space == Space::texture) return countFetch(lanes, mask, count);
    ++count.requests;
    if (space == Space::shared && lanes.front().operation != Operation::atomic) {
        const auto wavefronts = wavefrontsOf(lanes, mask);
        count.wavefronts += wavefronts;
        count.worst = std::max(count.worst, static_cast<int>(wavefronts));
        return;
    }
    const Ranges ranges(lanes);
    if (space == Space::global) {
        count.sectors += ranges.units(kSectorBytes, [](std::uint64_t) {});
        count.usefulBytes += ranges.units(1, [](std::uint64_t) {});
    }
    if (space == Space::constant) {
        const auto words = ranges.units(kWordBytes, [](std::uint64_t) {});
        count.words += words;
        count.worst = std::max(count.worst, static_cast<int>(words));
    }
    if (lanes.front().operation == Operation::atomic) countAtomic(ranges, count);
}

void add(AccessCount& count, const AccessCount& other) {
    count.requests += other.requests;
    count.lanes += other.lanes;
    count.threadBytes += other.threadBytes;
    count.sectors += other.sectors;
    count.usefulBytes += other.usefulBytes;
    count.wavefronts += other.wavefronts;
    count.words += other.words;
    count.worst = std::max(count.worst, other.worst);
}

void Tally::add(const Tally& other) {
    for (const auto& [site, count] : other.sites) trace::add(sites[site], count);
    for (const auto& [pc, count] : other.basicBlocks) {
        BlockCount& sum = basicBlocks[pc];
        sum.warps += count.warps;
        sum.lanes += count.lanes;
        sum.divergent += count.divergent;
        sum.apart += count.apart;
    }
    barriers += other.barriers;
    branches += other.branches;
    divergentBranches += other.divergentBranches;
    contention = std::max(contention, other.contention);
    matrixOperations += other.matrixOperations;
    atomicOperations += other.atomicOperations;
    fetches += other.fetches;
    blocks += other.blocks;
    annotatedRaces += other.annotatedRaces;
}

}  // namespace warplens::gpu::trace
