// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace warplens::io::codecs {

/// Bytes that come one after the other, decompressed on the way.
class ByteStream {
public:
    ByteStream() = default;
    virtual ~ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    /// How many bytes were put at the beginning of `out`; 0 when the stream has ended, whole and with the right
    /// checksum. Throws Error(unreadable) for one that is corrupt or cut off.
    virtual std::size_t read(std::span<std::byte> out) = 0;
};

}  // namespace warplens::io::codecs
