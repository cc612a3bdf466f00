// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/halo_exchange.hpp"

#include "gpu/device/lane.hpp"
#include "gpu/device/peers.hpp"
#include "gpu/kernels/layout.hpp"
#include "gpu/run/share_out.hpp"

#include <chrono>
#include <cstdio>
#include <functional>
#include <new>

namespace warplens::gpu {
namespace {

constexpr auto kFloat = io::PixelType::f32;

/// Pinned where the device has that.
std::shared_ptr<std::byte> hostMemory(Device& device, std::size_t bytes) {
    if (const auto* overlapping = dynamic_cast<const StreamDevice*>(&device)) return overlapping->pinned(bytes);
    return {new std::byte[bytes], std::default_delete<std::byte[]>()};
}

std::string inMegabytes(std::int64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g MB", static_cast<double>(bytes) * 1e-6);
    return text;
}

}  // namespace

HaloExchange::HaloExchange(const std::vector<Device*>& devices, std::int64_t halo, std::int64_t pixels, int channels,
                           Way way)
    : m_devices(devices), m_halo(halo), m_pixels(pixels), m_channels(channels), m_faces(devices.size()) {
    choose(way);
    for (std::size_t i = 0; m_way == Way::host && i < m_devices.size(); ++i) {
        for (const int side : {0, 1}) {
            if (!hasNeighbour(i, side)) continue;
            m_faces[i].out[side] = m_devices[i]->allocate(faceBytes());
            m_faces[i].in[side] = m_devices[i]->allocate(faceBytes());
            m_faces[i].host[side] = hostMemory(*m_devices[i], faceBytes());
        }
    }
}

void HaloExchange::choose(Way way) {
    m_way = way;
    if (!overlaps(way)) m_why = "as asked for";
    std::string none;
    for (std::size_t i = 0; i < m_devices.size() && none.empty() && way != Way::host; ++i) {
        auto* peers = dynamic_cast<Peers*>(m_devices[i]);
        if (peers == nullptr) none = m_devices[i]->info().id + " has no peer copies";
        for (const int side : {0, 1})
            if (none.empty() && hasNeighbour(i, side)) none = peers->whyNoPeer(*m_devices[neighbour(i, side)]);
    }
    if (!none.empty()) {
        m_way = Way::host;
        m_why = none;
    }
    for (const Device* device : m_devices) {
        if (!overlaps(m_way) || dynamic_cast<const StreamDevice*>(device) != nullptr) continue;
        m_way = Way::peer;
        m_why = device->info().id + " has one queue";
    }
}

bool HaloExchange::hasNeighbour(std::size_t device, int side) const {
    return side == 0 ? device > 0 : device + 1 < m_devices.size();
}

std::size_t HaloExchange::faceBytes() const {
    return static_cast<std::size_t>(bytesFor(m_halo, m_pixels, m_channels) / 4);
}

std::int64_t HaloExchange::bytesFor(std::int64_t halo, std::int64_t pixels, int channels) {
    return 4 * halo * pixels * channels * static_cast<std::int64_t>(sizeof(float));
}

void HaloExchange::restart() {
    m_exchanges = m_inGraphs = m_bytes = 0;
    m_exposedMs = 0;
}

void HaloExchange::run(const std::vector<LocalLines>& held) {
    const auto begin = std::chrono::steady_clock::now();
    const auto count = static_cast<std::int64_t>(m_devices.size());
    const auto all = [&](const std::function<void(std::size_t)>& one) {
        parallelForEach(m_devices.size(), count,
                        [&](std::size_t, std::int64_t i) { one(static_cast<std::size_t>(i)); });
    };
    if (m_way != Way::host) {
        all([&](std::size_t device) { give(device, held); });
    } else {
        // Nobody reads a face before all are sent.
        all([&](std::size_t device) { send(device, held[device]); });
        all([&](std::size_t device) { receive(device, held[device]); });
    }
    m_exposedMs += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    this->count(m_halo);
}

void HaloExchange::count(std::int64_t halo, std::int64_t exchanges, bool graphs) {
    const std::int64_t faces = 2 * static_cast<std::int64_t>(m_devices.size() - 1);
    m_bytes += exchanges * faces * bytesFor(halo, m_pixels, m_channels) / 4;
    m_exchanges += exchanges;
    if (graphs) m_inGraphs += exchanges;
}

// Own lines are read and the neighbours' halos written, which nobody else does.
void HaloExchange::give(std::size_t device, const std::vector<LocalLines>& held) const {
    Device& mine = *m_devices[device];
    const LocalLines& from = held[device];
    for (const int side : {0, 1}) {
        if (!hasNeighbour(device, side)) continue;
        const LocalLines& to = held[neighbour(device, side)];
        const std::int64_t line = side == 0 ? from.first : from.first + from.own - m_halo;
        const std::int64_t there = side == 0 ? to.first + to.own : to.first - m_halo;
        const auto bytesOf = [this](std::int64_t lines) {
            return static_cast<std::size_t>(lines * m_pixels) * sizeof(float);
        };
        for (std::int64_t c = 0; c < m_channels; ++c) {
            dynamic_cast<Peers&>(mine).copyToPeer(*from.planes, bytesOf(c * from.count + line),
                                                  *m_devices[neighbour(device, side)], *to.planes,
                                                  bytesOf(c * to.count + there), bytesOf(m_halo));
        }
    }
    mine.synchronize();
}

void HaloExchange::send(std::size_t device, const LocalLines& held) {
    Device& mine = *m_devices[device];
    for (const int side : {0, 1}) {
        if (!hasNeighbour(device, side)) continue;
        const Buffer& face = m_faces[device].out[side];
        move(mine, held, side == 0 ? held.first : held.first + held.own - m_halo, face, true);
        mine.download(m_faces[device].host[side].get(), face, faceBytes());
    }
}

void HaloExchange::receive(std::size_t device, const LocalLines& held) {
    Device& mine = *m_devices[device];
    for (const int side : {0, 1}) {
        if (!hasNeighbour(device, side)) continue;
        const Buffer& face = m_faces[device].in[side];
        mine.upload(face, m_faces[neighbour(device, side)].host[1 - side].get(), faceBytes());
        move(mine, held, side == 0 ? held.first - m_halo : held.first + held.own, face, false);
    }
    mine.synchronize();
}

void HaloExchange::move(Device& device, const LocalLines& held, std::int64_t first, const Buffer& face,
                        bool pack) const {
    const auto bytesOf = [this](std::int64_t lines) {
        return static_cast<std::size_t>(lines * m_pixels) * sizeof(float);
    };
    for (std::int64_t c = 0; c < m_channels; ++c) {
        const std::size_t inPlanes = bytesOf(c * held.count + first), inFace = bytesOf(c * m_halo);
        const Buffer &from = pack ? *held.planes : face, &to = pack ? face : *held.planes;
        layoutEntry(device.info())
            .convert(device.context(), from.handle(), pack ? inPlanes : inFace, kFloat, to.handle(),
                     pack ? inFace : inPlanes, kFloat, static_cast<std::size_t>(m_halo * m_pixels));
    }
}

std::string HaloExchange::sentence() const {
    char exposed[32];
    std::snprintf(exposed, sizeof exposed, "%.3g ms", m_exposedMs);
    const std::string why = m_apart.empty() || !overlaps(m_way) ? m_why : m_apart;
    std::string overlapped = " behind the interior, faces first";
    if (m_inGraphs > 0)
        overlapped += ", " + std::to_string(m_inGraphs) + " of them in launch graphs";
    else if (m_way == Way::graph)
        overlapped += " (too few for a launch graph)";
    return std::to_string(m_exchanges) + (m_exchanges == 1 ? " exchange" : " exchanges") + " of halos " +
           (m_way == Way::host ? "through the host" : "by peer copies") +
           (overlaps(way()) ? overlapped : " (" + why + ")") + ", " + inMegabytes(m_bytes) + ", exposed " + exposed +
           (m_inGraphs > 0 ? " outside the graphs (measured)" : " (measured)");  // which have no marks within
}

}  // namespace warplens::gpu
