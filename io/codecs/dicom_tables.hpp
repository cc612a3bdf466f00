// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/dicom_header.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens::io::codecs {

/// A table that stored values are looked up in: the modality's, or one colour of a palette.
struct DicomTable {
    std::int64_t first = 0;              ///< the stored value of the first entry
    std::vector<std::uint16_t> entries;  ///< at least one
    bool inBytes = false;                ///< all of them are 0..255

    /// Values before the first entry take that one, values behind the last take the last.
    std::uint16_t at(std::int64_t stored) const {
        const auto last = static_cast<std::int64_t>(entries.size()) - 1;
        return entries[static_cast<std::size_t>(std::clamp(stored - first, std::int64_t{0}, last))];
    }
};

/// The table whose descriptor and entries are in these elements, or its entries in segments in the third; none without
/// a descriptor or entries. Throws Error(unreadable) when it has fewer entries than it states.
std::optional<DicomTable> readDicomTable(const DicomItem& item, std::uint32_t descriptor, std::uint32_t entries,
                                         std::uint32_t segments, bool isSigned, const std::string& where);

}  // namespace warplens::io::codecs
