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
    /// Copies the first bytes of a buffer of this device to those of one of the other device, after all that this one
    /// was given, and waits for it. The other one must have nothing under way with its buffer. Throws Error.
    virtual void copyToPeer(const Buffer& from, Device& other, const Buffer& to, std::size_t bytes) = 0;
};

}  // namespace warplens::gpu
