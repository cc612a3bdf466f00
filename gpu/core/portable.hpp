// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>

namespace warplens::gpu {

/// A portable row, compiled, with its input where it runs. Not thread-safe.
class PortableSession {
public:
    virtual ~PortableSession() = default;
    /// "opencl:0, NVIDIA H200", "cpu".
    virtual std::string runsOn() const = 0;
    virtual Clock clock() const = 0;
    /// What is cached between two runs, in bytes; of a CPU everything, which never starts cold.
    virtual std::int64_t cacheBytes() const { return std::numeric_limits<std::int64_t>::max(); }
    /// The whole work once, from the input on; milliseconds by that clock. Throws Error.
    virtual double run(const std::stop_token& stop) = 0;
    /// What the last run made.
    virtual Result result() = 0;
};

/// What Problem::portable() tells when its ladder has portable rows.
class Portable {
public:
    virtual ~Portable() = default;
    /// Throws Error: unsupported where the device cannot take the row.
    virtual std::unique_ptr<PortableSession> openPortable(const Variant& variant,
                                                          const TunableValues& tunables) const = 0;
};

}  // namespace warplens::gpu
