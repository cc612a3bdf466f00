// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/multi_device_problem.hpp"
#include "gpu/device/device.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// A stretch of lines (slices, or rows of a picture) that a device holds: its own, and beyond each end that is not the
/// whole's a halo of the neighbour's.
struct LocalLines {
    const Buffer* planes = nullptr;  ///< f32, channel after channel
    std::int64_t count = 0;          ///< lines in all
    std::int64_t first = 0;          ///< where its own begin among them
    std::int64_t own = 0;            ///< at least as many as the halo has
};

/// Devices that hold neighbouring stretches of one field give each other the lines of their halos, all at once:
/// straight to where the neighbour wants them (peer copies), or packed on the device, through the host, and unpacked
/// there.
class HaloExchange {
public:
    using Way = HaloExchangeMode;  ///< overlapped and graph: OverlappedHaloExchange

    /// `pixels`: of a line. The way that is asked for, or the next slower one that all neighbours have. The devices
    /// outlive it. Throws Error.
    HaloExchange(const std::vector<Device*>& devices, std::int64_t halo, std::int64_t pixels, int channels,
                 Way way = Way::overlapped);

    /// Why sweeps that could overlap do not, from now on: what they run does not take a slab in parts. Empty: they do.
    void disableOverlap(std::string why) { m_apart = std::move(why); }
    /// Exchanges of so many lines that OverlappedHaloExchange made, in launch graphs or one by one.
    void count(std::int64_t halo, std::int64_t exchanges = 1, bool graphs = false);
    /// What exchanges that OverlappedHaloExchange made have exposed.
    void expose(double ms) { m_exposedMs += ms; }

    /// One stretch a device, in the devices' order, whose work is done; not overlapped. Throws Error.
    void run(const std::vector<LocalLines>& held);
    /// From now on they are counted anew.
    void restart();
    Way way() const { return overlaps(m_way) && !m_apart.empty() ? Way::peer : m_way; }
    static bool overlaps(Way way) { return way == Way::overlapped || way == Way::graph; }
    /// "12 exchanges of halos by peer copies, 3.1 MB, exposed 4.2 ms (measured)"; of another way than the fastest it
    /// says why.
    std::string sentence() const;

    /// Bytes on a device that goes through the host; peer copies need none.
    static std::int64_t bytesFor(std::int64_t halo, std::int64_t pixels, int channels);

private:
    /// What a device sends to its neighbours and gets from them through the host: the one below, the one above.
    struct Faces {
        Buffer out[2], in[2];
        std::shared_ptr<std::byte> host[2];  ///< what it sends on its way through the host
    };

    bool hasNeighbour(std::size_t device, int side) const;
    std::size_t neighbour(std::size_t device, int side) const { return side == 0 ? device - 1 : device + 1; }
    std::size_t faceBytes() const;
    void choose(Way way);
    void give(std::size_t device, const std::vector<LocalLines>& held) const;
    void send(std::size_t device, const LocalLines& held);
    void receive(std::size_t device, const LocalLines& held);
    /// Lines from `first` on between the planes and a face.
    void move(Device& device, const LocalLines& held, std::int64_t first, const Buffer& face, bool pack) const;

    std::vector<Device*> m_devices;
    std::int64_t m_halo, m_pixels;
    int m_channels;
    Way m_way = Way::peer;
    std::string m_why;    ///< not the fastest way
    std::string m_apart;  ///< not the fastest way for what runs now
    std::vector<Faces> m_faces;
    std::int64_t m_exchanges = 0, m_inGraphs = 0, m_bytes = 0;
    double m_exposedMs = 0;
};

}  // namespace warplens::gpu
