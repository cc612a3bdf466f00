// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/byte_stream.hpp"
#include "io/codecs/source.hpp"
#include "io/file.hpp"

#include <array>
#include <bzlib.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace warplens::io::codecs {

/// A file of bzip2 streams from some byte on, decompressed on the way. What follows the last stream and is no other
/// means nothing.
class Bunzip2File final : public ByteStream {
public:
    /// `title` and source.where are for messages; both outlive this. Throws Error(unreadable).
    Bunzip2File(const std::string& path, std::int64_t begin, const char* title, const Source& source);
    ~Bunzip2File() override { close(); }

    std::size_t read(std::span<std::byte> out) override;

private:
    [[noreturn]] void fail(const char* detail) const;
    bool fill();
    void open();
    void close();

    const Source& m_source;
    const char* m_title;
    InputFile m_file;
    std::int64_t m_left;
    std::array<std::byte, 1 << 16> m_piece{};
    bz_stream m_stream{};
    bool m_open = false;
    bool m_ended = false;  // at least one stream has
};

}  // namespace warplens::io::codecs
