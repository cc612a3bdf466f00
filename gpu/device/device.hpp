// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"
#include "gpu/device/launch_facts.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

class Device;

/// What a launcher needs to reach its device: a stream, or the SIMT engine. Each build knows its own.
struct LaunchContext {
    virtual ~LaunchContext() = default;
    /// Address of a buffer's first byte, for launchers alone.
    virtual void* address(std::uint64_t handle) const = 0;
};

/// Memory on a device, freed with the object. The handle means something to its device only.
class Buffer {
public:
    Buffer() = default;
    Buffer(Device& device, std::uint64_t handle, std::size_t bytes);
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~Buffer();

    std::uint64_t handle() const { return m_handle; }
    std::size_t bytes() const { return m_bytes; }
    explicit operator bool() const { return m_device != nullptr; }

private:
    void swap(Buffer& other) noexcept {
        std::swap(m_device, other.m_device);
        std::swap(m_handle, other.m_handle);
        std::swap(m_bytes, other.m_bytes);
    }
    Device* m_device = nullptr;
    std::uint64_t m_handle = 0;
    std::size_t m_bytes = 0;
};

/// Launches that were recorded once and go to the device together. Must not outlive its device or what they use.
class LaunchGraph {
public:
    virtual ~LaunchGraph() = default;
    /// Asynchronous, like the launches themselves. Throws Error.
    virtual void launch() = 0;
};

/// How the SIMT device orders what a GPU leaves open. Ignored by CUDA devices.
struct Scheduling {
    int workers = 0;                ///< OS threads; 0: all cores
    std::uint64_t shuffleSeed = 0;  ///< 0: in order; else threads and blocks in a seeded random order
};

/// One place where kernels run. Calls are made by one thread at a time. Every member throws Error.
class Device {
public:
    virtual ~Device() = default;
    virtual const DeviceInfo& info() const = 0;
    virtual std::int64_t freeBytes() const = 0;

    /// The most that this device's buffers may hold together, in bytes; 0: whatever the device has.
    void setMemoryLimit(std::int64_t bytes) { m_memoryLimit = bytes; }
    std::int64_t memoryLimit() const { return m_memoryLimit; }
    /// What its buffers hold now, in bytes.
    std::int64_t allocatedBytes() const { return m_allocated; }

    virtual Buffer allocate(std::size_t bytes) = 0;
    virtual void upload(const Buffer& to, const void* from, std::size_t bytes) = 0;
    virtual void download(void* to, const Buffer& from, std::size_t bytes) = 0;
    virtual void fill(const Buffer& buffer, int byte) = 0;
    /// Waits for everything launched; reports what went wrong in it.
    virtual void synchronize() = 0;

    virtual LaunchContext& context() = 0;
    /// Milliseconds of what `work` launches, by this device's clock (CUDA events, or a steady clock around the SIMT
    /// engine).
    virtual double time(const std::function<void()>& work) = 0;
    /// Records what `work` launches instead of running it; it must not wait for the device. Null where launches cost
    /// nothing worth saving (CPU): then `work` is not called.
    virtual std::unique_ptr<LaunchGraph> record(const std::function<void()>& work) {
        (void)work;
        return nullptr;
    }
    /// Readies what `launches` would launch, and launches none of it: instances of kernels are compiled for the task at
    /// hand where they can be. Waits for that as long as setCompileTimeout() says; those that are not there by then are
    /// taken by a later call. Between two calls launches run the same code. Does nothing on the CPU.
    virtual void specialise(const std::function<void()>& launches) { (void)launches; }
    /// How many seconds specialise() waits for a compiler; kPatience unless it was set.
    void setCompileTimeout(double seconds) { m_patience = seconds; }
    static constexpr double kPatience = 20;
    /// Whether the task changes with every picture, as while a slider moves: specialise() compiles nothing for its very
    /// weights then.
    void setInteractive(bool moving) { m_moving = moving; }
    /// Facts of the launches since the last call, heaviest resources of all.
    virtual LaunchFacts takeLaunchFacts() = 0;
    /// Kernels stop between blocks (SIMT) or launches (CUDA) once this asks them to.
    virtual void setStop(std::stop_token stop) = 0;
    virtual void setScheduling(const Scheduling& scheduling) = 0;
    /// Measured on the first call; absent where ceilings mean nothing (CPU).
    virtual std::optional<Limits> limits() = 0;
    /// Clocks and throttling seen in the timings since the last call; absent where the driver does not say.
    virtual std::optional<ClockState> clocks() = 0;

protected:
    friend class Buffer;
    virtual void release(std::uint64_t handle) noexcept = 0;
    double patience() const { return m_patience; }
    bool moving() const { return m_moving; }
    /// Every allocate() asks first. Throws Error(outOfMemory) when `bytes` more would break the limit.
    void checkLimit(std::size_t bytes) const;

private:
    std::int64_t m_memoryLimit = 0, m_allocated = 0;
    double m_patience = kPatience;
    bool m_moving = false;
};

inline Buffer::Buffer(Device& device, std::uint64_t handle, std::size_t bytes)
    : m_device(&device), m_handle(handle), m_bytes(bytes) {
    device.m_allocated += static_cast<std::int64_t>(bytes);
}

inline Buffer::~Buffer() {
    if (m_device == nullptr) return;
    m_device->m_allocated -= static_cast<std::int64_t>(m_bytes);
    m_device->release(m_handle);
}

/// A picture that lies on a device: channel after channel, each width x height x depth.
struct DevicePicture {
    const Buffer* planes = nullptr;
    io::Shape shape;
    io::PixelType type = io::PixelType::f32;
};

/// The input of the last problems, kept on the device so that the same picture is not sent twice.
struct Resident {
    std::shared_ptr<const io::Grid> grid;  ///< whose values `planes` holds
    Buffer planes;                         ///< planar: channel after channel, each width x height x depth
    double uploadMs = 0, layoutMs = 0;
    bool fresh = false;  ///< uploaded for this request, so its times belong to it
    /// The same planes with rows of `pitch` values, for kernels that want them so; empty where none did.
    Buffer padded;
    std::int64_t pitch = 0;
    double padMs = 0;
    /// What lies in `planes` is sent there by others, and each launch has to leave the result in the session's
    /// picture(): rows are never padded.
    bool asItLies = false;
};

/// Opens "cpu", "cuda:N", a GPU's UUID, or "" for the default. Throws Error(noDevice) with the reason and the remedy.
std::unique_ptr<Device> openDevice(const std::string& id);

}  // namespace warplens::gpu
