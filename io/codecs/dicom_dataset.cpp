// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_dataset.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/volume_header.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace warplens::io::codecs {
namespace {

constexpr std::int64_t kPreamble = 132;
constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr std::uint32_t kItem = 0xfffee000;
constexpr std::uint32_t kItemEnd = 0xfffee00d;
constexpr std::uint32_t kSequenceEnd = 0xfffee0dd;
constexpr int kDeepest = 32;
// The longest that a file may need is the place of each frame of the largest microscope slides.
constexpr std::int64_t kLongestValue = 64 << 20;
constexpr std::size_t kMostFields = 4'000'000;

constexpr const char* kImplicit = "1.2.840.10008.1.2";
constexpr const char* kExplicit = "1.2.840.10008.1.2.1";
// Its header is implicit as well; only its pixels are in the other byte order.
constexpr const char* kImplicitOfGe = "1.2.840.113619.5.2";
constexpr const char* kBigEndian = "1.2.840.10008.1.2.2";
constexpr const char* kDeflated = "1.2.840.10008.1.2.1.99";

// What is kept, in order, wherever it stands.
constexpr std::array<std::uint32_t, 68> kKept{
    0x00080016,  // class
    0x00080060,  // modality
    0x00080100,  // code of a unit
    0x0008103e,  // description of the series
    0x00180050,  // slice thickness
    0x00180088,  // spacing between slices
    0x00181164,  // spacing at the detector
    0x00182010,  // spacing of a scanned film
    0x00186011,  // regions of an ultrasound picture
    0x00186024,  // their unit along x
    0x00186026,  // along y
    0x0018602c,  // their spacing along x
    0x0018602e,  // along y
    0x0020000e,  // series
    0x00200013,  // instance number
    0x00200032,  // position
    0x00200037,  // orientation
    0x00209113,  // sequence of positions
    0x00209116,  // sequence of orientations
    0x00280002,  // samples per pixel
    0x00280004,  // photometric interpretation
    0x00280006,  // planar configuration
    0x00280008,  // frames
    0x00280010,  // rows
    0x00280011,  // columns
    0x00280030,  // pixel spacing
    0x00280034,  // aspect ratio
    0x00280100,  // bits allocated
    0x00280101,  // bits stored
    0x00280102,  // high bit
    0x00280103,  // pixel representation
    0x00281052,  // intercept
    0x00281053,  // slope
    0x00281054,  // type of what slope and intercept give
    0x00281101,  // descriptors of the palettes
    0x00281102, 0x00281103,
    0x00281201,  // palettes
    0x00281202, 0x00281203,
    0x00281221,  // palettes in segments
    0x00281222, 0x00281223,
    0x00283000,  // modality table
    0x00283002,  // its descriptor
    0x00283004,  // its type
    0x00283006,  // its values
    0x00289110,  // sequence of pixel measures
    0x00289145,  // sequence of slopes and intercepts
    0x004008ea,  // sequence of units
    0x00409096,  // real world values
    0x00409211,  // last value that they are of
    0x00409212,  // their table
    0x00409213,  // last, as a real number
    0x00409214,  // first, as a real number
    0x00409216,  // first
    0x00409224,  // intercept
    0x00409225,  // slope
    0x00540022,  // detectors of nuclear medicine
    0x00541001,  // unit of a PET
    0x30040002,  // unit of a dose
    0x3004000c,  // places of the planes of a dose
    0x3004000e,  // scaling of a dose
    0x52009229,  // what all frames share
    0x52009230,  // what each frame has
    0x7fe00001,  // places of the frames
    0x7fe00002,  // their lengths
    0x7fe00003,
};
static_assert(std::is_sorted(kKept.begin(), kKept.end()));

bool isKept(std::uint32_t tag) { return std::binary_search(kKept.begin(), kKept.end(), tag); }
bool isPixels(std::uint32_t tag) { return tag == kPixelData || tag == kFloatPixelData || tag == kDoublePixelData; }

using Kind = std::array<char, 2>;

bool isAny(const Kind& kind, std::string_view list) {
    for (std::size_t at = 0; at + 1 < list.size(); at += 3) {
        if (list[at] == kind[0] && list[at + 1] == kind[1]) return true;
    }
    return false;
}
constexpr std::string_view kLong = "OB OD OF OL OV OW SQ SV UC UN UR UT UV";
constexpr std::string_view kShort = "AE AS AT CS DA DS DT FL FD IS LO LT PN SH SL SS ST TM UI UL US";

bool isCapitals(const Kind& kind) {
    return std::all_of(kind.begin(), kind.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

struct Element {
    std::uint32_t tag = 0;
    std::uint32_t bytes = 0;  ///< of the value, or kUndefined
    Kind kind{};
};

class DicomWalker {
public:
    DicomWalker(const std::string& path, const Source& source)
        : m_source(source), m_owned(std::make_unique<DicomBytes>(path, source)), m_bytes(*m_owned) {}

    DicomDataset walk() {
        readMeta();
        m_file.root.big = m_big;
        while (m_at < m_bytes.size()) {
            const auto element = next();
            if (isPixels(element.tag)) {
                readPixels(element);
                break;
            }
            readField(element, m_file.root, 0);
        }
        m_file.bytes = std::move(m_owned);
        return std::move(m_file);
    }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_source.where, "DICOM", detail); }

    std::int64_t left() const { return m_bytes.size() - m_at; }

    void peek(std::span<std::byte> out) {
        if (left() < static_cast<std::int64_t>(out.size())) fail("it ends within an element");
        m_bytes.read(m_at, out);
    }
    std::uint32_t number(std::size_t size) {
        std::array<std::byte, 4> bytes{};
        const auto part = std::span(bytes).first(size);
        peek(part);
        m_at += static_cast<std::int64_t>(size);
        return m_big ? bigEndian(part, 0, size) : littleEndian(part, 0, size);
    }
    std::uint32_t tag() {
        const auto group = number(2);
        return group << 16 | number(2);
    }

    /// Tag, kind and length; the position is that of the value then.
    Element next() {
        Element element;
        element.tag = tag();
        // Items and their ends have no kind.
        if (element.tag >> 16 == 0xfffe || !m_explicit) {
            element.bytes = number(4);
        } else {
            peek(std::as_writable_bytes(std::span(element.kind)));
            // Some writers leave the kinds of some elements out, in a file that should have them all.
            if (!isCapitals(element.kind)) {
                element.kind = {};
                element.bytes = number(4);
            } else {
                m_at += 2;
                const bool isLong = isAny(element.kind, kLong);
                if (isLong) number(2);
                element.bytes = number(isLong ? 4 : 2);
            }
        }
        if (element.bytes != kUndefined && static_cast<std::int64_t>(element.bytes) > left() &&
            !isPixels(element.tag)) {
            fail("an element leads out of the file");
        }
        return element;
    }

    /// Whether the data set here names the kinds of its elements, whatever the transfer syntax says.
    bool looksExplicit() {
        if (left() < 8) return m_explicit;
        std::array<std::byte, 6> head{};
        peek(head);
        const Kind kind{std::to_integer<char>(head[4]), std::to_integer<char>(head[5])};
        return isAny(kind, kLong) || isAny(kind, kShort);
    }

    /// The group of the file itself, always explicit and little endian.
    void readMeta() {
        m_at = kPreamble;
        while (left() >= 8) {
            // What follows may be in another byte order, or deflated.
            const auto begin = m_at;
            const auto group = number(2);
            m_at = begin;
            if (group != 2) break;
            const auto element = next();
            if (element.bytes == kUndefined) fail("an element without a length");
            const bool wanted = element.tag == 0x00020002 || element.tag == 0x00020010;
            if (wanted) {
                DicomItem item;
                keep(element, item);
                (element.tag == 0x00020002 ? m_file.kind : m_file.syntax) = item.text(element.tag);
            }
            m_at += wanted ? 0 : element.bytes;
        }
        if (m_file.syntax.empty()) guessSyntax();
        const auto& syntax = m_file.syntax;
        if (syntax == kDeflated) m_at = m_bytes.inflateFrom(m_at);
        m_explicit = (syntax != kImplicit && syntax != kImplicitOfGe) || looksExplicit();
        m_big = syntax == kBigEndian;
    }

    void guessSyntax() {
        if (left() < 8) return;
        std::array<std::byte, 2> group{};
        peek(group);
        const bool big = littleEndian(group, 0, 2) > bigEndian(group, 0, 2);
        m_file.syntax = big ? kBigEndian : looksExplicit() ? kExplicit : kImplicit;
    }

    void keep(const Element& element, DicomItem& into) {
        if (static_cast<std::int64_t>(element.bytes) > kLongestValue) fail("a value out of proportion");
        if (++m_fields > kMostFields) fail("elements out of proportion");
        auto& field = into.fields[element.tag];
        field = {};
        field.kind = element.kind;
        field.value.resize(element.bytes);
        peek(field.value);
        m_at += element.bytes;
    }

    void readField(const Element& element, DicomItem& into, int depth) {
        const bool sequence = element.bytes == kUndefined || isAny(element.kind, "SQ") || isKeptSequence(element.tag);
        if (!isKept(element.tag)) {
            if (element.bytes != kUndefined) {
                m_at += element.bytes;
            } else {
                readSequence(element, nullptr, depth);
            }
        } else if (sequence) {
            if (++m_fields > kMostFields) fail("elements out of proportion");
            auto& field = into.fields[element.tag];
            field = {};
            readSequence(element, &field.items, depth);
        } else {
            keep(element, into);
        }
    }

    /// Where the file does not say which are sequences.
    static bool isKeptSequence(std::uint32_t tag) {
        constexpr std::array<std::uint32_t, 11> kSequences{0x00186011, 0x00209113, 0x00209116, 0x00283000,
                                                           0x00289110, 0x00289145, 0x004008ea, 0x00409096,
                                                           0x00540022, 0x52009229, 0x52009230};
        return std::binary_search(kSequences.begin(), kSequences.end(), tag);
    }

    /// Items to the end of the sequence; kept in `items` when it is given.
    void readSequence(const Element& element, std::vector<DicomItem>* items, int depth) {
        if (depth > kDeepest) fail("sequences within sequences without end");
        const bool before = m_explicit;
        // A sequence of the kind UN is implicit, whatever stands around it.
        if (isAny(element.kind, "UN")) m_explicit = false;
        const auto end = element.bytes == kUndefined ? -1 : m_at + element.bytes;
        while (m_at != end) {
            if (end >= 0 && m_at > end) fail("an item leads out of its sequence");
            const auto item = next();
            if (item.tag == kSequenceEnd) {
                if (end < 0) break;
                continue;
            }
            if (item.tag != kItem) fail("a sequence of something other than items");
            if (items == nullptr && item.bytes != kUndefined) {
                m_at += item.bytes;
                continue;
            }
            if (++m_fields > kMostFields) fail("elements out of proportion");
            DicomItem unkept;
            auto& into = items != nullptr ? items->emplace_back() : unkept;
            into.big = m_big;
            readItem(item, into, depth);
        }
        m_explicit = before;
    }

    void readItem(const Element& item, DicomItem& into, int depth) {
        const bool before = m_explicit;
        if (!m_explicit && item.bytes != 0) m_explicit = looksExplicit();
        const auto end = item.bytes == kUndefined ? -1 : m_at + item.bytes;
        while (m_at != end) {
            if (end >= 0 && m_at > end) fail("an element leads out of its item");
            const auto inner = next();
            if (inner.tag == kItemEnd) {
                if (end < 0) break;
                continue;
            }
            readField(inner, into, depth + 1);
        }
        m_explicit = before;
    }

    void readPixels(const Element& element) {
        auto& pixels = m_file.pixels;
        pixels.tag = element.tag;
        pixels.kind = element.kind;
        if (element.bytes != kUndefined) {
            pixels.native = {m_at, element.bytes};
            return;
        }
        pixels.encapsulated = true;
        for (auto item = next(); item.tag != kSequenceEnd; item = next()) {
            if (item.tag != kItem || item.bytes == kUndefined) fail("fragments of pixels that are none");
            pixels.fragments.push_back({m_at, item.bytes});
            m_at += item.bytes;
        }
    }

    const Source& m_source;
    std::unique_ptr<DicomBytes> m_owned;
    DicomBytes& m_bytes;
    std::int64_t m_at = 0;
    bool m_explicit = true;
    bool m_big = false;
    std::size_t m_fields = 0;
    DicomDataset m_file;
};

}  // namespace

const DicomField* DicomItem::find(std::uint32_t tag) const {
    const auto found = fields.find(tag);
    return found == fields.end() ? nullptr : &found->second;
}

const DicomItem* DicomItem::first(std::uint32_t tag) const {
    const auto* field = find(tag);
    return field == nullptr || field->items.empty() ? nullptr : &field->items.front();
}

std::string DicomItem::text(std::uint32_t tag) const {
    const auto* field = find(tag);
    if (field == nullptr) return "";
    const std::string_view all(reinterpret_cast<const char*>(field->value.data()), field->value.size());
    return std::string(trimmed(all.substr(0, all.find('\0'))));
}

std::vector<double> DicomItem::decimals(std::uint32_t tag) const {
    std::vector<double> numbers;
    const auto all = text(tag);
    if (all.empty()) return numbers;
    for (auto part : split(all, '\\')) {
        part = trimmed(part);
        if (part.starts_with('+')) part.remove_prefix(1);
        const auto number = parseNumber<double>(part);
        if (!number || !std::isfinite(*number)) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<double> DicomItem::decimal(std::uint32_t tag) const {
    const auto all = decimals(tag);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<std::uint16_t> DicomItem::words(std::uint32_t tag) const {
    std::vector<std::uint16_t> numbers;
    const auto* field = find(tag);
    if (field == nullptr) return numbers;
    for (std::size_t at = 0; at + 2 <= field->value.size(); at += 2) {
        numbers.push_back(
            static_cast<std::uint16_t>(big ? bigEndian(field->value, at, 2) : littleEndian(field->value, at, 2)));
    }
    return numbers;
}

std::optional<std::int64_t> DicomItem::word(std::uint32_t tag) const {
    const auto all = words(tag);
    return all.empty() ? std::nullopt : std::optional<std::int64_t>(all.front());
}

std::vector<std::uint64_t> DicomItem::longs(std::uint32_t tag) const {
    std::vector<std::uint64_t> numbers;
    const auto* field = find(tag);
    if (field == nullptr) return numbers;
    const auto& value = field->value;
    for (std::size_t at = 0; at + 8 <= value.size(); at += 8) {
        const std::uint64_t a = big ? bigEndian(value, at, 4) : littleEndian(value, at, 4);
        const std::uint64_t b = big ? bigEndian(value, at + 4, 4) : littleEndian(value, at + 4, 4);
        numbers.push_back(big ? a << 32 | b : b << 32 | a);
    }
    return numbers;
}

std::optional<double> DicomItem::real(std::uint32_t tag) const {
    const auto all = longs(tag);
    return all.empty() ? std::nullopt : std::optional(std::bit_cast<double>(all.front()));
}

DicomDataset readDicomDataset(const std::string& path, const Source& source) {
    return DicomWalker(path, source).walk();
}

}  // namespace warplens::io::codecs
