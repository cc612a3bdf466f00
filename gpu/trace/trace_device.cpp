// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/trace_device.hpp"

#include "gpu/device/simt/simt_device.hpp"
#include "gpu/trace/block_probe.hpp"
#include "gpu/trace/findings.hpp"
#include "gpu/trace/global_memory.hpp"
#include "gpu/trace/summary.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unistd.h>

namespace warplens::gpu::trace {
namespace {

/// Some grids are as large as the GPU. What is counted must not depend on the machine that counts: these are the
/// multiprocessors of an NVIDIA H200, whose recorded times stand beside the counts.
constexpr int kMultiprocessors = 132;

void* addressOf(const Buffer& buffer) { return reinterpret_cast<void*>(buffer.handle()); }

/// From granules to values: a granule may hold several values, or a value several granules, of which the first tells.
std::vector<std::uint32_t> perValue(const Allocation& buffer, std::size_t valueBytes) {
    const auto granules = buffer.loads();
    std::vector<std::uint32_t> loads;
    if (granules.empty()) return loads;
    loads.resize(buffer.bytes() / valueBytes);
    const auto granule = static_cast<std::size_t>(buffer.granule());
    for (std::size_t i = 0; i < loads.size(); ++i) {
        // Bytes behind the last whole granule are read one by one, and not told.
        if (const std::size_t at = i * valueBytes / granule; at < granules.size()) loads[i] = granules[at];
    }
    return loads;
}

}  // namespace

TraceDevice::TraceDevice() : m_info(simtDeviceInfo()) {
    m_info.name = "CPU (trace)";
    m_info.multiprocessors = kMultiprocessors;
}

Counters TraceDevice::trace(const std::function<void()>& work, const Buffer& input, const SamplePolicy& policy,
                            std::function<void(double)> progress) {
    m_context.beginRun(policy, std::move(progress));
    try {
        work();
    } catch (...) {
        m_context.endRun();
        throw;
    }
    const auto runs = m_context.endRun();
    return summarise(runs, m_context.findings().take(), m_context.allocations(),
                     input ? m_context.allocationAt(input.handle()) : nullptr);
}

void judge(RunRecord& record) {
    if (record.counters->findings.empty()) return;
    const auto& first = record.counters->findings.front();
    record.status = Status::wrong;
    record.reason = first.check + ": " + first.message;
}

void TraceDevice::probe(const std::function<void()>& work, BlockProbe& probe) {
    m_context.beginRun({}, {});
    m_context.setProbe(&probe);
    const auto end = [this] {
        m_context.setProbe(nullptr);
        m_context.endRun();
        m_context.findings().take();
    };
    try {
        work();
    } catch (...) {
        end();
        throw;
    }
    end();
}

std::vector<std::uint32_t> TraceDevice::loads(const Buffer& buffer, std::size_t valueBytes) const {
    const Allocation* allocation = m_context.allocationAt(buffer.handle());
    return allocation == nullptr ? std::vector<std::uint32_t>() : perValue(*allocation, valueBytes);
}

std::vector<std::uint32_t> TraceDevice::mostLoads(std::int64_t values) const {
    std::vector<std::uint32_t> most;
    std::uint64_t best = 0;
    for (const Allocation* allocation : m_context.allocations()) {
        if (static_cast<std::int64_t>(allocation->bytes()) != values * 4) continue;
        auto loads = perValue(*allocation, 4);
        const auto sum = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
        if (sum <= best) continue;
        best = sum;
        most = std::move(loads);
    }
    return most;
}

std::int64_t TraceDevice::freeBytes() const {
    return static_cast<std::int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

Buffer TraceDevice::allocate(std::size_t bytes) {
    checkLimit(bytes);
    return {*this, m_context.allocate(bytes).begin(), bytes};
}

void TraceDevice::upload(const Buffer& to, const void* from, std::size_t bytes) {
    std::memcpy(addressOf(to), from, bytes);
}

void TraceDevice::download(void* to, const Buffer& from, std::size_t bytes) { std::memcpy(to, addressOf(from), bytes); }

void TraceDevice::fill(const Buffer& buffer, int byte) { std::memset(addressOf(buffer), byte, buffer.bytes()); }

double TraceDevice::time(const std::function<void()>& work) {
    work();
    return 0;
}

}  // namespace warplens::gpu::trace
