// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/slab_session.hpp"

#include "gpu/kernels/layout.hpp"
#include "gpu/run/share_out.hpp"

#include <algorithm>

namespace warplens::gpu {

void SlabTimes::add(const SlabTimes& other) {
    upload += other.upload;
    deinterleave += other.deinterleave;
    kernels += other.kernels;
    interleave += other.interleave;
    download += other.download;
}

SlabTimes longestOf(const std::vector<SlabTimes>& times) {
    SlabTimes longest;
    for (double SlabTimes::*time : {&SlabTimes::upload, &SlabTimes::deinterleave, &SlabTimes::kernels,
                                    &SlabTimes::interleave, &SlabTimes::download})
        for (const SlabTimes& one : times) longest.*time = std::max(longest.*time, one.*time);
    return longest;
}

SlabPort::SlabPort(Device& device, const SlabFormat& format, std::int64_t mostSent, std::int64_t mostFetched,
                   SlabTimes& times)
    : m_device(&device), m_format(format), m_times(&times), m_planes(device.allocate(format.sentBytes(mostSent))) {
    if (format.channels > 1)
        m_interleaved = device.allocate(std::max(format.sentBytes(mostSent), format.fetchedBytes(mostFetched)));
}

void SlabPort::send(const std::byte* slices, std::int64_t count) {
    const Buffer& first = m_format.channels > 1 ? m_interleaved : m_planes;
    m_times->upload += m_device->time([&] { m_device->upload(first, slices, m_format.sentBytes(count)); });
    if (m_format.channels == 1) return;
    m_times->deinterleave += m_device->time([&] {
        layoutEntry(m_device->info())
            .deinterleave(m_device->context(), m_interleaved.handle(), m_planes.handle(), m_format.pixelsOf(count),
                          m_format.channels, m_format.sent);
    });
}

void SlabPort::compute(const std::function<void()>& work) { m_times->kernels += m_device->time(work); }

const Buffer& SlabPort::cut(const Buffer& planes, std::int64_t all, std::int64_t first, std::int64_t count) {
    if (all == count) return planes;
    constexpr auto kFloat = io::PixelType::f32;
    m_times->interleave += m_device->time([&] {
        for (std::int64_t c = 0; c < m_format.channels; ++c) {
            layoutEntry(m_device->info())
                .convert(m_device->context(), planes.handle(), m_format.pixelsOf(c * all + first) * sizeof(float),
                         kFloat, m_planes.handle(), m_format.pixelsOf(c * count) * sizeof(float), kFloat,
                         m_format.pixelsOf(count));
        }
    });
    return m_planes;
}

void SlabPort::fetch(const Buffer& planes, std::int64_t count, std::byte* to) {
    const Buffer* last = &planes;
    if (m_format.channels > 1) {
        m_times->interleave += m_device->time([&] {
            layoutEntry(m_device->info())
                .interleave(m_device->context(), planes.handle(), m_interleaved.handle(), m_format.pixelsOf(count),
                            m_format.channels, m_format.fetched);
        });
        last = &m_interleaved;
    }
    m_times->download += m_device->time([&] { m_device->download(to, *last, m_format.fetchedBytes(count)); });
}

SlabSession::SlabSession(const std::vector<Device*>& devices, Resident& resident, const SlabPlan& slabs,
                         const SlabFormat& format, std::int64_t mostSent)
    : m_resident(resident), m_slabs(slabs), m_format(format), m_portTimes(devices.size()) {
    resident = {};
    resident.fresh = true;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        // Devices that keep a share have room for that one.
        const std::int64_t own = slabs.shares.empty() ? slabs.slices : slabs.at(static_cast<std::int64_t>(i)).slices;
        m_ports.emplace_back(*devices[i], format, std::min(mostSent, own + 2 * slabs.halo), own, m_portTimes[i]);
    }
}

double SlabSession::pass(Device&) {
    m_times = {};
    work();
    m_resident.uploadMs = m_times.upload;
    m_resident.layoutMs = m_times.deinterleave;
    return m_times.kernels;
}

Result SlabSession::download(double& layoutMs, double& downloadMs) {
    layoutMs += m_times.interleave;
    downloadMs += m_times.download;
    return result();
}

void SlabSession::walk(const std::function<void(std::size_t, const Slab&)>& one) {
    std::ranges::fill(m_portTimes, SlabTimes());
    m_owners.resize(static_cast<std::size_t>(m_slabs.count()));
    parallelForEach(m_ports.size(), m_slabs.count(), [&](std::size_t device, std::int64_t i) {
        one(device, m_slabs.at(i));
        m_owners[static_cast<std::size_t>(i)] = device;
    });
    m_times.add(longestOf(m_portTimes));
}

void SlabSession::walkFirst(const std::function<void(std::size_t, const Slab&)>& one) {
    for (std::size_t i = 0; i < m_ports.size() && static_cast<std::int64_t>(i) < m_slabs.count(); ++i)
        one(i, m_slabs.at(static_cast<std::int64_t>(i)));
}

std::optional<SlabMap> SlabSession::slabs() const {
    std::vector<Device*> devices;
    for (const SlabPort& port : m_ports) devices.push_back(&port.device());
    return mapOf(m_slabs, devices, m_owners);
}

std::string SlabSession::sharing(const std::string& how) const { return sharedBy(*slabs(), how); }

}  // namespace warplens::gpu
