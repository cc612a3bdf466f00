// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/slabs.hpp"

#include <cstddef>
#include <functional>
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

/// What slabs took, in milliseconds.
struct SlabTimes {
    double upload = 0, deinterleave = 0, kernels = 0, interleave = 0, download = 0;
};

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

/// A session that sends slab after slab over its devices, each of which has a stretch of the volume to itself
/// (SlabPlan::deviceOf). The devices work one after the other. It drops what the resident holds and leaves its own
/// transfer times there.
class SlabSession : public Session {
public:
    double pass(Device& device) final;
    std::string plan() const override { return m_slabs.sentence(); }
    Result download(double& layoutMs, double& downloadMs) final;

protected:
    /// `mostSent` slices are sent at a time, and no more than a slab's own come back.
    SlabSession(const std::vector<Device*>& devices, Resident& resident, const SlabPlan& slabs,
                const SlabFormat& format, std::int64_t mostSent);

    /// All that a pass does, walk by walk.
    virtual void work() = 0;
    /// What the last pass has made, and gives up here.
    virtual Result result() = 0;

    /// Every slab in its turn, with the place of its device in the list.
    void walk(const std::function<void(std::size_t device, const Slab& slab)>& one);
    /// The first slab of every device.
    void walkFirst(const std::function<void(std::size_t device, const Slab& slab)>& one);

    const SlabPlan& slabs() const { return m_slabs; }
    const SlabFormat& format() const { return m_format; }
    std::vector<SlabPort>& ports() { return m_ports; }

private:
    Resident& m_resident;
    SlabPlan m_slabs;
    SlabFormat m_format;
    SlabTimes m_times;
    std::vector<SlabPort> m_ports;  ///< one a device
};

}  // namespace warplens::gpu
