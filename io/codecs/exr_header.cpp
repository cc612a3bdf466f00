// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/exr_header.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace warplens::io::codecs {
namespace {

/// Types whose values always take the same room.
const std::map<std::string_view, std::size_t> kFixedSizes = {{"box2i", 16},
                                                             {"box2f", 16},
                                                             {"chromaticities", 32},
                                                             {"compression", 1},
                                                             {"deepImageState", 1},
                                                             {"double", 8},
                                                             {"envmap", 1},
                                                             {"float", 4},
                                                             {"int", 4},
                                                             {"keycode", 28},
                                                             {"lineOrder", 1},
                                                             {"m33f", 36},
                                                             {"m33d", 72},
                                                             {"m44f", 64},
                                                             {"m44d", 128},
                                                             {"rational", 8},
                                                             {"tiledesc", 9},
                                                             {"timecode", 8},
                                                             {"v2i", 8},
                                                             {"v2f", 8},
                                                             {"v2d", 16},
                                                             {"v3i", 12},
                                                             {"v3f", 12},
                                                             {"v3d", 24}};

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kMostAttributes = 4096;

class Walker {
public:
    Walker(std::span<const std::byte> file, const Limits& limits, const std::string& where)
        : m_file(file), m_limits(limits), m_where(where) {}

    void check() {
        constexpr std::uint32_t kMultiPart = 0x1000;
        const bool several = (number(4) & kMultiPart) != 0;
        m_at = 8;  // behind signature and version
        header();
        // An empty header ends those of several parts.
        while (several && take(1, "a header")[0] != std::byte{0}) {
            --m_at;
            header();
        }
    }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_where, "EXR", detail); }

    std::span<const std::byte> take(std::size_t size, const char* what) {
        if (size > m_file.size() - m_at) fail(std::string(what) + " ends too early");
        const auto part = m_file.subspan(m_at, size);
        m_at += size;
        return part;
    }
    std::uint32_t number(std::size_t at) const {
        if (m_file.size() < 4 || at > m_file.size() - 4) fail("the header ends too early");
        return littleEndian(m_file, at, 4);
    }
    /// A text that ends in a zero.
    std::string word() {
        const auto rest = m_file.subspan(std::min(m_at, m_file.size()));
        const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
        const auto length = static_cast<std::size_t>(end - rest.begin());
        if (end == rest.end() || length > kLongestName) fail("a name does not end");
        const auto part = take(length + 1, "a name");
        return {reinterpret_cast<const char*>(part.data()), length};
    }

    void header() {
        Extents extents;
        for (std::size_t i = 0;; ++i) {
            const auto name = word();
            if (name.empty()) break;
            if (i == kMostAttributes) fail("too many attributes");
            const auto type = word();
            const auto size = number(m_at);
            m_at += 4;
            const auto value = take(size, "an attribute");
            checkValue(type, value);
            if (name == "dataWindow" && type == "box2i") extents.window(value);
            if (name == "tiles" && type == "tiledesc") extents.tiles(value);
        }
        extents.check(*this);
    }

    /// OpenEXR must end up where the stated size says.
    void checkValue(const std::string& type, std::span<const std::byte> value) const {
        const auto fixed = kFixedSizes.find(type);
        bool right = fixed == kFixedSizes.end() || fixed->second == value.size();
        if (type == "chlist") right = channelsFill(value);
        if (type == "stringvector") right = stringsFill(value);
        if (type == "preview") {
            right = value.size() >= 8 && value.size() - 8 == std::uint64_t{4} * littleEndian(value, 0, 4) *
                                                                 std::uint64_t{littleEndian(value, 4, 4)};
        }
        if (type == "idmanifest") unsupported(m_where, "an EXR with an ID manifest", "save its colour channels alone");
        if (!right) fail("an attribute of type " + type.substr(0, 20) + " has the wrong size");
    }
    /// Names with 16 bytes each, and a zero at the very end.
    static bool channelsFill(std::span<const std::byte> value) {
        while (!value.empty()) {
            const auto end = std::find(value.begin(), value.end(), std::byte{0});
            if (end == value.end()) return false;
            const auto length = static_cast<std::size_t>(end - value.begin());
            value = value.subspan(length + 1);
            if (length == 0) return value.empty();
            if (value.size() < 16) return false;
            value = value.subspan(16);
        }
        return false;
    }
    static bool stringsFill(std::span<const std::byte> value) {
        while (!value.empty()) {
            if (value.size() < 4) return false;
            const std::size_t length = littleEndian(value, 0, 4);
            value = value.subspan(4);
            if (length > value.size()) return false;
            value = value.subspan(length);
        }
        return true;
    }

    struct Extents {
        std::int64_t width = 0, height = 0, tileWidth = 0, tileHeight = 0;
        bool found = false, tiled = false;

        void window(std::span<const std::byte> value) {
            const auto side = [&](std::size_t axis) {
                const auto corner = [&](std::size_t at) {
                    return std::int64_t{static_cast<std::int32_t>(littleEndian(value, at, 4))};
                };
                return corner(8 + 4 * axis) - corner(4 * axis) + 1;
            };
            width = side(0);
            height = side(1);
            found = true;
        }
        void tiles(std::span<const std::byte> value) {
            tileWidth = littleEndian(value, 0, 4);
            tileHeight = littleEndian(value, 4, 4);
            tiled = true;
        }
        void check(const Walker& walker) const {
            if (!found) walker.fail("no data window");
            const auto& limits = walker.m_limits;
            limits.check({width, height, 1, 1}, PixelType::f32, walker.m_where);
            if (!tiled) return;
            // Each tile has an entry of 8 bytes in a table and a header of 20, and is never much larger than the
            // picture.
            const auto count = [](std::int64_t extent, std::int64_t tile) { return (extent + tile - 1) / tile; };
            if (tileWidth < 1 || tileHeight < 1 || tileWidth > limits.side || tileHeight > limits.side ||
                tileWidth * tileHeight > std::max<std::int64_t>(4 * width * height, 1 << 20) ||
                count(width, tileWidth) * count(height, tileHeight) >
                    static_cast<std::int64_t>(walker.m_file.size()) / 28) {
                walker.fail("tiles of an impossible size");
            }
        }
    };

    std::span<const std::byte> m_file;
    const Limits& m_limits;
    const std::string& m_where;
    std::size_t m_at = 0;
};

}  // namespace

void checkExrHeaders(std::span<const std::byte> file, const Limits& limits, const std::string& where) {
    Walker(file, limits, where).check();
}

}  // namespace warplens::io::codecs
