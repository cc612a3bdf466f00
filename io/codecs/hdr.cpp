// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/stb.hpp"

#include <cstring>
#include <string_view>

namespace warplens::io::codecs {
namespace {

// A run of up to 127 values takes two bytes in each of four components.
constexpr std::int64_t kMostPixelsAByte = 16;

/// Walks the runs of a file, for stb_image (2.27) goes round for ever on a run of no length, which is what it sees
/// behind the end of a file that is cut short.
class RunWalker {
public:
    RunWalker(Bytes file, const std::string& where) : m_file(file), m_where(where) {}

    void check(std::int64_t width, std::int64_t height) {
        skipHeader();
        // As stb_image decides: only pictures of these widths are packed, and the first row tells whether this one is.
        const bool packed = width >= 8 && width < 32768 && byteAt(0) == 2 && byteAt(1) == 2 && byteAt(2) < 128;
        if (!packed) {
            if (static_cast<std::int64_t>(m_file.size() - m_at) / 4 < width * height) fail("the file ends too early");
            return;
        }
        for (std::int64_t y = 0; y < height; ++y) {
            if (byteAt(0) != 2 || byteAt(1) != 2 || byteAt(2) * 256 + byteAt(3) != width) fail("a row begins wrong");
            m_at += 4;
            for (int component = 0; component < 4; ++component) checkComponent(width);
        }
    }

private:
    [[noreturn]] void fail(const char* detail) const { damaged(m_where, "HDR", detail); }
    int byteAt(std::size_t offset) const {
        if (m_file.size() - m_at <= offset) fail("the file ends too early");
        return std::to_integer<int>(m_file[m_at + offset]);
    }
    /// To behind the line that follows the first empty one: that of the size. A line that begins with a zero byte is
    /// empty to stb_image, so it is here.
    void skipHeader() {
        bool last = false;
        while (true) {
            const auto begin = m_at;
            while (byteAt(0) != '\n') ++m_at;
            const bool empty = m_at == begin || m_file[begin] == std::byte{0};
            ++m_at;
            if (last) return;
            last = empty;
        }
    }
    void checkComponent(std::int64_t width) {
        for (std::int64_t x = 0; x < width;) {
            const int count = byteAt(0);
            const bool run = count > 128;
            const int length = run ? count - 128 : count;
            if (length == 0 || length > width - x) fail("a run of an impossible length");
            m_at += 1;
            const std::size_t values = run ? 1 : static_cast<std::size_t>(length);
            byteAt(values - 1);
            m_at += values;
            x += length;
        }
    }

    Bytes m_file;
    const std::string& m_where;
    std::size_t m_at = 0;
};

bool beginsWith(Bytes head, std::string_view text) {
    return head.size() >= text.size() && std::memcmp(head.data(), text.data(), text.size()) == 0;
}

}  // namespace

bool isHdr(Bytes head) { return beginsWith(head, "#?RADIANCE\n") || beginsWith(head, "#?RGBE\n"); }

Grid decodeHdr(Bytes file, const Limits& limits, const std::string& where) {
    const StbFormat format{"HDR", kMostPixelsAByte, true,
                           [&](const Shape& shape) { RunWalker(file, where).check(shape.width, shape.height); }};
    auto grid = decodeWithStb(file, limits, where, format);
    grid.metadata.sourceType = "rgbe";
    return grid;
}

}  // namespace warplens::io::codecs
