// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace warplens::gpu {

class Buffer;
class Device;
class LaunchGraph;

/// When everything that a lane had been given before is done: an event.
class Moment {
public:
    virtual ~Moment() = default;
    /// Blocks until it has come. Throws Error: what went wrong in its lane before it.
    virtual void wait() = 0;
    /// Milliseconds since an earlier moment of the same device, by the device's clock. Both have come.
    virtual double msSince(const Moment& earlier) const = 0;
};

/// A queue of a device beside the device's own: a stream. What one lane is given is done in its order, beside what
/// other lanes are given, and giving returns at once. Host memory, buffers and what `work` refers to stay until it is
/// done. Nobody uses the device's own queue meanwhile. All calls come from the thread that uses the device; they throw
/// Error, of what went wrong later wait() tells. The end of a lane waits for all that it was given.
class Lane {
public:
    virtual ~Lane() = default;
    /// Into the buffer, from its byte `at` on. Copies of one direction take turns. From memory that is not pinned the
    /// call may return late.
    virtual void upload(const Buffer& to, std::size_t at, const void* from, std::size_t bytes) = 0;
    void download(void* to, const Buffer& from, std::size_t at, std::size_t bytes) {
        download(
            to, [&from]() -> const Buffer& { return from; }, at, bytes);
    }
    /// From a buffer that is known only when what comes before is done: `from` is called as `work` of run() is.
    virtual void download(void* to, std::function<const Buffer&()> from, std::size_t at, std::size_t bytes) = 0;
    /// From a buffer of this device to one of this device, or of one that Peers::whyNoPeer() said nothing against.
    virtual void copy(const Buffer& to, std::size_t toAt, const Buffer& from, std::size_t fromAt,
                      std::size_t bytes) = 0;
    /// What `work` launches through the device's context goes into this lane. It is called at once (CUDA) or when its
    /// turn has come, by another thread (CPU).
    virtual void run(std::function<void()> work) = 0;
    virtual std::shared_ptr<Moment> mark() = 0;
    /// For wait() and after() alone: a moment that tells the time delays the copy behind it by some microseconds.
    virtual std::shared_ptr<Moment> markUntimed() { return mark(); }
    /// What follows comes after a moment of any lane.
    virtual void after(const std::shared_ptr<Moment>& moment) = 0;
    /// Records what `work` gives this lane, and those beside it, of any devices, instead of doing it. launch() gives
    /// all of it again, once what this lane was given before is done; what this lane is given next comes after all of
    /// it. Moments that are marked meanwhile are for after() meanwhile alone, and no others are.
    virtual std::unique_ptr<LaunchGraph> record(const std::vector<Lane*>& beside,
                                                const std::function<void()>& work) = 0;
    std::unique_ptr<LaunchGraph> record(const std::function<void()>& work) { return record({}, work); }
};

/// What a lane waits for beside what it is told to.
enum class StreamKind {
    own,         ///< nothing
    urgent,      ///< nothing; what it launches goes before what waits in others
    besideNull,  ///< the null stream, which waits for it as well: a stream that was made without a flag
    null         ///< the null stream itself, in which is done whatever names no stream
};

/// Where a device's buffers lie.
enum class Placement {
    device,   ///< in its own memory
    host,     ///< in pinned memory of the host, which kernels reach over the link: zero-copy
    managed,  ///< where it was touched last: the driver moves pages
};

/// What a Device is as well when work can overlap there. Every member throws Error.
class StreamDevice {
public:
    virtual ~StreamDevice() = default;
    /// Another queue. Must not outlive the device. Throws Error(unsupported) where there is none of that kind.
    virtual std::unique_ptr<Lane> createStream(StreamKind kind) = 0;
    std::unique_ptr<Lane> createStream() { return createStream(StreamKind::own); }
    /// Host memory that copies reach without another copy in between; any memory of a CPU is that. May outlive the
    /// device.
    virtual std::shared_ptr<std::byte> pinned(std::size_t bytes) const = 0;
    /// Where the device's buffers of `least` bytes and more lie from now on; smaller ones lie in its own memory. Throws
    /// Error(unsupported) where it has no such memory.
    virtual void setPlacement(Placement placement, std::size_t least = 0) = 0;
    /// Where the host finds the first byte of a buffer that was placed with it; null: it lies on the device.
    virtual std::byte* hostAddress(const Buffer& buffer) const = 0;
    /// Whether what is launched now is recorded instead of run.
    virtual bool recording() const { return false; }
};

/// Whether what is launched now is recorded, by Device::record() or a lane's: nothing may wait for the device then, and
/// Device::record() returns null.
bool isCapturing(const Device& device);

/// Throws Error(unsupported) where the device has one queue alone.
StreamDevice& overlappingOf(Device& device);

}  // namespace warplens::gpu
