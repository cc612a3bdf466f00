// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/tiff_directory.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

namespace warplens::io::codecs {
namespace {

// Real directories have some 15 to 60 entries; a file of bad ones is how libtiff came to 3 GB for under 1 MB.
constexpr std::uint64_t kMostEntries = 512;

class Walker {
public:
    Walker(std::span<const std::byte> file, std::string where)
        : m_file(file), m_where(std::move(where)), m_little(file[0] == std::byte{'I'}), m_big(number(2, 2) == 43) {}

    int pages() {
        std::set<std::uint64_t> seen;
        auto at = m_big ? number(8, 8) : number(4, 4);
        while (at != 0) {
            if (!seen.insert(at).second) fail("its pages form a loop");
            if (seen.size() > kMostTiffPages) fail("too many pages");
            at = directory(at);
        }
        if (seen.empty()) fail("no page");
        return static_cast<int>(seen.size());
    }

    std::optional<double> rational(std::uint64_t at, std::uint16_t tag) const {
        constexpr std::uint64_t kRational = 5;
        const auto entries = number(at, m_big ? 8 : 2);
        at += m_big ? 8 : 2;
        for (std::uint64_t i = 0; i < std::min(entries, kMostEntries); ++i, at += m_big ? 20 : 12) {
            if (number(at, 2) != tag || number(at + 2, 2) != kRational) continue;
            const auto place = m_big ? at + 12 : number(at + 8, 4);
            const auto below = static_cast<double>(number(place + 4, 4));
            if (below == 0) return std::nullopt;
            return static_cast<double>(number(place, 4)) / below;
        }
        return std::nullopt;
    }

private:
    [[noreturn]] void fail(const char* detail) const { damaged(m_where, "TIFF", detail); }

    std::uint64_t number(std::uint64_t at, std::size_t size) const {
        if (at > m_file.size() || m_file.size() - at < size) fail("a directory lies outside the file");
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const auto byte = m_file[static_cast<std::size_t>(at) + (m_little ? size - 1 - i : i)];
            value = value << 8 | std::to_integer<std::uint64_t>(byte);
        }
        return value;
    }

    /// Checks the entries of one directory; returns the place of the next.
    std::uint64_t directory(std::uint64_t at) const {
        constexpr std::array<std::uint64_t, 19> kBytesOfType{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
        const auto entries = number(at, m_big ? 8 : 2);
        if (entries == 0 || entries > kMostEntries) fail("a directory of an impossible size");
        at += m_big ? 8 : 2;
        for (std::uint64_t i = 0; i < entries; ++i, at += m_big ? 20 : 12) {
            const auto type = number(at + 2, 2);
            const auto count = number(at + 4, m_big ? 8 : 4);
            const auto size = type < kBytesOfType.size() ? kBytesOfType[type] : 0;
            if (size > 0 && count > m_file.size() / size) fail("an entry is larger than the file");
        }
        return number(at, m_big ? 8 : 4);
    }

    std::span<const std::byte> m_file;
    std::string m_where;
    bool m_little;
    bool m_big;
};

}  // namespace

int countTiffPages(std::span<const std::byte> file, const std::string& where) { return Walker(file, where).pages(); }

std::optional<double> tiffRational(std::span<const std::byte> file, std::uint64_t directory, std::uint16_t tag) {
    try {
        return Walker(file, {}).rational(directory, tag);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace warplens::io::codecs
