// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/exif.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace warplens::io::codecs {

namespace {

bool isLittle(std::span<const std::byte> tiff) { return std::memcmp(tiff.data(), "II*\0", 4) == 0; }

std::uint64_t number(std::span<const std::byte> tiff, std::size_t at, std::size_t size) {
    return isLittle(tiff) ? littleEndian(tiff, at, size) : bigEndian(tiff, at, size);
}

constexpr std::size_t kEntry = 12;
constexpr std::uint32_t kOrientation = 0x0112, kResolutionX = 0x011a, kResolutionY = 0x011b, kResolutionUnit = 0x0128;
constexpr std::uint32_t kShort = 3, kRational = 5;
constexpr std::uint32_t kInch = 2, kCentimetre = 3;

bool isSmallTiff(std::span<const std::byte> tiff) {
    return tiff.size() >= 8 && (isLittle(tiff) || std::memcmp(tiff.data(), "MM\0*", 4) == 0);
}

/// The whole entries of the first directory: their bytes, one after the other.
std::span<const std::byte> entriesOf(std::span<const std::byte> tiff) {
    if (!isSmallTiff(tiff)) return {};
    const std::size_t directory = number(tiff, 4, 4);
    if (directory > tiff.size() - 2) return {};
    const auto begin = directory + 2;
    return tiff.subspan(begin,
                        std::min<std::size_t>(number(tiff, directory, 2), (tiff.size() - begin) / kEntry) * kEntry);
}

std::size_t placeIn(std::span<const std::byte> tiff, std::span<const std::byte> part) {
    return static_cast<std::size_t>(part.data() - tiff.data());
}

/// Where the value of an entry, or the place of a longer one, stands; nothing where there is no such entry.
std::optional<std::size_t> valuePlace(std::span<const std::byte> tiff, std::uint32_t tag, std::uint32_t type) {
    const auto entries = entriesOf(tiff);
    for (std::size_t i = 0; i < entries.size(); i += kEntry) {
        const auto at = placeIn(tiff, entries) + i;
        if (number(tiff, at, 2) == tag && number(tiff, at + 2, 2) == type) return at + 8;
    }
    return {};
}

std::optional<std::size_t> orientationPlace(std::span<const std::byte> tiff) {
    return valuePlace(tiff, kOrientation, kShort);
}

std::optional<double> rational(std::span<const std::byte> tiff, std::uint32_t tag) {
    const auto at = valuePlace(tiff, tag, kRational);
    const std::size_t place = at ? number(tiff, *at, 4) : tiff.size();
    if (place > tiff.size() || tiff.size() - place < 8 || number(tiff, place + 4, 4) == 0) return {};
    return static_cast<double>(number(tiff, place, 4)) / static_cast<double>(number(tiff, place + 4, 4));
}

using Entry = std::array<std::byte, kEntry>;

void put(std::vector<std::byte>& to, std::uint64_t value, std::size_t size, bool little) {
    for (std::size_t i = 0; i < size; ++i)
        to.push_back(static_cast<std::byte>(value >> 8 * (little ? i : size - 1 - i) & 0xff));
}

/// Of one number: a short, or the place of a longer one.
Entry entryOf(std::uint32_t tag, std::uint32_t type, std::uint64_t value, bool little) {
    std::vector<std::byte> bytes;
    put(bytes, tag, 2, little);
    put(bytes, type, 2, little);
    put(bytes, 1, 4, little);
    put(bytes, value, type == kShort ? 2 : 4, little);
    Entry entry{};
    std::ranges::copy(bytes, entry.begin());
    return entry;
}

struct Fraction {
    std::uint64_t above, below;
};

/// As exact as 32 bits hold it; none for what they do not.
std::optional<Fraction> fractionOf(double value) {
    for (const std::uint64_t below : {1'000'000, 1'000, 1}) {
        const double above = std::round(value * static_cast<double>(below));
        if (above >= 1 && above <= UINT32_MAX) return Fraction{static_cast<std::uint64_t>(above), below};
    }
    return {};
}

}  // namespace

int exifOrientation(std::span<const std::byte> segment) {
    constexpr std::size_t kName = 6;
    if (segment.size() < kName || std::memcmp(segment.data(), "Exif\0\0", kName) != 0) return 1;
    return tiffOrientation(segment.subspan(kName));
}

int tiffOrientation(std::span<const std::byte> tiff) {
    const auto at = orientationPlace(tiff);
    const auto value = at ? number(tiff, *at, 2) : 1;
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

std::vector<std::byte> uprightTiff(std::span<const std::byte> tiff) {
    std::vector<std::byte> upright(tiff.begin(), tiff.end());
    if (const auto at = orientationPlace(tiff)) {
        upright[*at] = std::byte{isLittle(tiff)};
        upright[*at + 1] = std::byte{!isLittle(tiff)};
    }
    return upright;
}

std::optional<std::array<double, 2>> tiffResolution(std::span<const std::byte> tiff) {
    const auto x = rational(tiff, kResolutionX), y = rational(tiff, kResolutionY);
    const auto at = valuePlace(tiff, kResolutionUnit, kShort);
    const auto unit = at ? number(tiff, *at, 2) : kInch;
    if (!x || !y || *x <= 0 || *y <= 0 || (unit != kInch && unit != kCentimetre)) return {};
    const double inches = unit == kInch ? 1 : 2.54;
    return {{*x * inches, *y * inches}};
}

std::vector<std::byte> withResolution(std::span<const std::byte> tiff, const std::array<double, 2>& dpi) {
    std::vector<std::byte> said(tiff.begin(), tiff.end());
    const auto x = fractionOf(dpi[0]), y = fractionOf(dpi[1]);
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-6 * b; };
    if (const auto now = tiffResolution(tiff); now && same((*now)[0], dpi[0]) && same((*now)[1], dpi[1])) return said;
    if (!x || !y || (!tiff.empty() && !isSmallTiff(tiff))) return said;
    if (said.empty()) said = {std::byte{'I'}, std::byte{'I'}, std::byte{42}, {}, {}, {}, {}, {}};
    const bool little = isLittle(said);
    const auto tagOf = [&](const Entry& e) { return little ? littleEndian(e, 0, 2) : bigEndian(e, 0, 2); };
    const auto before = entriesOf(tiff);
    const auto after = before.empty() ? tiff.size() : placeIn(tiff, before) + before.size();
    const auto next = tiff.size() - after < 4 ? 0 : number(tiff, after, 4);
    // A directory of its own at the end, so that no place that the old one speaks of moves.
    if (said.size() % 2 != 0) said.emplace_back();
    const auto values = said.size();
    for (const auto& fraction : {*x, *y}) {
        put(said, fraction.above, 4, little);
        put(said, fraction.below, 4, little);
    }
    std::vector<Entry> entries{entryOf(kResolutionX, kRational, values, little),
                               entryOf(kResolutionY, kRational, values + 8, little),
                               entryOf(kResolutionUnit, kShort, kInch, little)};
    for (std::size_t i = 0; i < before.size(); i += kEntry) {
        Entry entry{};
        std::ranges::copy(before.subspan(i, kEntry), entry.begin());
        const auto tag = tagOf(entry);
        if (tag != kResolutionX && tag != kResolutionY && tag != kResolutionUnit) entries.push_back(entry);
    }
    std::ranges::stable_sort(entries, {}, tagOf);
    std::vector<std::byte> place;
    put(place, said.size(), 4, little);
    std::ranges::copy(place, said.begin() + 4);
    put(said, entries.size(), 2, little);
    for (const Entry& entry : entries) said.insert(said.end(), entry.begin(), entry.end());
    put(said, next, 4, little);
    return said;
}

}  // namespace warplens::io::codecs
