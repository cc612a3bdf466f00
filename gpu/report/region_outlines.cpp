// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/region_outlines.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace warplens::gpu {
namespace {

/// The boundaries of one slice. A boundary is walked with its region on the right; the top edge of a pixel is walked to
/// the right once, so that edges not walked yet begin the boundaries that are left.
template <class T>
class SliceTracer {
public:
    SliceTracer(const io::Grid& labels, std::int64_t slice)
        : m_shape(labels.shape()),
          m_all(labels.as<T>() + slice * m_shape.width * m_shape.height),
          m_slice(slice),
          m_walked(static_cast<std::size_t>(m_shape.width * m_shape.height)) {}

    void trace(std::int64_t y, const std::function<bool(std::int64_t)>& kept, std::vector<RegionOutline>& outlines) {
        for (std::int64_t x = 0; x < m_shape.width; ++x) {
            const std::int64_t label = at(x, y);
            if (label <= 0 || at(x, y - 1) == label || m_walked[index(x, y)] || !kept(label)) continue;
            RegionOutline outline{.label = label, .slice = m_slice};
            if (walk(x, y, outline)) outlines.push_back(std::move(outline));
        }
    }

private:
    std::size_t index(std::int64_t x, std::int64_t y) const { return static_cast<std::size_t>(y * m_shape.width + x); }
    std::int64_t at(std::int64_t x, std::int64_t y) const {
        if (x < 0 || y < 0 || x >= m_shape.width || y >= m_shape.height) return 0;
        return static_cast<std::int64_t>(m_all[index(x, y)]);
    }

    /// From the upper left corner of a pixel, to the right. Whether it is an outer boundary; that of a hole goes round
    /// the other way.
    bool walk(std::int64_t startX, std::int64_t startY, RegionOutline& outline) {
        static constexpr std::array<std::array<int, 2>, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
        // The pixel to the left and ahead of a corner, and that to the right and ahead, by direction.
        static constexpr std::array<std::array<int, 2>, 4> kLeft{{{0, -1}, {0, 0}, {-1, 0}, {-1, -1}}},
            kRight{{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};
        std::int64_t x = startX, y = startY, twiceArea = 0;
        std::size_t direction = 0;
        do {
            if (direction == 0) m_walked[index(x, y)] = true;
            const std::int64_t fromX = x, fromY = y;
            x += kSteps[direction][0];
            y += kSteps[direction][1];
            twiceArea += fromX * y - x * fromY;
            const std::size_t before = direction;
            // Pixels that touch at a corner belong together: to the left first.
            if (at(x + kLeft[direction][0], y + kLeft[direction][1]) == outline.label)
                direction = (direction + 3) % 4;
            else if (at(x + kRight[direction][0], y + kRight[direction][1]) != outline.label)
                direction = (direction + 1) % 4;
            if (direction != before)
                outline.corners.push_back({static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
        } while (x != startX || y != startY || direction != 0);
        return twiceArea > 0;
    }

    io::Shape m_shape;
    const T* m_all;
    std::int64_t m_slice;
    std::vector<bool> m_walked;
};

class Bytes {
public:
    void big16(std::uint32_t value) { put(value, 2, true); }
    void big32(std::uint32_t value) { put(value, 4, true); }
    void little16(std::uint32_t value) { put(value, 2, false); }
    void little32(std::uint32_t value) { put(value, 4, false); }
    void text(std::string_view text) {
        for (const char c : text) m_bytes.push_back(static_cast<std::byte>(c));
    }
    void bytes(const std::vector<std::byte>& more) { m_bytes.insert(m_bytes.end(), more.begin(), more.end()); }
    void zeros(std::size_t count) { m_bytes.resize(m_bytes.size() + count); }
    std::size_t size() const { return m_bytes.size(); }
    std::vector<std::byte> take() && { return std::move(m_bytes); }

private:
    void put(std::uint32_t value, int count, bool big) {
        for (int i = 0; i < count; ++i)
            m_bytes.push_back(static_cast<std::byte>(value >> (8 * (big ? count - 1 - i : i)) & 0xff));
    }
    std::vector<std::byte> m_bytes;
};

/// As ij.io.RoiDecoder reads it. `position`: of the slice, from 1; 0: of a single picture.
std::vector<std::byte> roiOf(const RegionOutline& outline, std::uint32_t position) {
    constexpr std::uint32_t kVersion = 228, kTraced = 8, kMostInShort = 65535;
    const auto& corners = outline.corners;
    const auto [left, right] = std::ranges::minmax(corners, {}, &RegionOutline::Corner::x);
    const auto [top, bottom] = std::ranges::minmax(corners, {}, &RegionOutline::Corner::y);
    const auto count = static_cast<std::uint32_t>(corners.size());
    Bytes roi;
    roi.text("Iout");
    roi.big16(kVersion);
    roi.big16(kTraced << 8);
    for (const std::int32_t side : {top.y, left.x, bottom.y, right.x}) roi.big16(static_cast<std::uint32_t>(side));
    roi.big16(count > kMostInShort ? 0 : count);
    roi.big32(count > kMostInShort ? count : 0);
    roi.zeros(34);
    roi.big32(position);
    roi.zeros(4);
    for (const auto& corner : corners) roi.big16(static_cast<std::uint32_t>(corner.x - left.x));
    for (const auto& corner : corners) roi.big16(static_cast<std::uint32_t>(corner.y - top.y));
    return std::move(roi).take();
}

/// As of ISO 3309, which ZIP asks for.
std::uint32_t crc32(const std::vector<std::byte>& bytes) {
    std::uint32_t crc = ~0U;
    for (const std::byte byte : bytes) {
        crc ^= static_cast<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320U & (0U - (crc & 1U)));
    }
    return ~crc;
}

/// A ZIP file of members as they are.
class Zip {
public:
    void add(const std::string& name, const std::vector<std::byte>& member) {
        Bytes head;  // what both the member and the directory say
        head.little16(10);
        head.zeros(4);
        head.little16(0);
        head.little16(kFirstDay);
        head.little32(crc32(member));
        head.little32(static_cast<std::uint32_t>(member.size()));
        head.little32(static_cast<std::uint32_t>(member.size()));
        head.little16(static_cast<std::uint32_t>(name.size()));
        head.little16(0);
        const std::vector<std::byte> shared = std::move(head).take();
        const auto offset = static_cast<std::uint32_t>(m_file.size());
        m_file.text({"PK\3\4", 4});
        m_file.bytes(shared);
        m_file.text(name);
        m_file.bytes(member);
        m_directory.text({"PK\1\2", 4});
        m_directory.little16(10);
        m_directory.bytes(shared);
        m_directory.zeros(10);
        m_directory.little32(offset);
        m_directory.text(name);
        ++m_members;
    }
    std::size_t size() const { return m_file.size() + m_directory.size(); }
    std::vector<std::byte> take() && {
        const auto from = static_cast<std::uint32_t>(m_file.size()),
                   size = static_cast<std::uint32_t>(m_directory.size());
        m_file.bytes(std::move(m_directory).take());
        m_file.text({"PK\5\6", 4});
        m_file.zeros(4);
        m_file.little16(m_members);
        m_file.little16(m_members);
        m_file.little32(size);
        m_file.little32(from);
        m_file.zeros(2);
        return std::move(m_file).take();
    }

private:
    static constexpr std::uint32_t kFirstDay = 1U << 5 | 1U;  // 1 January 1980: the same regions are the same file
    Bytes m_file, m_directory;
    std::uint32_t m_members = 0;
};

}  // namespace

std::vector<RegionOutline> regionOutlines(const io::Grid& labels, const std::function<bool(std::int64_t label)>& kept,
                                          const std::stop_token& stop) {
    if (labels.shape().channels != 1 || labels.type() == io::PixelType::f32)
        throw std::invalid_argument("regions have outlines where labels are integers of one channel");
    std::vector<RegionOutline> outlines;
    io::withType(labels.type(), [&](auto sample) {
        for (std::int64_t z = 0; z < labels.shape().depth; ++z) {
            SliceTracer<decltype(sample)> tracer(labels, z);
            for (std::int64_t y = 0; y < labels.shape().height; ++y) {
                if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "cancelled");
                tracer.trace(y, kept, outlines);
            }
        }
    });
    return outlines;
}

std::vector<std::byte> toImageJ(const std::vector<RegionOutline>& outlines, const io::Shape& shape) {
    constexpr std::size_t kMostMembers = 65535;
    constexpr std::size_t kMostBytes = std::numeric_limits<std::int32_t>::max();
    if (std::max(shape.width, shape.height) > std::numeric_limits<std::int16_t>::max())
        throw Error(Error::Kind::unsupported, "ImageJ's outlines hold coordinates up to 32,767: crop the picture");
    if (outlines.size() > kMostMembers)
        throw Error(
            Error::Kind::unsupported,
            std::to_string(outlines.size()) + " outlines; a set of ImageJ's has at most 65,535: keep fewer regions");
    Zip zip;
    std::map<std::pair<std::int64_t, std::int64_t>, int> parts;
    const bool stack = shape.depth > 1;
    for (const RegionOutline& outline : outlines) {
        std::string name = std::to_string(outline.label);
        if (stack) name += "-z" + std::to_string(outline.slice + 1);
        if (const int part = ++parts[{outline.label, outline.slice}]; part > 1) name += "-" + std::to_string(part);
        zip.add(name + ".roi", roiOf(outline, stack ? static_cast<std::uint32_t>(outline.slice + 1) : 0));
        if (zip.size() > kMostBytes)
            throw Error(Error::Kind::unsupported, "the outlines take more than 2 GiB: keep fewer regions");
    }
    return std::move(zip).take();
}

}  // namespace warplens::gpu
