// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/lane.hpp"
#include "gpu/run/slab_session.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A slab on its way through a ring.
struct SlabJob {
    const std::byte* from = nullptr;  ///< `sent` slices; stay until its turn is over
    std::int64_t sent = 0;            ///< 0: it goes on with what lies on the device
    std::int64_t kept = 0;            ///< slices ahead of those, which end the input of the job before
    std::byte* to = nullptr;          ///< where `fetched` slices go; null: nothing is fetched
    std::int64_t fetched = 0;
    /// What is launched for it, from the planes that were sent to those that are fetched: what no clock counts, the
    /// kernels, and what counts as layout. Called by another thread, perhaps, one after the other and job by job.
    std::function<void(const Buffer&planes, const Buffer&made)> ready{}, compute{}, pack{};
    std::function<void()> landed{};  ///< `to` is written, and so is that of every job before
};

/// A pattern that is no result, by all cores: new memory is slow to fill.
void poisonOnHost(io::Grid& grid);

/// Slabs through a device with a queue for each engine: while one is computed the next is sent and the one before it
/// fetched, through pinned memory where the device's own is apart from the host's. What lies there at a time is
/// bounded: two slabs each way. Every member throws Error.
class SlabRing {
public:
    /// For so many slices each way, those that are kept among them; `staged`: through pinned memory. The device must
    /// outlive it.
    SlabRing(Device& device, const SlabFormat& format, std::int64_t mostSent, std::int64_t mostFetched, bool staged);

    /// Whether the device can do that.
    static bool fits(const Device& device) { return dynamic_cast<const StreamDevice*>(&device) != nullptr; }
    /// Bytes on the device.
    static std::int64_t bytesFor(const SlabFormat& format, std::int64_t mostSent, std::int64_t mostFetched);
    /// Smaller slabs than the memory allows where those overlap better: the first upload and the last download are
    /// hidden by nothing; a halo is sent with each, or `keeps` what the slab before had of it. As many for each of
    /// several devices.
    static SlabPlan plan(const SlabPlan& largest, const SlabFormat& format,
                         const std::function<std::int64_t(std::int64_t)>& bytesFor, bool keeps,
                         std::int64_t devices = 1);

    Device& device() const { return m_device; }
    /// Two buffers as the first job finds them, before there is one.
    const Buffer& planes() const { return m_format.channels > 1 ? m_planes : m_in[0]; }
    const Buffer& made() const { return m_format.channels > 1 ? m_made : m_out[0]; }

    /// So many jobs in their order; `make` is called when the slab before the last one is on the device, so that
    /// `staging` is free again. Adds what it took. Asks for a stop with every slab.
    void run(std::int64_t jobs, const std::function<SlabJob(std::int64_t job, Scratch& staging)>& make,
             SlabOverlap& overlap);

private:
    static constexpr std::size_t kSlots = 2;
    using Clock = std::chrono::steady_clock;
    struct Flight;
    struct Lanes;
    /// `last` is the job before, `before` that which had the slot.
    void send(Lanes& lanes, Flight& flight, const Flight* last, const Flight* before) const;
    void compute(Lanes& lanes, Flight& flight);
    /// Waits for what comes back, and brings it from pinned memory to its place. On any thread.
    void bring(const Flight& flight) const;
    /// Tells what its stages took; it was brought.
    void land(Lanes& lanes, Flight& flight, SlabOverlap& overlap) const;

    Device& m_device;
    StreamDevice& m_overlapping;
    SlabFormat m_format;
    std::array<Buffer, kSlots> m_in, m_out;  ///< as they go over the link
    Buffer m_planes, m_made;                 ///< of several channels: by planes
    std::array<std::shared_ptr<std::byte>, kSlots> m_sending, m_fetching;
    std::array<Scratch, kSlots> m_staging;
};

}  // namespace warplens::gpu
