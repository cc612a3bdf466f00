// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// The bytes of a DICOM file at any place, those that follow its first group inflated if need be.
class DicomBytes {
public:
    DicomBytes(const std::string& path, const Source& source);

    std::int64_t size() const {
        return m_inflated.empty() ? m_file.size() : static_cast<std::int64_t>(m_inflated.size());
    }
    /// All of them; the caller has made sure that they are there.
    void read(std::int64_t at, std::span<std::byte> out);
    /// From now on the bytes are those of the deflate stream that begins at this byte. Returns the place of its first.
    std::int64_t inflateFrom(std::int64_t at);

private:
    const Source& m_source;
    InputFile m_file;
    std::vector<std::byte> m_window;  ///< of the file, as elements are many and small
    std::int64_t m_windowAt = 0;
    std::vector<std::byte> m_inflated;
};

}  // namespace warplens::io::codecs
