// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/trace/trace_device.hpp"

#include "gpu/device/simt/simt_device.hpp"
#include "gpu/device/trace/findings.hpp"
#include "gpu/device/trace/global_memory.hpp"
#include "gpu/device/trace/summary.hpp"

#include <unistd.h>

#include <cstring>

namespace warplens::gpu::trace {
namespace {

void* addressOf(const Buffer& buffer) {
    return reinterpret_cast<void*>(buffer.handle());
}

}  // namespace

TraceDevice::TraceDevice() : m_info(simtDeviceInfo()) {
    m_info.name = "CPU (trace)";
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

void TraceDevice::download(void* to, const Buffer& from, std::size_t bytes) {
    std::memcpy(to, addressOf(from), bytes);
}

void TraceDevice::fill(const Buffer& buffer, int byte) {
    std::memset(addressOf(buffer), byte, buffer.bytes());
}

double TraceDevice::time(const std::function<void()>& work) {
    work();
    return 0;
}

}  // namespace warplens::gpu::trace
