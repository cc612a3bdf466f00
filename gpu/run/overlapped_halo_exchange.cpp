// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/overlapped_halo_exchange.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu {
namespace {

// Enough that no device waits for the host, and few enough that a stop is soon heard.
constexpr std::size_t kLeastAhead = 2, kMostAhead = 8;
constexpr double kQueuedMs = 40;

}  // namespace

OverlappedHaloExchange::OverlappedHaloExchange(std::vector<Device*> devices, std::int64_t pixels, int channels)
    : m_pixels(pixels), m_channels(channels), m_ahead(kLeastAhead) {
    for (Device* device : devices) {
        StreamDevice& overlapping = overlappingOf(*device);
        Site site;
        site.device = device;
        site.faces = overlapping.createStream(StreamKind::urgent);
        site.interior = overlapping.createStream();
        m_sites.push_back(std::move(site));
    }
}

void OverlappedHaloExchange::round(const std::vector<HaloRound>& given, std::int64_t halo) {
    while (m_queued.size() >= m_ahead) retireOldest();
    queued(give(given, halo, m_last));
}

OverlappedHaloExchange::Round OverlappedHaloExchange::give(const std::vector<HaloRound>& given, std::int64_t halo,
                                                           const Round& before) {
    Round now(m_sites.size());
    for (std::size_t i = 0; i < m_sites.size(); ++i) {
        Lane& lane = *m_sites[i].faces;
        if (!before.empty()) {
            lane.after(before[i].interior);
            if (i > 0) lane.after(before[i - 1].sent);
            if (i + 1 < m_sites.size()) lane.after(before[i + 1].sent);
        }
        now[i].begin = lane.mark();
        for (const auto& face : given[i].faces) lane.run(face);
        now[i].faces = lane.mark();
    }
    // A neighbour's halo that is written here was read by its faces of the round before. They were done before it sent
    // its own, for which this device's faces have waited.
    for (std::size_t i = 0; i < m_sites.size(); ++i) {
        if (halo > 0) send(i, given, halo);
        now[i].sent = m_sites[i].faces->mark();
    }
    for (std::size_t i = 0; i < m_sites.size(); ++i) {
        Lane& lane = *m_sites[i].interior;
        // It reads what the faces of the round before wrote, and writes what they read.
        lane.after(before.empty() ? now[i].begin : before[i].faces);
        if (given[i].interior) lane.run(given[i].interior);
        now[i].interior = lane.mark();
    }
    return now;
}

void OverlappedHaloExchange::queued(Round now) {
    if (m_last.empty())
        for (std::size_t i = 0; i < m_sites.size(); ++i) m_sites[i].begin = now[i].begin;
    m_queued.push_back(now);
    m_last = std::move(now);
}

LaunchGraph& OverlappedHaloExchange::record(const std::vector<std::vector<HaloRound>>& rounds, std::int64_t halo) {
    Lane& first = *m_sites.front().faces;
    std::vector<Lane*> beside;
    for (const Site& site : m_sites) {
        if (site.faces.get() != &first) beside.push_back(site.faces.get());
        beside.push_back(site.interior.get());
    }
    m_graphs.push_back(first.record(beside, [&] {
        Round before;
        for (const std::vector<HaloRound>& given : rounds) before = give(given, halo, before);
    }));
    return *m_graphs.back();
}

void OverlappedHaloExchange::repeat(LaunchGraph& graph, std::int64_t times) {
    Lane& first = *m_sites.front().faces;
    for (std::int64_t time = 0; time < times; ++time) {
        while (m_queued.size() >= m_ahead) retireOldest();
        Round now(m_sites.size());
        for (std::size_t i = 0; i < m_sites.size(); ++i) {
            Lane& lane = *m_sites[i].faces;
            if (!m_last.empty()) lane.after(m_last[i].interior);
            now[i].begin = lane.mark();
            if (i > 0) first.after(now[i].begin);
        }
        graph.launch();
        const std::shared_ptr<Moment> end = first.mark();
        for (std::size_t i = 0; i < m_sites.size(); ++i) {
            Lane& lane = *m_sites[i].faces;
            if (i > 0) lane.after(end);
            now[i].faces = now[i].sent = now[i].interior = i > 0 ? lane.mark() : end;
        }
        queued(std::move(now));
    }
}

void OverlappedHaloExchange::send(std::size_t device, const std::vector<HaloRound>& given, std::int64_t halo) {
    const LocalLines& from = given[device].made;
    const auto bytesOf = [this](std::int64_t lines) {
        return static_cast<std::size_t>(lines * m_pixels) * sizeof(float);
    };
    for (const std::int64_t side : {-1, 1}) {
        const std::int64_t other = static_cast<std::int64_t>(device) + side;
        if (other < 0 || other >= static_cast<std::int64_t>(given.size())) continue;
        const LocalLines& to = given[static_cast<std::size_t>(other)].made;
        const std::int64_t line = side < 0 ? from.first : from.first + from.own - halo;
        const std::int64_t there = side < 0 ? to.first + to.own : to.first - halo;
        for (std::int64_t c = 0; c < m_channels; ++c)
            m_sites[device].faces->copy(*to.planes, bytesOf(c * to.count + there), *from.planes,
                                        bytesOf(c * from.count + line), bytesOf(halo));
    }
}

void OverlappedHaloExchange::retireOldest() {
    const Round round = std::move(m_queued.front());
    m_queued.pop_front();
    double longest = 0;
    for (std::size_t i = 0; i < m_sites.size(); ++i) {
        Site& site = m_sites[i];
        round[i].sent->wait();
        round[i].interior->wait();
        if (site.computed) site.exposedMs += std::max(0.0, round[i].begin->msSince(*site.computed));
        const bool facesLast = round[i].faces->msSince(*site.begin) > round[i].interior->msSince(*site.begin);
        site.computed = facesLast ? round[i].faces : round[i].interior;
        longest = std::max(longest, site.computed->msSince(*round[i].begin));
    }
    const double fit = kQueuedMs / std::max(longest, kQueuedMs / static_cast<double>(kMostAhead));
    m_ahead = std::max(kLeastAhead, static_cast<std::size_t>(fit));
}

OverlappedHaloExchange::Times OverlappedHaloExchange::finish() {
    while (!m_queued.empty()) retireOldest();
    Times times;
    for (std::size_t i = 0; !m_last.empty() && i < m_sites.size(); ++i) {
        Site& site = m_sites[i];
        const double sent = m_last[i].sent->msSince(*site.begin), computed = site.computed->msSince(*site.begin);
        times.ms = std::max({times.ms, sent, computed});
        site.exposedMs += std::max(0.0, sent - computed);
        times.exposedMs = std::max(times.exposedMs, site.exposedMs);
        site.begin = site.computed = nullptr;
        site.exposedMs = 0;
    }
    m_last.clear();
    m_graphs.clear();
    return times;
}

}  // namespace warplens::gpu
