// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/slab_session.hpp"

#include "gpu/kernels/layout.hpp"

#include <algorithm>
#include <set>

namespace warplens::gpu {

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
    : m_resident(resident), m_slabs(slabs), m_format(format) {
    resident = {};
    resident.fresh = true;
    for (Device* device : devices) m_ports.emplace_back(*device, format, mostSent, slabs.slices, m_times);
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
    for (std::int64_t i = 0; i < m_slabs.count(); ++i) one(m_slabs.deviceOf(i, m_ports.size()), m_slabs.at(i));
}

void SlabSession::walkFirst(const std::function<void(std::size_t, const Slab&)>& one) {
    std::set<std::size_t> seen;
    walk([&](std::size_t device, const Slab& slab) {
        if (seen.insert(device).second) one(device, slab);
    });
}

}  // namespace warplens::gpu
