// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace warplens::gpu {

class Buffer;
class Device;

/// What a Device is as well when its buffers reach another device without a way through the host's memory.
class Peers {
public:
    virtual ~Peers() = default;
    /// Why buffers cannot go straight to the other device; empty: they can, and from now on they do. Throws Error.
    virtual std::string whyNoPeer(Device& other) = 0;
    /// Copies from a buffer of this device, from its byte `fromAt` on, to one of the other device, after all that this
    /// one was given; this device's synchronize() waits for it. The other one must have nothing under way with those
    /// bytes. Throws Error.
    virtual void copyToPeer(const Buffer& from, std::size_t fromAt, Device& other, const Buffer& to, std::size_t toAt,
                            std::size_t bytes) = 0;
};

}  // namespace warplens::gpu
