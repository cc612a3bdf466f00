// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/simt/simt_device.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/peers.hpp"
#include "gpu/device/simt/dynamic_shared.hpp"
#include "gpu/device/simt/lane.hpp"
#include "gpu/device/simt/launch.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <unistd.h>
#include <utility>

namespace warplens::gpu {

thread_local float dynamicShared[simt::kMaxSharedBytes / sizeof(float)];

void SimtContext::record(dim3 grid, dim3 block, std::size_t sharedBytes) {
    if (facts.kernels++ == 0) {
        facts.grid = {grid.x, grid.y, grid.z};
        facts.block = {block.x, block.y, block.z};
    }
    facts.sharedBytes = std::max(facts.sharedBytes, static_cast<std::int64_t>(sharedBytes));
}

namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kFilledAtOnce = std::size_t{1} << 24;

class SimtDevice final : public Device, public StreamDevice, public Peers {
public:
    SimtDevice() : m_info(simtDeviceInfo()) {
        m_context.facts.kernels = 0;
        // Starts threads and maps stacks, so that the first kernel's time does not hold it.
        m_context.engine.run(dim3(64), dim3(1), 0, {[](const void*) {}, nullptr});
    }

    const DeviceInfo& info() const override { return m_info; }
    std::int64_t freeBytes() const override {
        return static_cast<std::int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    }
    Buffer allocate(std::size_t bytes) override {
        checkLimit(bytes);
        // A request that no machine meets would only fail at the first touch.
        void* p = bytes > static_cast<std::size_t>(m_info.memoryBytes)
                      ? nullptr
                      : ::operator new(bytes, kAlignment, std::nothrow);
        if (p == nullptr) refuse(bytes);
        return {*this, reinterpret_cast<std::uint64_t>(p), bytes};
    }
    void upload(const Buffer& to, const void* from, std::size_t bytes) override { copy(address(to), from, bytes); }
    void download(void* to, const Buffer& from, std::size_t bytes) override { copy(to, address(from), bytes); }
    // New memory is slow to fill: a gigabyte takes seconds on a busy machine.
    void fill(const Buffer& buffer, int byte) override {
        auto* const bytes = static_cast<std::byte*>(address(buffer));
        for (std::size_t at = 0; at < buffer.bytes(); at += kFilledAtOnce) {
            if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "cpu: stopped");
            std::memset(bytes + at, byte, std::min(kFilledAtOnce, buffer.bytes() - at));
        }
    }
    void synchronize() override {}
    LaunchContext& context() override { return m_context; }
    double time(const std::function<void()>& work) override {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    std::unique_ptr<Lane> createStream(StreamKind kind) override {
        if (kind != StreamKind::own && kind != StreamKind::urgent)
            throw Error(Error::Kind::unsupported,
                        "cpu: it has no null stream, with which others synchronise: choose a GPU");
        return std::make_unique<simt::SimtLane>(m_turns, m_stop);
    }
    std::shared_ptr<std::byte> pinned(std::size_t bytes) const override {
        auto* memory = new (std::nothrow) std::byte[bytes];
        if (memory == nullptr) refuse(bytes);
        return {memory, std::default_delete<std::byte[]>()};
    }
    void setPlacement(Placement, std::size_t) override {}  // there is one memory
    std::byte* hostAddress(const Buffer& buffer) const override { return static_cast<std::byte*>(address(buffer)); }
    std::string whyNoPeer(Device& other) override {
        return other.info().kind == DeviceKind::simt ? "" : other.info().id + " has another memory";
    }
    void copyToPeer(const Buffer& from, std::size_t fromAt, Device&, const Buffer& to, std::size_t toAt,
                    std::size_t bytes) override {
        std::memcpy(static_cast<std::byte*>(address(to)) + toAt, static_cast<std::byte*>(address(from)) + fromAt,
                    bytes);
    }
    LaunchFacts takeLaunchFacts() override {
        LaunchFacts none;
        none.kernels = 0;
        return std::exchange(m_context.facts, none);
    }
    void setStop(std::stop_token stop) override {
        m_stop = stop;
        m_context.engine.setStop(std::move(stop));
    }
    void setScheduling(const Scheduling& scheduling) override { m_context.engine.setScheduling(scheduling); }
    std::optional<Limits> limits() override { return std::nullopt; }
    std::optional<ClockState> clocks() override { return std::nullopt; }

private:
    [[noreturn]] static void refuse(std::size_t bytes) {
        throw Error(Error::Kind::outOfMemory, "cpu: no memory for " + std::to_string(bytes) +
                                                  " bytes: close other programs or take a smaller picture");
    }
    /// Stops between two pieces.
    void copy(void* to, const void* from, std::size_t bytes) const {
        for (std::size_t at = 0; at < bytes; at += kFilledAtOnce) {
            if (at > 0 && m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "cpu: stopped");
            std::memcpy(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at,
                        std::min(kFilledAtOnce, bytes - at));
        }
    }
    static void* address(const Buffer& buffer) { return reinterpret_cast<void*>(buffer.handle()); }
    void release(std::uint64_t handle) noexcept override {
        ::operator delete(reinterpret_cast<void*>(handle), kAlignment);
    }

    DeviceInfo m_info;
    SimtContext m_context;
    simt::Turns m_turns;
    std::stop_token m_stop;
};

}  // namespace

DeviceInfo simtDeviceInfo() {
    DeviceInfo info;
    info.id = "cpu";
    info.name = "CPU (SIMT)";
    info.kind = DeviceKind::simt;
    info.memoryBytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    info.freeBytes = static_cast<std::int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    info.multiprocessors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    info.sharedBytesPerBlock = static_cast<std::int64_t>(simt::kMaxSharedBytes);
    info.maxThreadsPerBlock = static_cast<int>(simt::kMaxThreads);
    return info;
}

std::unique_ptr<Device> openSimtDevice() {
#if defined(__x86_64__)
    // Kernel units are compiled for x86-64-v3.
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) {
        throw Error(Error::Kind::unsupported,
                    "cpu: this processor lacks AVX2 or FMA, which the SIMT device is built for: build with "
                    "-DWARPLENS_KERNEL_MARCH=x86-64");
    }
#endif
    return std::make_unique<SimtDevice>();
}

}  // namespace warplens::gpu
