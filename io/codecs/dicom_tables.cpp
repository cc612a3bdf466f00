// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_tables.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"

#include <cmath>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kMostEntries = 1 << 16;

/// Single bytes, which come in words where the element is of such.
std::vector<std::uint16_t> bytesOf(const DicomField& field, bool big) {
    auto bytes = field.value;
    if (big && field.kind == std::array{'O', 'W'}) swapBytes(bytes, 2);
    std::vector<std::uint16_t> all;
    for (const auto byte : bytes) all.push_back(std::to_integer<std::uint16_t>(byte));
    return all;
}

/// A table written as runs, ramps and repeats of what stood before.
class Segments {
public:
    Segments(const std::vector<std::uint16_t>& codes, bool inBytes, const std::string& where)
        : m_codes(codes), m_inBytes(inBytes), m_where(where) {}

    std::vector<std::uint16_t> expand() {
        expandFrom(0, kMostEntries, 0);
        return std::move(m_entries);
    }

private:
    [[noreturn]] void fail() const { damaged(m_where, "DICOM", "a palette whose segments make no sense"); }

    std::uint32_t code(std::size_t at) const {
        if (at >= m_codes.size()) fail();
        return m_codes[at];
    }
    void add(std::uint32_t entry) {
        if (m_entries.size() == kMostEntries) fail();
        m_entries.push_back(static_cast<std::uint16_t>(entry));
    }

    void expandFrom(std::size_t at, std::size_t segments, int depth) {
        // A byte that makes the length even may follow the last segment.
        for (std::size_t done = 0; done < segments && at + 1 < m_codes.size(); ++done) {
            const auto kind = code(at);
            const std::size_t length = code(at + 1);
            at += 2;
            if (kind == 0) {
                for (std::size_t i = 0; i < length; ++i) add(code(at + i));
                at += length;
            } else if (kind == 1) {
                ramp(code(at++), length);
            } else if (kind == 2 && depth == 0) {
                expandFrom(target(at), length, depth + 1);
                at += m_inBytes ? 4 : 2;
            } else {
                fail();
            }
        }
    }

    void ramp(std::uint32_t end, std::size_t length) {
        if (m_entries.empty()) fail();
        const double from = m_entries.back();
        for (std::size_t i = 1; i <= length; ++i) {
            const auto share = static_cast<double>(i) / static_cast<double>(length);
            add(static_cast<std::uint32_t>(std::nearbyint(from + (end - from) * share)));
        }
    }

    /// Where the segments to repeat begin: in bytes, the lower half first.
    std::size_t target(std::size_t at) const {
        if (m_inBytes) return code(at) | code(at + 1) << 8 | code(at + 2) << 16 | code(at + 3) << 24;
        return (code(at) | code(at + 1) << 16) / 2;
    }

    const std::vector<std::uint16_t>& m_codes;
    bool m_inBytes;
    const std::string& m_where;
    std::vector<std::uint16_t> m_entries;
};

}  // namespace

std::optional<DicomTable> readDicomTable(const DicomItem& item, std::uint32_t descriptor, std::uint32_t entries,
                                         std::uint32_t segments, bool isSigned, const std::string& where) {
    const auto description = item.words(descriptor);
    const auto* whole = item.find(entries);
    const auto* parts = segments != 0 && whole == nullptr ? item.find(segments) : nullptr;
    if (description.size() < 3 || (whole == nullptr && parts == nullptr)) return std::nullopt;
    const std::size_t count = description[0] == 0 ? kMostEntries : description[0];
    DicomTable table;
    const bool negative = isSigned || item.find(descriptor)->kind == std::array{'S', 'S'};
    table.first = negative ? static_cast<std::int16_t>(description[1]) : static_cast<std::int64_t>(description[1]);
    if (parts != nullptr) {
        table.inBytes = description[2] <= 8;
        const auto codes = table.inBytes ? bytesOf(*parts, item.big) : item.words(segments);
        table.entries = Segments(codes, table.inBytes, where).expand();
    } else {
        // Entries of 8 bits come one or two to a word, and the descriptor is not to be trusted.
        table.inBytes = whole->value.size() < 2 * count;
        table.entries = table.inBytes ? bytesOf(*whole, item.big) : item.words(entries);
    }
    if (table.entries.size() < count) {
        damaged(where, "DICOM",
                "a table of " + std::to_string(table.entries.size()) + " entries that states " + std::to_string(count));
    }
    table.entries.resize(count);
    const auto largest = *std::max_element(table.entries.begin(), table.entries.end());
    table.inBytes = table.inBytes || (description[2] <= 8 && largest <= 255);
    return table;
}

}  // namespace warplens::io::codecs
