// SPDX-License-Identifier: Apache-2.0
#include "app/worker/watched_device.hpp"

#include "app/worker/check.hpp"

#include <cstring>
#include <string>

namespace warplens::worker {
namespace {

/// Behind each buffer, so that who reads beyond its end does not read another one.
constexpr std::size_t kGap = 4096;

void* addressOf(const gpu::Buffer& buffer) { return reinterpret_cast<void*>(buffer.handle()); }

}  // namespace

gpu::Buffer WatchedDevice::allocate(std::size_t bytes) {
    checkLimit(bytes);
    const bool counted = &m_memory != &m_launches;
    gpu::Buffer held = m_memory.allocate(counted ? bytes : bytes + kGap);
    const std::uint64_t handle = held.handle();
    m_buffers.emplace(handle, std::move(held));
    watchMemory(handle, bytes, "a buffer of " + std::to_string(bytes) + " bytes");
    return {*this, handle, bytes};
}

void WatchedDevice::upload(const gpu::Buffer& to, const void* from, std::size_t bytes) {
    std::memcpy(addressOf(to), from, bytes);
}

void WatchedDevice::download(void* to, const gpu::Buffer& from, std::size_t bytes) {
    std::memcpy(to, addressOf(from), bytes);
}

void WatchedDevice::fill(const gpu::Buffer& buffer, int byte) { std::memset(addressOf(buffer), byte, buffer.bytes()); }

void WatchedDevice::release(std::uint64_t handle) noexcept {
    forgetMemory(handle);
    m_buffers.erase(handle);
}

}  // namespace warplens::worker
