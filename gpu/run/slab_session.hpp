// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/slabs.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// How slices go over and come back: values interleaved on the host, by planes on the device.
struct SlabFormat {
    std::int64_t pixels = 0;  ///< of a slice
    int channels = 1;
    io::PixelType sent = io::PixelType::f32, fetched = io::PixelType::f32;

    std::size_t pixelsOf(std::int64_t slices) const { return static_cast<std::size_t>(slices * pixels); }
    std::size_t sentBytes(std::int64_t slices) const {
        return pixelsOf(slices) * static_cast<std::size_t>(channels) * io::sizeOf(sent);
    }
    std::size_t fetchedBytes(std::int64_t slices) const {
        return pixelsOf(slices) * static_cast<std::size_t>(channels) * io::sizeOf(fetched);
    }
};

/// Of what devices took at the same time, each figure of the one that took longest for it.
SlabTimes longestOf(const std::vector<SlabTimes>& times);

/// A device's room for one slab at a time, and the ways there and back. Every member throws Error.
class SlabPort {
public:
    /// For so many slices each way. Adds what it takes to `times`, which must outlive it, as must the device.
    SlabPort(Device& device, const SlabFormat& format, std::int64_t mostSent, std::int64_t mostFetched,
             SlabTimes& times);

    Device& device() const { return *m_device; }
    /// Where what was sent lies.
    const Buffer& planes() const { return m_planes; }
    void send(const std::byte* slices, std::int64_t count);
    /// Runs what `work` launches.
    void compute(const std::function<void()>& work);
    /// Packs slices `first` to first + count of f32 planes with `all` slices, in the place of what was sent.
    const Buffer& cut(const Buffer& planes, std::int64_t all, std::int64_t first, std::int64_t count);
    void fetch(const Buffer& planes, std::int64_t count, std::byte* to);

private:
    Device* m_device;
    SlabFormat m_format;
    SlabTimes* m_times;
    Buffer m_planes, m_interleaved;
};

/// A session that sends slab after slab over its devices. They work at once, and each takes the next slab when it is
/// free (parallelForEach()), so that nothing need be known of their speeds. Its times are those of the device that took
/// longest, walk by walk. It drops what the resident holds and leaves its own transfer times there.
class SlabSession : public Session {
public:
    double pass(Device& device) final;
    std::string plan() const override { return m_slabs.sentence() + sharing(); }
    std::optional<SlabMap> slabs() const override;
    Result download(double& layoutMs, double& downloadMs) final;
    /// The kernels' own since a pass began last, or since the beginning.
    double kernelMs() const { return m_times.kernels; }

protected:
    /// `mostSent` slices are sent at a time, and no more than a slab's own come back.
    SlabSession(const std::vector<Device*>& devices, Resident& resident, const SlabPlan& slabs,
                const SlabFormat& format, std::int64_t mostSent);

    /// All that a pass does, walk by walk.
    virtual void work() = 0;
    /// What the last pass has made, and gives up here.
    virtual Result result() = 0;

    /// Every slab, with the place of its device in the list; for devices at once, each in a thread of its own.
    void walk(const std::function<void(std::size_t device, const Slab& slab)>& one);
    /// What was done for this pass elsewhere.
    void add(const SlabTimes& times) { m_times.add(times); }
    /// The first slab of every device that has one, one after the other.
    void walkFirst(const std::function<void(std::size_t device, const Slab& slab)>& one);
    /// Of several devices: `how` they share the slabs, and who computed which when all of them were last walked over;
    /// begins with "; ".
    std::string sharing(const std::string& how = "each takes the next slab when it is free") const;

    const SlabPlan& cut() const { return m_slabs; }
    const SlabFormat& format() const { return m_format; }
    std::vector<SlabPort>& ports() { return m_ports; }

private:
    Resident& m_resident;
    SlabPlan m_slabs;
    SlabFormat m_format;
    SlabTimes m_times;
    std::vector<SlabTimes> m_portTimes;  ///< of the walk under way, one a device
    std::vector<SlabPort> m_ports;       ///< one a device
    std::vector<std::size_t> m_owners;   ///< the device that computed a slab last; empty: none did
};

}  // namespace warplens::gpu
