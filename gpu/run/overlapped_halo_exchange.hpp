// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/device/lane.hpp"
#include "gpu/run/halo_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace warplens::gpu {

/// What a device launches in one round, and where that comes. It reads what the round before left, and writes no
/// halos.
struct HaloRound {
    std::vector<std::function<void()>> faces;  ///< makes the lines that neighbours want, at least
    std::function<void()> interior;            ///< the other lines; empty: there are none
    LocalLines made;
};

/// Rounds of devices that hold neighbouring stretches of one field: each computes its faces first and sends them to its
/// neighbours' halos while it computes the interior, so that an exchange costs time only where it outlasts that. Rounds
/// are queued and devices wait for each other by themselves: nobody uses their own queues until finish(). Every member
/// throws Error, after which only its end may come: that waits for all that was queued.
class OverlappedHaloExchange {
public:
    /// Neighbours' buffers can be reached (Peers::whyNoPeer() said so), and all devices are Overlapping. They outlive
    /// it, and have nothing under way. `pixels`: of a line.
    OverlappedHaloExchange(std::vector<Device*> devices, std::int64_t pixels, int channels);

    /// Queues a round, one entry a device. `halo` lines go to each neighbour, 0: none. Buffers stay where they are
    /// until finish().
    void round(const std::vector<HaloRound>& given, std::int64_t halo);

    /// These rounds, one after another, as one launch graph for all devices; nothing is queued yet. The last leaves
    /// fields in the buffers from which the first takes them. Good until finish().
    LaunchGraph& record(const std::vector<std::vector<HaloRound>>& rounds, std::int64_t halo);
    /// Queues them so many times.
    void repeat(LaunchGraph& graph, std::int64_t times);

    struct Times {
        double ms = 0;         ///< from the first round's begin to the end, of the device that took longest
        double exposedMs = 0;  ///< between two rounds' kernels, and behind the last, of the device that waited longest
    };
    /// Waits for all of them, and tells what they took since the last time, by the devices' clocks.
    Times finish();

private:
    struct Site {
        Device* device = nullptr;
        std::unique_ptr<Lane> faces, interior;
        std::shared_ptr<Moment> begin;     ///< of the first round since finish()
        std::shared_ptr<Moment> computed;  ///< kernels of the last round that was looked at
        double exposedMs = 0;
    };
    /// Of one device's round.
    struct Marks {
        std::shared_ptr<Moment> begin, faces, sent, interior;
    };
    using Round = std::vector<Marks>;

    /// Gives a round to the lanes, behind the one before; empty: there is none.
    Round give(const std::vector<HaloRound>& given, std::int64_t halo, const Round& before);
    void queued(Round now);
    void send(std::size_t device, const std::vector<HaloRound>& given, std::int64_t halo);
    /// Waits for the first round that is queued, and forgets it.
    void retireOldest();

    std::int64_t m_pixels;
    int m_channels;
    std::vector<std::unique_ptr<LaunchGraph>> m_graphs;  ///< recorded since finish()
    std::vector<Site> m_sites;                           // its lanes end before the graphs that they were given
    std::deque<Round> m_queued;
    std::size_t m_ahead;  ///< rounds that may be queued
    Round m_last;         ///< empty: nothing was queued since finish()
};

}  // namespace warplens::gpu
