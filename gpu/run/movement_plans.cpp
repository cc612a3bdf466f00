// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/movement_plans.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/partitionable.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/piece_session.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace warplens::gpu {
namespace {

constexpr double kBandUnit = 1 << 18, kMostBands = 128;         // bytes, bands: see bandsOf()
constexpr std::size_t kEnoughTogether = std::size_t{32} << 20;  ///< bytes that keep a link busy
constexpr int kStages = 3;

[[noreturn]] void refuse(const std::string& why) { throw Error(Error::Kind::unsupported, why); }

void openSlots(Mover& mover, int slots, int lanes) {
    for (int i = 0; i < slots; ++i) mover.addSlot(mover.work().problem);
    mover.openLanes(lanes);
}

/// All of an item in one lane, the next one in the next.
void inTurn(Mover& mover) {
    for (std::size_t item = 0; item < mover.items(); ++item) {
        const int lane = static_cast<int>(item) % mover.lanes();
        mover.upload(lane, item);
        mover.compute(lane, item);
        mover.download(lane, item);
    }
}

void openBesideNull(Mover& mover) {
    mover.openLanes(kStages, StreamKind::besideNull);
    mover.openLanes(1, StreamKind::null);
    openSlots(mover, kStages, 0);
}

/// No event is needed: a kernel waits for every copy before it, and every copy after it for the kernel.
void byTheNullStream(Mover& mover) {
    for (std::size_t item = 0; item < mover.items(); ++item) {
        const int lane = static_cast<int>(item) % kStages;
        mover.upload(lane, item);
        mover.compute(kStages, item);
        mover.download(lane, item);
    }
}

/// A lane for each engine: what an item waits for is asked by events.
void byEngine(Mover& mover) {
    enum { up, kernels, down };
    std::map<const MovementSlot*, std::shared_ptr<Moment>> read, downloaded;
    for (std::size_t item = 0; item < mover.items(); ++item) {
        const MovementSlot& slot = mover.slot(item);
        if (read[&slot]) mover.lane(up).after(read[&slot]);
        mover.lane(kernels).after(mover.upload(up, item));
        if (downloaded[&slot]) mover.lane(kernels).after(downloaded[&slot]);
        const auto computed = mover.compute(kernels, item);
        read[&slot] = computed;
        if (slot.kept > 0) read[slot.before] = computed;
        mover.lane(down).after(computed);
        downloaded[&slot] = mover.download(down, item);
    }
}

void openGraphs(Mover& mover) {
    openSlots(mover, kStages, kStages);
    mover.recordGraphs();
}

void launchGraphs(Mover& mover) {
    for (std::size_t item = 0; item < mover.items(); ++item)
        mover.launchGraph(static_cast<int>(item) % mover.lanes(), item);
}

/// How many bands each picture goes in. The first upload and the last download are hidden by nothing, and to begin a
/// copy costs about what 256 KiB cost: with the square root neither is much more than the other. No fewer than two.
std::int64_t bandsOf(const TransferWorkload& work) {
    const double all = static_cast<double>(work.pictures * work.sentBytes) / kBandUnit;
    const double best = std::sqrt(all) / static_cast<double>(work.pictures);
    return std::lround(std::clamp(best, 2.0, kMostBands));
}

/// Each picture as bands with their halo, rows of it or slices, so that even a single one overlaps with itself.
void openBands(Mover& mover) {
    const TransferWorkload& work = mover.work();
    const auto* how = work.problem->inPieces();
    if (how == nullptr || !canBeCut(*work.problem) || !how->inPlace()) refuse("this task does not go in bands of rows");
    const io::Grid& picture = *how->cutInput();
    if (picture.shape().channels > 1)
        refuse("rows of several channels are not contiguous: give a picture of one channel");
    if (how->wraps()) refuse("rows beyond one end come from the other: choose another border");
    const int axis = how->cutAxis();
    const std::int64_t all = extentAlong(picture.shape(), axis), halo = how->halo();
    const std::int64_t bands = std::min(bandsOf(work), all / (2 * halo + 1));
    if (bands < 2) refuse("the picture is too small for bands");
    const std::size_t sentLine = work.sentBytes / static_cast<std::size_t>(all);
    const std::size_t madeLine = work.madeBytes / static_cast<std::size_t>(all);
    // With few bands, as many of the next picture beside them, so that each stage has one.
    const std::int64_t beside = (kStages + bands - 1) / bands;
    for (std::int64_t i = 0; i < beside; ++i) {
        const MovementSlot* before = nullptr;
        std::int64_t there = 0;
        for (std::int64_t band = 0; band < bands; ++band) {
            const std::int64_t first = all * band / bands, last = all * (band + 1) / bands;
            const std::int64_t begin = std::max<std::int64_t>(0, first - halo), end = std::min(all, last + halo);
            const std::int64_t kept = std::max<std::int64_t>(0, there - begin);  // on the device already
            MovementSlot& slot =
                mover.addSlot(how->makePartition(linesOf(picture, axis, begin, end - begin, false), first));
            slot.kept = static_cast<std::size_t>(kept) * sentLine;
            slot.before = std::exchange(before, &slot);
            slot.from = static_cast<std::size_t>(begin + kept) * sentLine;
            slot.sent = static_cast<std::size_t>(end - begin - kept) * sentLine;
            slot.skip = static_cast<std::size_t>(first - begin) * madeLine;
            slot.to = static_cast<std::size_t>(first) * madeLine;
            slot.made = static_cast<std::size_t>(last - first) * madeLine;
            there = end;
        }
    }
    for (std::size_t item = 0; item < work.pictures * static_cast<std::size_t>(bands); ++item)
        mover.addItem(item % mover.slots(), item / static_cast<std::size_t>(bands));
    mover.openLanes(kStages);
}

/// The most pictures that make no more than `kEnoughTogether` together and go into all of them, at least two.
std::size_t togetherOf(const TransferWorkload& work) {
    std::size_t best = 1;
    for (std::size_t together = 2; together <= work.pictures; ++together) {
        if (work.pictures % together != 0) continue;
        if (best > 1 && together * work.sentBytes > kEnoughTogether) break;
        best = together;
    }
    return best;
}

/// Several pictures as the slices of one volume: a copy, a launch for all of them.
void openBatched(Mover& mover) {
    const TransferWorkload& work = mover.work();
    const io::Shape one = work.input->shape();
    if (one.depth > 1) refuse("a slice of a volume is not a picture of its own");
    if (one.channels > 1) refuse("planes of several channels are not contiguous: give a picture of one channel");
    if (work.pictures < 2) refuse("there is only one picture");
    const Family& family = familyOf(work.family);
    const Parameter* across = findRole(family.parameters(), Parameter::Role::dimensions);
    if (across == nullptr || textOf(family.parameters(), work.parameters, across->id) != "2")
        refuse("this task does not take a volume slice by slice");
    const std::size_t together = togetherOf(work);
    auto stack = std::make_shared<io::Grid>(io::Shape{one.width, one.height, static_cast<std::int64_t>(together), 1},
                                            work.input->type());
    for (std::size_t i = 0; i < together; ++i)
        std::copy_n(work.input->data(), work.sentBytes, stack->data() + i * work.sentBytes);
    const std::shared_ptr<const Problem> problem = family.pose(stack, work.parameters);
    const auto resolved = problem->refusal(*work.variant, work.tunables, mover.device().info());
    if (!resolved.empty()) refuse(resolved);
    for (int i = 0; i < kStages; ++i) {
        MovementSlot& slot = mover.addSlot(problem);
        if (slot.session->picture()->shape.depth != stack->shape().depth)
            refuse("this task does not make one picture per slice");
        slot.sent = together * work.sentBytes;
        slot.made = together * work.madeBytes;
    }
    for (std::size_t item = 0; item * together < work.pictures; ++item) mover.addItem(item % kStages, item * together);
    mover.openLanes(kStages);
}

template <Placement placement>
void openPlaced(Mover& mover) {
    const TransferWorkload& work = mover.work();
    if (placement == Placement::managed && mover.device().info().discreteMemory()) {
        // Beyond the device's memory pages would go to and fro all the time.
        const auto needed = static_cast<std::int64_t>(work.pictures * (work.sentBytes + work.madeBytes));
        const std::int64_t most = mover.device().freeBytes() / 10 * 8;
        if (needed > most)
            refuse("managed memory for all pictures needs " + std::to_string(needed) + " bytes and " +
                   std::to_string(most) + " may be used: take fewer pictures");
    }
    for (std::size_t i = 0; i < work.pictures; ++i) mover.addSlot(work.problem, placement);
    mover.openLanes(1);
}

void inPlace(Mover& mover) {
    for (std::size_t item = 0; item < mover.items(); ++item) mover.compute(0, item);
}

void inPlaceAndBack(Mover& mover) {
    inPlace(mover);
    mover.readPlaced();
}

}  // namespace

const std::vector<MovementPlan>& movementPlans() {
    static const std::vector<MovementPlan> plans{
        {{"pageable", "Pageable memory",
          "the driver copies through a staging buffer, and the host waits for each copy"},
         MovedMemory::pageable,
         [](Mover& mover) { openSlots(mover, 1, 1); },
         inTurn},
        {{"pinned", "Pinned memory",
          "one stream over page-locked memory: copies at the link's speed, one thing at a time"},
         MovedMemory::pinned,
         [](Mover& mover) { openSlots(mover, 1, 1); },
         inTurn},
        {{"null_stream", "Null stream",
          "copies in three streams, kernels in none that is named: each waits for all copies before it, and those "
          "after it wait for the kernel"},
         MovedMemory::pinned,
         openBesideNull,
         byTheNullStream},
        {{"two_streams", "Two streams",
          "pictures alternate between two streams: one copies while the other computes or copies back"},
         MovedMemory::pinned,
         [](Mover& mover) { openSlots(mover, 2, 2); },
         inTurn},
        {{"ring", "Ring of three", "three streams with a picture each: one is uploaded, one computed, one downloaded"},
         MovedMemory::pinned,
         [](Mover& mover) { openSlots(mover, kStages, kStages); },
         inTurn},
        {{"engines", "One stream per engine",
          "uploads, kernels and downloads each in a stream of their own, ordered by events"},
         MovedMemory::pinned,
         [](Mover& mover) { openSlots(mover, kStages, kStages); },
         byEngine},
        {{"graph", "One graph per picture", "upload, kernel and download recorded once and launched as one"},
         MovedMemory::pinned,
         openGraphs,
         launchGraphs},
        {{"bands", "In bands",
          "each picture in bands of rows or slices, one stream per engine: a picture overlaps with itself"},
         MovedMemory::pinned,
         openBands,
         byEngine},
        {{"batched", "Batched",
          "several pictures per copy and launch, as slices of a volume: fewer calls for small pictures"},
         MovedMemory::pinned,
         openBatched,
         byEngine},
        {{"zero_copy", "Zero-copy", "nothing is copied: the kernel reads and writes the host's memory over the link"},
         MovedMemory::slots,
         openPlaced<Placement::host>,
         inPlace},
        {{"managed", "Managed memory", "nothing is copied: pages migrate when the kernel or the host touches them"},
         MovedMemory::slots,
         openPlaced<Placement::managed>,
         inPlaceAndBack}};
    return plans;
}

}  // namespace warplens::gpu
