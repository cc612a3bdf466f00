// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <zlib.h>

namespace warplens::io::codecs {

/// What stands around a deflate stream.
enum class Wrapping { none, zlibOrGzip };

/// A file from some byte on, inflated on the way.
class InflatedFile {
public:
    /// `title` and source.where are for messages; both outlive this. Throws Error(unreadable).
    InflatedFile(const std::string& path, std::int64_t begin, Wrapping wrapping, const char* title,
                 const Source& source);
    ~InflatedFile();
    InflatedFile(const InflatedFile&) = delete;
    InflatedFile& operator=(const InflatedFile&) = delete;

    /// How many bytes were put at the beginning of `out`; 0 when the stream has ended, whole and with the right
    /// checksum. Throws Error(unreadable) for one that is corrupt or cut off.
    std::size_t read(std::span<std::byte> out);

private:
    const Source& m_source;
    const char* m_title;
    InputFile m_file;
    std::int64_t m_left;
    std::array<std::byte, 1 << 16> m_piece{};
    z_stream m_stream{};
    bool m_ended = false;
};

}  // namespace warplens::io::codecs
