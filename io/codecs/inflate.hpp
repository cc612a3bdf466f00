// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/byte_stream.hpp"
#include "io/codecs/source.hpp"
#include "io/file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <zlib.h>

namespace warplens::io::codecs {

/// What stands around a deflate stream. Of gzip there may be several, one after the other.
enum class Wrapping { none, zlibOrGzip };

/// A file from some byte on, inflated on the way. What follows the last stream and is no other means nothing.
class InflatedFile final : public ByteStream {
public:
    /// `title` and source.where are for messages; both outlive this. Throws Error(unreadable).
    InflatedFile(const std::string& path, std::int64_t begin, Wrapping wrapping, const char* title,
                 const Source& source);
    ~InflatedFile() override;

    std::size_t read(std::span<std::byte> out) override;

private:
    bool fill();
    bool beginNext();

    const Source& m_source;
    const char* m_title;
    Wrapping m_wrapping;
    InputFile m_file;
    std::int64_t m_left;
    std::array<std::byte, 1 << 16> m_piece{};
    z_stream m_stream{};
    bool m_gzip = false;
    bool m_ended = false;
};

}  // namespace warplens::io::codecs
