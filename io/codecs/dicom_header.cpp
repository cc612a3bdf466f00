// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_header.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/dicom_bytes.hpp"
#include "io/codecs/volume_header.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplens::io::codecs {
namespace {

constexpr std::int64_t kPreamble = 132;
constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr std::uint32_t kItem = 0xfffee000;
constexpr std::uint32_t kItemEnd = 0xfffee00d;
constexpr std::uint32_t kSequenceEnd = 0xfffee0dd;
constexpr std::uint32_t kPixelData = 0x7fe00010;
constexpr int kDeepest = 32;
constexpr std::int64_t kLongestText = 256;
// Two bytes stand for 128 at most.
constexpr std::int64_t kMostRleRatio = 64;

constexpr const char* kImplicit = "1.2.840.10008.1.2";
// The header is implicit as well, but for the pixels' byte order.
constexpr const char* kImplicitOfGe = "1.2.840.113619.5.2";
constexpr const char* kBigEndian = "1.2.840.10008.1.2.2";
constexpr const char* kDeflated = "1.2.840.10008.1.2.1.99";

struct Element {
    std::uint32_t tag = 0;
    std::uint32_t bytes = 0;  ///< of the value, or kUndefined
    bool unknown = false;     ///< of the kind UN, whose sequences are implicit
};

class Walker {
public:
    Walker(const std::string& path, const Source& source) : m_source(source), m_bytes(path, source) {}

    DicomHeader walk() {
        readMeta();
        while (m_at < m_bytes.size()) {
            const auto element = next();
            if (element.tag == kPixelData) {
                checkLayout();
                readPixels(element);
                m_header.hasPixels = true;
                break;
            }
            readField(element);
        }
        return std::move(m_header);
    }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_source.where, "DICOM", detail); }

    std::uint32_t number(std::size_t size) {
        std::array<std::byte, 4> bytes{};
        const auto part = std::span(bytes).first(size);
        if (m_bytes.size() - m_at < static_cast<std::int64_t>(size)) fail("it ends within an element");
        m_bytes.read(m_at, part);
        m_at += static_cast<std::int64_t>(size);
        return m_big ? bigEndian(part, 0, size) : littleEndian(part, 0, size);
    }
    std::uint32_t tag() {
        const auto group = number(2);
        return group << 16 | number(2);
    }
    /// The value's text, for those that matter.
    std::string text(const Element& element) {
        if (element.bytes > kLongestText) fail("a text out of proportion");
        std::string value(element.bytes, '\0');
        if (m_bytes.size() - m_at < static_cast<std::int64_t>(element.bytes)) fail("it ends within an element");
        m_bytes.read(m_at, std::as_writable_bytes(std::span(value)));
        return std::string(trimmed(value.substr(0, value.find('\0'))));
    }

    /// Tag, kind and length; the position is that of the value then.
    Element next() {
        Element element;
        element.tag = tag();
        // Items and their ends have no kind.
        if (!m_explicit || element.tag >> 16 == 0xfffe) {
            element.bytes = number(4);
        } else {
            std::string kind(2, ' ');
            if (m_bytes.size() - m_at < 2) fail("it ends within an element");
            m_bytes.read(m_at, std::as_writable_bytes(std::span(kind)));
            m_at += 2;
            if (!std::all_of(kind.begin(), kind.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
                fail("an element of no known kind");
            constexpr std::array<std::string_view, 13> kLong{"OB", "OD", "OF", "OL", "OV", "OW", "SQ",
                                                             "SV", "UC", "UN", "UR", "UT", "UV"};
            const bool isLong = std::find(kLong.begin(), kLong.end(), kind) != kLong.end();
            if (isLong) m_at += 2;
            element.bytes = number(isLong ? 4 : 2);
            element.unknown = kind == "UN";
        }
        if (element.bytes != kUndefined && static_cast<std::int64_t>(element.bytes) > m_bytes.size() - m_at &&
            element.tag != kPixelData) {
            fail("an element leads out of the file");
        }
        return element;
    }

    void skip(const Element& element, int depth = 0) {
        if (element.bytes != kUndefined) {
            m_at += element.bytes;
            return;
        }
        if (depth > kDeepest) fail("sequences within sequences without end");
        const bool before = m_explicit;
        if (element.unknown) m_explicit = false;
        for (auto item = next(); item.tag != kSequenceEnd; item = next()) {
            if (item.tag != kItem) fail("a sequence of something other than items");
            if (item.bytes != kUndefined) {
                m_at += item.bytes;
                continue;
            }
            for (auto inner = next(); inner.tag != kItemEnd; inner = next()) skip(inner, depth + 1);
        }
        m_explicit = before;
    }

    /// The group of the file itself, always explicit and little endian.
    void readMeta() {
        m_at = kPreamble;
        while (m_bytes.size() - m_at >= 8) {
            // What follows may be in another byte order, or deflated.
            const auto begin = m_at;
            const auto group = number(2);
            m_at = begin;
            if (group != 2) break;
            const auto element = next();
            if (element.bytes == kUndefined) fail("an element without a length");
            if (element.tag == 0x00020002) m_header.kind = text(element);
            if (element.tag == 0x00020010) m_header.syntax = text(element);
            m_at += element.bytes;
        }
        if (m_header.syntax == kDeflated) m_at = m_bytes.inflateFrom(m_at);
        m_explicit = m_header.syntax != kImplicit && m_header.syntax != kImplicitOfGe;
        m_big = m_header.bigEndian = m_header.syntax == kBigEndian;
    }

    void readField(const Element& element) {
        const auto value = m_at;
        const auto word = [&] {
            if (element.bytes < 2 || element.bytes == kUndefined) fail("a number of no bytes");
            return static_cast<std::int64_t>(number(2));
        };
        switch (element.tag) {
            case 0x00280002: m_header.samples = word(); break;
            case 0x00280004: m_header.photometric = text(element); break;
            case 0x00280006: m_header.byPlane = word() == 1; break;
            case 0x00280008: m_header.frames = parseNumber<std::int64_t>(text(element)).value_or(-1); break;
            case 0x00280010: m_header.rows = word(); break;
            case 0x00280011: m_header.columns = word(); break;
            case 0x00280100: m_header.bits = word(); break;
            case 0x00280101: m_stored = word(); break;
            case 0x00280102: m_highest = word(); break;
            default: break;
        }
        m_at = value;
        skip(element);
    }

    void checkLayout() const {
        const auto& h = m_header;
        constexpr std::array<std::int64_t, 6> kBits{1, 8, 12, 16, 32, 64};
        if (std::find(kBits.begin(), kBits.end(), h.bits) == kBits.end()) {
            fail(std::to_string(h.bits) + " bits a sample");
        }
        if (m_stored > h.bits || m_highest >= h.bits) fail("more bits stored than there are");
        if (h.samples != 1 && h.samples != 3 && h.samples != 4) fail(std::to_string(h.samples) + " samples per pixel");
        if (h.frames < 1) fail("a number of frames that is none");
        VolumeHeader volume;
        volume.type = h.bits <= 8 ? "u8" : h.bits <= 16 ? "u16" : h.bits == 32 ? "u32" : "u64";
        volume.sizes = {h.samples, h.columns, h.rows, h.frames};
        volume.packing = Packing::unknown;
        checkBytes(volume, "DICOM", m_source);
    }

    void readPixels(const Element& element) {
        const auto& h = m_header;
        if (element.bytes == kUndefined) return readFragments();
        // Pairs of pixels may share their colours.
        const auto samples = h.photometric == "YBR_FULL_422" ? 2 : h.samples;
        const auto needed = (h.rows * h.columns * samples * h.frames * h.bits + 7) / 8;
        const std::int64_t stated = element.bytes;
        const auto present = m_bytes.size() - m_at;
        // A byte that only makes the length even may be absent.
        const auto missing = std::max(needed - std::min(stated, present), stated - present - 1);
        if (missing <= 0) return;
        throw Error(Error::Kind::unreadable, m_source.where + ": the header asks for " +
                                                 std::to_string(std::max(needed, stated)) + " bytes of values, " +
                                                 std::to_string(missing) +
                                                 " are missing: the file is truncated, copy it again");
    }

    void readFragments() {
        auto& fragments = m_header.fragments;
        std::int64_t bytes = 0;
        for (auto item = next(); item.tag != kSequenceEnd; item = next()) {
            if (item.tag != kItem || item.bytes == kUndefined) fail("fragments of pixels that are none");
            fragments.push_back({m_at, item.bytes});
            m_at += item.bytes;
        }
        if (fragments.empty()) fail("no table of offsets");
        fragments.erase(fragments.begin());
        for (const auto& fragment : fragments) bytes += fragment.bytes;
        if (bytes == 0) fail("no fragments of pixels");
        if (m_header.isRle() && bytes < m_header.valueCount() * ((m_header.bits + 7) / 8) / kMostRleRatio) {
            fail("fewer bytes than its pixels take at least");
        }
    }

    const Source& m_source;
    DicomBytes m_bytes;
    std::int64_t m_at = 0;
    bool m_explicit = true;
    bool m_big = false;
    std::int64_t m_stored = 0, m_highest = 0;
    DicomHeader m_header;
};

}  // namespace

DicomHeader parseDicomHeader(const std::string& path, const Source& source) { return Walker(path, source).walk(); }

}  // namespace warplens::io::codecs
