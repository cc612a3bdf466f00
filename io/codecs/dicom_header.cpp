// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_header.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/volume_header.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplens::io::codecs {
namespace {

// Two bytes stand for 128 at most.
constexpr std::int64_t kMostRleRatio = 64;

DicomCoding codingOf(std::string_view syntax) {
    constexpr std::string_view kRoot = "1.2.840.10008.1.2.";
    if (!syntax.starts_with(kRoot)) return DicomCoding::native;
    const auto rest = syntax.substr(kRoot.size());
    if (rest == "5") return DicomCoding::rle;
    if (rest == "1.98") return DicomCoding::pieces;
    if (!rest.starts_with("4.")) return rest.starts_with("1") || rest == "2" ? DicomCoding::native : DicomCoding::other;
    const auto number = parseNumber<int>(rest.substr(2)).value_or(0);
    if (number >= 50 && number <= 70) return DicomCoding::jpeg;
    if (number == 80 || number == 81) return DicomCoding::jpegLs;
    if ((number >= 90 && number <= 93) || (number >= 201 && number <= 203)) return DicomCoding::jpeg2000;
    return DicomCoding::other;
}

class DicomReader {
public:
    DicomReader(const std::string& path, const Source& source) : m_source(source) {
        m_header.dataset = readDicomDataset(path, source);
    }

    DicomHeader read() {
        auto& h = m_header;
        const auto& pixels = h.dataset.pixels;
        if (pixels.tag == 0) return std::move(h);
        h.hasPixels = true;
        readLayout();
        checkLayout();
        const auto& syntax = h.dataset.syntax;
        h.coding = codingOf(syntax);
        h.isReal = pixels.tag != kPixelData;
        h.bigEndian = h.root().big || syntax == "1.2.840.113619.5.2";
        h.inWords = pixels.kind == std::array{'O', 'W'};
        if (h.isReal && h.bits != (pixels.tag == kFloatPixelData ? 32 : 64)) fail("real numbers of no such length");
        if (!pixels.encapsulated && h.coding != DicomCoding::other) h.coding = DicomCoding::native;
        if (pixels.encapsulated && h.coding == DicomCoding::native) h.coding = DicomCoding::pieces;
        if (h.coding == DicomCoding::other) {
            unsupported(m_source.where, "DICOM pixels in the coding " + inQuotes(syntax),
                        "save it uncompressed, or as JPEG, JPEG-LS, JPEG 2000 or RLE");
        }
        checkSize();
        if (pixels.encapsulated) {
            sortFragments();
        } else {
            checkNative();
        }
        return std::move(h);
    }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_source.where, "DICOM", detail); }

    void readLayout() {
        auto& h = m_header;
        const auto& root = h.root();
        h.samples = root.word(0x00280002).value_or(1);
        h.photometric = root.text(0x00280004);
        const bool grey = h.photometric == "MONOCHROME1" || h.photometric == "PALETTE COLOR";
        if (h.samples == 1 && !grey) h.photometric = "MONOCHROME2";
        if (h.photometric.empty()) h.photometric = "RGB";
        h.byPlane = h.samples > 1 && root.word(0x00280006) == 1;
        const auto frames = root.decimal(0x00280008).value_or(root.text(0x00280008).empty() ? 0 : -1);
        if (frames < 0 || frames > 1e9 || frames != static_cast<double>(static_cast<std::int64_t>(frames))) {
            fail("a number of frames that is none");
        }
        // An empty number and 0 are found where 1 is meant.
        h.frames = std::max<std::int64_t>(static_cast<std::int64_t>(frames), 1);
        h.rows = root.word(0x00280010).value_or(0);
        h.columns = root.word(0x00280011).value_or(0);
        h.bits = root.word(0x00280100).value_or(0);
        h.stored = root.word(0x00280101).value_or(0);
        if (h.stored == 0) h.stored = h.bits;
        h.highest = root.word(0x00280102).value_or(h.stored - 1);
        h.isSigned = root.word(0x00280103) == 1;
    }

    void checkLayout() {
        auto& h = m_header;
        if (h.bits < 1 || h.bits > 64) fail(std::to_string(h.bits) + " bits a sample");
        if (h.stored > h.bits || h.highest >= h.bits) fail("more bits stored than there are");
        if (h.highest + 1 < h.stored) {
            h.highest = h.stored - 1;
            h.notes.emplace_back("its highest bit leaves no room for the bits stored; the lowest ones were taken");
        }
        if (h.bits % 8 != 0 && h.bits != 1 && h.bits != 12) {
            unsupported(m_source.where, "DICOM values of " + std::to_string(h.bits) + " bits allocated",
                        "save it with 8, 16 or 32");
        }
        if (h.samples < 1) fail("no samples per pixel");
        if (h.samples != 1 && h.samples != 3 && h.samples != 4) {
            unsupported(m_source.where, "a DICOM of " + std::to_string(h.samples) + " samples per pixel",
                        "save it with 1, 3 or 4");
        }
    }

    void checkSize() {
        const auto& h = m_header;
        VolumeHeader volume;
        volume.type = h.bits <= 8 ? "u8" : h.bits <= 16 ? "u16" : h.bits <= 32 ? "u32" : "u64";
        volume.sizes = {h.samples, h.columns, h.rows, h.frames};
        volume.packing = Packing::unknown;
        checkBytes(volume, "DICOM", m_source);
    }

    void checkNative() {
        auto& h = m_header;
        auto& native = h.dataset.pixels.native;
        const auto frame = h.storedValues() * h.bits;
        const auto needed = (frame * h.frames + 7) / 8;
        const auto present = h.dataset.bytes->size() - native.begin;
        // A byte that only makes the length even may be absent.
        const auto missing = std::max(needed - std::min(native.bytes, present), native.bytes - present - 1);
        if (missing > 0) {
            throw Error(Error::Kind::unreadable, m_source.where + ": the header asks for " +
                                                     std::to_string(std::max(needed, native.bytes)) +
                                                     " bytes of values, " + std::to_string(missing) +
                                                     " are missing: the file is truncated, copy it again");
        }
        if (native.bytes - needed >= (frame + 7) / 8) {
            h.notes.push_back("its values are enough for " + std::to_string(native.bytes * 8 / frame) +
                              " frames; it states " + std::to_string(h.frames));
        }
    }

    void sortFragments() {
        auto& h = m_header;
        auto& fragments = h.dataset.pixels.fragments;
        if (fragments.empty()) fail("no table of offsets");
        const auto table = fragments.front();
        fragments.erase(fragments.begin());
        std::int64_t bytes = 0;
        for (const auto& fragment : fragments) bytes += fragment.bytes;
        if (bytes == 0) fail("no fragments of pixels");
        const auto values = h.storedValues() * h.frames * ((h.bits + 7) / 8);
        if (h.coding == DicomCoding::rle && bytes < values / kMostRleRatio) {
            fail("fewer bytes than its pixels take at least");
        }
        const auto frames = static_cast<std::size_t>(h.frames);
        if (fragments.size() < frames) {
            fail(std::to_string(fragments.size()) + " fragments for " + std::to_string(frames) + " frames");
        }
        if (frames == 1) {
            h.pieces = {fragments};
        } else if (fragments.size() == frames) {
            for (const auto& fragment : fragments) h.pieces.push_back({fragment});
        } else if (!sortByTable(table) && !sortBySignature()) {
            fail("fragments that belong to no frame");
        }
    }

    /// As the table before them says, or the longer one in the header.
    bool sortByTable(const DicomPiece& table) {
        auto& h = m_header;
        std::vector<std::uint64_t> offsets = h.root().longs(0x7fe00001);
        if (offsets.empty() && table.bytes == 4 * h.frames) {
            std::vector<std::byte> bytes(static_cast<std::size_t>(table.bytes));
            h.dataset.bytes->read(table.begin, bytes);
            for (std::size_t at = 0; at < bytes.size(); at += 4) offsets.push_back(littleEndian(bytes, at, 4));
        }
        if (offsets.size() != static_cast<std::size_t>(h.frames)) return false;
        const auto& fragments = h.dataset.pixels.fragments;
        // Offsets are counted from the first item after the table, whose lead takes 8 bytes.
        const auto first = fragments.front().begin;
        std::vector<std::vector<DicomPiece>> pieces;
        for (const auto& fragment : fragments) {
            const auto offset = static_cast<std::uint64_t>(fragment.begin - first);
            if (pieces.size() < offsets.size() && offsets[pieces.size()] == offset) pieces.emplace_back();
            if (pieces.empty()) return false;
            pieces.back().push_back(fragment);
        }
        if (pieces.size() != offsets.size()) return false;
        h.pieces = std::move(pieces);
        return true;
    }

    /// By the beginning that each coded picture has.
    bool sortBySignature() {
        auto& h = m_header;
        const std::array<int, 2> wanted =
            h.coding == DicomCoding::jpeg2000 ? std::array{0xff, 0x4f} : std::array{0xff, 0xd8};
        if (h.coding == DicomCoding::rle || h.coding == DicomCoding::pieces) return false;
        std::vector<std::vector<DicomPiece>> pieces;
        for (const auto& fragment : h.dataset.pixels.fragments) {
            std::array<std::byte, 2> head{};
            if (fragment.bytes >= 2) h.dataset.bytes->read(fragment.begin, head);
            if (std::to_integer<int>(head[0]) == wanted[0] && std::to_integer<int>(head[1]) == wanted[1])
                pieces.emplace_back();
            if (pieces.empty()) return false;
            pieces.back().push_back(fragment);
        }
        if (pieces.size() != static_cast<std::size_t>(h.frames)) return false;
        h.pieces = std::move(pieces);
        return true;
    }

    const Source& m_source;
    DicomHeader m_header;
};

const DicomItem* within(const DicomItem* item, std::uint32_t group, std::uint32_t tag) {
    const auto* inner = item != nullptr && group != 0 ? item->first(group) : item;
    return inner != nullptr && inner->find(tag) != nullptr ? inner : nullptr;
}

}  // namespace

const DicomItem* DicomHeader::of(std::int64_t frame, std::uint32_t group, std::uint32_t tag) const {
    if (const auto* perFrame = root().find(0x52009230)) {
        const auto at = static_cast<std::size_t>(frame);
        if (at < perFrame->items.size()) {
            if (const auto* found = within(&perFrame->items[at], group, tag)) return found;
        }
    }
    if (const auto* found = within(root().first(0x52009229), group, tag)) return found;
    return root().find(tag) != nullptr ? &root() : nullptr;
}

DicomHeader readDicomHeader(const std::string& path, const Source& source) { return DicomReader(path, source).read(); }

}  // namespace warplens::io::codecs
