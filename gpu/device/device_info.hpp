// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What one multiprocessor of a GPU holds at most; all 0 where it is not reported.
struct MultiprocessorLimits {
    int threads = 0, blocks = 0;
    int registers = 0;  ///< of 32 bits
    std::int64_t sharedBytes = 0;
    std::int64_t reservedSharedBytes = 0;  ///< that the driver takes of each block

    bool operator==(const MultiprocessorLimits&) const = default;
};

/// A way to run kernels; each has devices of its own.
enum class DeviceKind { cuda, simt };
const char* nameOf(DeviceKind kind);  ///< "cuda", "simt"

/// What a device says of itself. Reported by the driver or the system, not measured.
struct DeviceInfo {
    std::string id;    ///< "cpu" or "cuda:0"
    std::string name;  ///< "NVIDIA H200", "CPU (SIMT)"
    DeviceKind kind = DeviceKind::simt;
    std::string uuid;  ///< of a GPU, else empty
    int capabilityMajor = 0, capabilityMinor = 0;
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
    std::int64_t l2Bytes = 0;
    int multiprocessors = 0;  ///< of a GPU; worker threads of the SIMT device
    int clockMhz = 0;         ///< highest SM clock; 0 unknown
    int memoryClockMhz = 0;
    std::int64_t sharedBytesPerBlock = 0;  ///< most that a launch may ask for
    int registersPerBlock = 0;
    int maxThreadsPerBlock = 1024;
    MultiprocessorLimits multiprocessor{};

    /// Whether it is a GPU, whose times say who is fastest; those of the SIMT device say nothing of a GPU.
    bool ranks() const { return kind == DeviceKind::cuda; }
    /// Whether its memory is its own and not the host's, so that its free bytes are what a slab can have.
    bool discreteMemory() const { return ranks(); }
};

/// Ceilings measured on the device in this process. GB/s counts read plus written bytes.
struct Limits {
    double copyGbs = 0, readGbs = 0, writeGbs = 0;
    double fmaTflops = 0;
    int clockMhz = 0;      ///< SM clock read right after the FMA measurement; 0 unknown
    double sharedGbs = 0;  ///< loads from shared memory by all multiprocessors together; 0: not measured
};

/// Which of a device's measured ceilings a kind of work is held against.
enum class Traffic { copy, read, write };
const char* nameOf(Traffic traffic);  ///< "copy", "read", "write"
/// GB/s; 0 when not measured.
double limitOf(const Limits& limits, Traffic traffic);

/// Clock and throttling as the driver reported them while a comparison ran.
struct ClockState {
    int smMhzMin = 0, smMhzMax = 0;
    bool throttled = false;
    std::string reason;
};

/// What a report needs to be understood elsewhere.
struct Environment {
    std::string version;  ///< of Warplens
    std::string compiler;
    std::string os;
    std::string cpu;
    int cpuThreads = 0;
    std::string cudaRuntime, cudaDriver;  ///< "13.0" or empty
    std::string date;                     ///< ISO 8601, UTC
    std::optional<ClockState> clocks;
};

/// Every device that can be used here, the default one first, and why there is no GPU when there is none.
struct DeviceList {
    std::vector<DeviceInfo> devices;
    std::string whyNoCuda;  ///< one plain sentence; empty when a CUDA device is there

    /// The device of an id or UUID; of an id without its number ("cuda") the first of that name, of "" the default one.
    /// Null when there is none.
    const DeviceInfo* find(const std::string& wanted) const;
};

/// Asks driver and system. The CPU device is always in the list. Never throws for a missing GPU.
DeviceList listDevices();

}  // namespace warplens::gpu
