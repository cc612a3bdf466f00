// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/slab_ring.hpp"

#include "gpu/core/moments.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <utility>

namespace warplens::gpu {
namespace {

// Less than this keeps no link busy; more of it is long to wait for after a stop.
constexpr std::int64_t kLeastSent = std::int64_t{16} << 20, kMostSent = std::int64_t{256} << 20;
// What goes through pinned memory is copied there in the cache of the host's processor, and little is hidden by
// nothing: measurements.md. Thinner slabs than so many halos send too much twice.
constexpr std::int64_t kCached = std::int64_t{32} << 20, kLeastHalos = 12;
// One thread copies at a fifth of a link's speed.
constexpr std::size_t kCopiedAtOnce = std::size_t{1} << 20;
// A slab goes to and from pinned memory in such parts, each on its way over the link while the next is copied.
constexpr std::size_t kPart = std::size_t{16} << 20;

void forParts(std::size_t bytes, const std::function<void(std::size_t at, std::size_t size)>& one) {
    for (std::size_t at = 0; at < bytes; at += kPart) one(at, std::min(kPart, bytes - at));
}

void copyInParts(std::byte* to, const std::byte* from, std::size_t bytes) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes, kCopiedAtOnce),
                      [=](const tbb::blocked_range<std::size_t>& part) {
                          std::memcpy(to + part.begin(), from + part.begin(), part.size());
                      });
}

std::string milliseconds(double ms) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g ms", ms);
    return text;
}

}  // namespace

void SlabOverlap::add(const SlabOverlap& other) {
    sums.add(other.sums);
    totalMs += other.totalMs;
}

void SlabOverlap::join(const SlabOverlap& other) {
    for (double SlabTimes::*time : {&SlabTimes::upload, &SlabTimes::deinterleave, &SlabTimes::kernels,
                                    &SlabTimes::interleave, &SlabTimes::download})
        sums.*time = std::max(sums.*time, other.sums.*time);
    totalMs = std::max(totalMs, other.totalMs);
}

void poisonOnHost(io::Grid& grid) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, grid.bytes(), kCopiedAtOnce),
                      [to = grid.data()](const tbb::blocked_range<std::size_t>& part) {
                          std::memset(to + part.begin(), 0xff, part.size());
                      });
}

double SlabOverlap::busiestMs() const {
    return std::max({sums.upload, sums.deinterleave + sums.kernels + sums.interleave, sums.download});
}

std::string SlabOverlap::sentence() const {
    const double busiest = busiestMs();
    const char* const engine = busiest == sums.upload ? "upload" : busiest == sums.download ? "download" : "kernels";
    return "overlapped: " + milliseconds(totalMs) + " in all, its busiest engine (" + engine + ") " +
           milliseconds(busiest) + ", " + milliseconds(std::max(0.0, totalMs - busiest)) + " exposed";
}

/// A job, and when each of its stages has come.
struct SlabRing::Flight {
    SlabJob job{};
    std::size_t slot = 0;
    std::shared_ptr<Moment> sending{}, sent{}, begun{}, planar{}, readied{}, computed{}, packed{}, fetching{},
        fetched{};
    std::vector<std::shared_ptr<Moment>> parts{};  ///< of what comes to pinned memory
};

struct SlabRing::Lanes {
    explicit Lanes(StreamDevice& device)
        : up(device.createStream()), kernels(device.createStream()), down(device.createStream()), begin(up->mark()) {
        begin->wait();
        started = Clock::now();
    }
    std::unique_ptr<Lane> up, kernels, down;
    std::shared_ptr<Moment> begin;
    Clock::time_point started{};
};

SlabRing::SlabRing(Device& device, const SlabFormat& format, std::int64_t mostSent, std::int64_t mostFetched,
                   bool staged)
    : m_device(device), m_overlapping(overlappingOf(device)), m_format(format) {
    const std::size_t sent = format.sentBytes(mostSent), fetched = format.fetchedBytes(mostFetched);
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        m_in[slot] = device.allocate(sent);
        m_out[slot] = device.allocate(fetched);
    }
    if (format.channels > 1) {
        m_planes = device.allocate(sent);
        m_made = device.allocate(fetched);
    }
    for (std::size_t slot = 0; staged && slot < kSlots; ++slot) {
        m_sending[slot] = m_overlapping.pinned(sent);
        m_fetching[slot] = m_overlapping.pinned(fetched);
    }
}

std::int64_t SlabRing::bytesFor(const SlabFormat& format, std::int64_t mostSent, std::int64_t mostFetched) {
    const std::int64_t each = static_cast<std::int64_t>(kSlots) + (format.channels > 1 ? 1 : 0);
    return each * static_cast<std::int64_t>(format.sentBytes(mostSent) + format.fetchedBytes(mostFetched));
}

SlabPlan SlabRing::plan(const SlabPlan& largest, const SlabFormat& format,
                        const std::function<std::int64_t(std::int64_t)>& bytesFor, bool keeps, std::int64_t devices) {
    const auto slice = static_cast<std::int64_t>(format.sentBytes(1));
    const std::int64_t halo = keeps ? 0 : largest.halo;
    // Slabs beyond the busy ones cost (n + 2) x (depth / n + 2 halo) slices: least at this n.
    const double best = std::sqrt(static_cast<double>(largest.depth) / std::max(0.5, static_cast<double>(halo)));
    std::int64_t slices = static_cast<std::int64_t>(std::ceil(static_cast<double>(largest.depth) / best));
    slices = std::min(slices, std::max(kCached / slice, kLeastHalos * halo));
    slices = std::max(slices, kLeastSent / slice);
    slices = std::clamp<std::int64_t>(std::min(slices, kMostSent / slice), 1, largest.slices);
    const std::int64_t each = (largest.depth + slices * devices - 1) / (slices * devices);
    const std::int64_t count = std::min(largest.depth, each * devices);
    SlabPlan plan = largest;
    plan.slices = (largest.depth + count - 1) / count;
    plan.bytes = bytesFor(plan.slices);
    plan.overlapped = true;
    return plan;
}

void SlabRing::run(std::int64_t jobs, const std::function<SlabJob(std::int64_t, Scratch&)>& make,
                   SlabOverlap& overlap) {
    if (jobs <= 0) return;
    // A flight is over two slabs after its own; the lanes end before what they use.
    std::array<Flight, 2 * kSlots> flights;
    Lanes lanes(m_overlapping);
    const auto at = [&](std::int64_t job) -> Flight& {
        return flights[static_cast<std::size_t>(job) % flights.size()];
    };
    const auto begin = [&](std::int64_t job) {
        const Flight *const last = job >= 1 ? &at(job - 1) : nullptr, *const before = job >= 2 ? &at(job - 2) : nullptr;
        if (before != nullptr && before->sent) before->sent->wait();
        Flight& flight = at(job);
        flight = {};
        flight.slot = static_cast<std::size_t>(job) % kSlots;
        flight.job = make(job, m_staging[flight.slot]);
        if (flight.job.sent > 0) send(lanes, flight, last, before);
    };
    begin(0);
    for (std::int64_t job = 0; job < jobs; ++job) {
        // Copies to and from pinned memory take as long as the link: side by side, or they are what limits.
        std::future<void> brought;
        if (job >= 2 && m_fetching[0])
            brought = std::async(std::launch::async, [this, &flight = at(job - 2)] { bring(flight); });
        if (job + 1 < jobs) begin(job + 1);
        if (job >= 2) {
            brought.valid() ? brought.get() : bring(at(job - 2));
            land(lanes, at(job - 2), overlap);
        }
        compute(lanes, at(job));
    }
    for (std::int64_t job = std::max<std::int64_t>(0, jobs - 2); job < jobs; ++job) {
        bring(at(job));
        land(lanes, at(job), overlap);
    }
    overlap.totalMs += std::chrono::duration<double, std::milli>(Clock::now() - lanes.started).count();
}

void SlabRing::send(Lanes& lanes, Flight& flight, const Flight* last, const Flight* before) const {
    const std::size_t bytes = m_format.sentBytes(flight.job.sent), kept = m_format.sentBytes(flight.job.kept);
    const std::byte* from = flight.job.from;
    const Buffer& in = m_in[flight.slot];
    const auto& pinned = m_sending[flight.slot];
    if (pinned) copyInParts(pinned.get(), from, std::min(kPart, bytes));
    if (before != nullptr) lanes.up->after(before->packed);
    flight.sending = lanes.up->mark();
    if (kept > 0) {
        const std::int64_t skipped = last->job.kept + last->job.sent - flight.job.kept;
        lanes.up->copy(in, 0, m_in[last->slot], m_format.sentBytes(skipped), kept);
    }
    if (pinned) {
        forParts(bytes, [&](std::size_t at, std::size_t size) {
            if (at > 0) copyInParts(pinned.get() + at, from + at, size);
            lanes.up->upload(in, kept + at, pinned.get() + at, size);
        });
    } else {
        lanes.up->upload(in, kept, from, bytes);
    }
    flight.sent = lanes.up->mark();
}

void SlabRing::compute(Lanes& lanes, Flight& flight) {
    const SlabJob& job = flight.job;
    const Buffer &in = m_in[flight.slot], &out = m_out[flight.slot];
    const bool several = m_format.channels > 1;
    if (flight.sent) lanes.kernels->after(flight.sent);
    flight.begun = lanes.kernels->mark();
    if (several && job.sent > 0) {
        lanes.kernels->run([this, &in, sent = job.kept + job.sent] {
            layoutEntry(m_device.info())
                .deinterleave(m_device.context(), in.handle(), m_planes.handle(), m_format.pixelsOf(sent),
                              m_format.channels, m_format.sent);
        });
    }
    flight.planar = lanes.kernels->mark();
    const Buffer &planes = several ? m_planes : in, &made = several ? m_made : out;
    if (job.ready) lanes.kernels->run([ready = job.ready, &planes, &made] { ready(planes, made); });
    flight.readied = lanes.kernels->mark();
    lanes.kernels->run([work = job.compute, &planes, &made] { work(planes, made); });
    flight.computed = lanes.kernels->mark();
    if (job.pack) lanes.kernels->run([pack = job.pack, &planes, &made] { pack(planes, made); });
    if (several && job.to != nullptr) {
        lanes.kernels->run([this, &out, fetched = job.fetched] {
            layoutEntry(m_device.info())
                .interleave(m_device.context(), m_made.handle(), out.handle(), m_format.pixelsOf(fetched),
                            m_format.channels, m_format.fetched);
        });
    }
    flight.packed = lanes.kernels->mark();
    if (job.to == nullptr) return;
    lanes.down->after(flight.packed);
    flight.fetching = lanes.down->mark();
    const std::size_t bytes = m_format.fetchedBytes(job.fetched);
    if (const auto& pinned = m_fetching[flight.slot]) {
        forParts(bytes, [&](std::size_t at, std::size_t size) {
            lanes.down->download(pinned.get() + at, out, at, size);
            flight.parts.push_back(lanes.down->mark());
        });
        flight.fetched = flight.parts.back();
    } else {
        lanes.down->download(job.to, out, 0, bytes);
        flight.fetched = lanes.down->mark();
    }
}

void SlabRing::bring(const Flight& flight) const {
    flight.packed->wait();
    if (!flight.fetched) return;
    const auto& pinned = m_fetching[flight.slot];
    if (!pinned) return flight.fetched->wait();
    forParts(m_format.fetchedBytes(flight.job.fetched), [&](std::size_t at, std::size_t size) {
        flight.parts[at / kPart]->wait();
        copyInParts(flight.job.to + at, pinned.get() + at, size);
    });
}

void SlabRing::land(Lanes& lanes, Flight& flight, SlabOverlap& overlap) const {
    const auto took = [&](const char* stage, const std::shared_ptr<Moment>& from, const std::shared_ptr<Moment>& to) {
        if (!from || !to) return 0.0;
        const auto since = [&](const Moment& moment) {
            const std::chrono::duration<double, std::milli> ms(std::max(0.0, moment.msSince(*lanes.begin)));
            return lanes.started + std::chrono::duration_cast<Clock::duration>(ms);
        };
        const double ms = std::max(0.0, to->msSince(*from));
        StageLog::tell(stage, since(*from), since(*to));
        return ms;
    };
    overlap.sums.upload += took(StageLog::kUpload, flight.sending, flight.sent);
    if (m_format.channels > 1 && flight.job.sent > 0)
        overlap.sums.deinterleave += took(StageLog::kLayout, flight.begun, flight.planar);
    overlap.sums.kernels += took(StageLog::kKernel, flight.readied, flight.computed);
    if (flight.job.pack || (m_format.channels > 1 && flight.fetched))
        overlap.sums.interleave += took(StageLog::kLayout, flight.computed, flight.packed);
    overlap.sums.download += took(StageLog::kDownload, flight.fetching, flight.fetched);
    if (flight.job.landed) flight.job.landed();
}

}  // namespace warplens::gpu
