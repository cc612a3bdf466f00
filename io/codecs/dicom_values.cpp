// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_values.hpp"

#include "io/codecs/common.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace warplens::io::codecs {
namespace {

constexpr std::int64_t kPixelsAtOnce = 1 << 14;
// A float holds every integer of so many bits.
constexpr std::int64_t kFloatBits = 24;

bool isMono(const DicomHeader& header) { return header.samples == 1; }
bool isPalette(const DicomHeader& header) { return isMono(header) && header.photometric == "PALETTE COLOR"; }

std::string storedTypeOf(const DicomHeader& header) {
    if (header.isReal) return header.bits == 32 ? "f32" : "f64";
    if (header.bits == 1) return "u1";
    const auto bits = header.bits <= 8 ? 8 : header.bits <= 16 ? 16 : header.bits <= 32 ? 32 : 64;
    return (header.isSigned ? "i" : "u") + std::to_string(bits);
}

PixelType integerType(const DicomHeader& header) {
    const bool wide = header.stored - (header.isSigned ? 1 : 0) > kFloatBits;
    if (header.bits <= 8) return header.isSigned ? PixelType::f32 : PixelType::u8;
    if (header.bits <= 16) return header.isSigned ? PixelType::f32 : PixelType::u16;
    if (header.stored > 32 || !wide || header.samples > 1) return PixelType::f32;
    return header.isSigned ? PixelType::i32 : PixelType::u32;
}

DicomScale scaleOf(const DicomHeader& header, std::int64_t frame, std::string& unit, bool& assumed) {
    const auto& root = header.root();
    if (const auto scaling = root.decimal(0x3004000e)) {
        unit = root.text(0x30040002) == "RELATIVE" ? "relative dose" : "Gy";
        return {*scaling, 0};
    }
    const auto* withSlope = header.of(frame, 0x00289145, 0x00281053);
    const auto* withIntercept = header.of(frame, 0x00289145, 0x00281052);
    DicomScale scale;
    if (withSlope != nullptr) scale.slope = withSlope->decimal(0x00281053).value_or(1);
    if (withIntercept != nullptr) scale.intercept = withIntercept->decimal(0x00281052).value_or(0);
    if (scale.slope == 0) {
        scale.slope = 1;
        assumed = true;
    }
    if (const auto* item = header.of(frame, 0x00289145, 0x00281054)) unit = item->text(0x00281054);
    if (unit.empty()) unit = root.text(0x00541001);
    return scale;
}

void readScales(const DicomHeader& header, DicomMeaning& meaning) {
    bool assumed = false;
    // Without groups of their own all frames are alike.
    const auto* groups = header.root().find(0x52009230);
    const auto count = groups == nullptr ? 1 : std::min(header.frames, static_cast<std::int64_t>(groups->items.size()));
    for (std::int64_t frame = 0; frame < std::max<std::int64_t>(count, 1); ++frame) {
        meaning.scales.push_back(scaleOf(header, frame, meaning.unit, assumed));
    }
    if (assumed) meaning.notes.emplace_back("the slope in the file is 0; 1 was taken");
    if (std::none_of(meaning.scales.begin(), meaning.scales.end(), [](const auto& s) { return s.changes(); })) {
        meaning.scales.clear();
    }
}

/// Another meaning of the stored values, which viewers offer beside the first.
void noteRealWorldValues(const DicomHeader& header, DicomMeaning& meaning) {
    const auto* holder = header.of(0, 0, 0x00409096);
    const auto* map = holder == nullptr ? nullptr : holder->first(0x00409096);
    if (map == nullptr) return;
    const auto bound = [&](std::uint32_t integer, std::uint32_t real) {
        if (const auto value = map->real(real)) return formatNumber(*value);
        const auto value = map->word(integer);
        if (!value) return std::string("?");
        return std::to_string(header.isSigned ? static_cast<std::int16_t>(*value) : *value);
    };
    std::string rule = "a table";
    if (const auto slope = map->real(0x00409225)) {
        rule = formatNumber(*slope) + " times the stored value plus " + formatNumber(map->real(0x00409224).value_or(0));
    }
    if (const auto* unit = map->first(0x004008ea)) rule += " (" + unit->text(0x00080100) + ")";
    meaning.notes.push_back("the file also maps stored values from " + bound(0x00409216, 0x00409214) + " to " +
                            bound(0x00409211, 0x00409213) + " to real world values by " + rule +
                            ", which was not applied");
}

void readPalette(const DicomHeader& header, DicomMeaning& meaning, const std::string& where) {
    for (std::uint32_t colour = 0; colour < 3; ++colour) {
        auto table = readDicomTable(header.root(), 0x00281101 + colour, 0x00281201 + colour, 0x00281221 + colour,
                                    header.isSigned, where);
        if (!table) {
            meaning.palette.clear();
            meaning.notes.emplace_back("its palette is missing; the values are those stored");
            return;
        }
        meaning.palette.push_back(std::move(*table));
    }
    const bool inBytes =
        std::all_of(meaning.palette.begin(), meaning.palette.end(), [](const auto& table) { return table.inBytes; });
    meaning.channels = 3;
    meaning.type = inBytes ? PixelType::u8 : PixelType::u16;
    meaning.notes.emplace_back("the colours are those of its palette");
}

void readGreyMeaning(const DicomHeader& header, DicomMeaning& meaning, const std::string& where) {
    if (header.photometric == "MONOCHROME1") {
        meaning.notes.emplace_back("the file wants low values shown bright (MONOCHROME1); the values are kept");
    }
    if (const auto* table = header.root().first(0x00283000)) {
        meaning.modality = readDicomTable(*table, 0x00283002, 0x00283006, 0, header.isSigned, where);
        if (meaning.modality) {
            meaning.type = meaning.modality->inBytes ? PixelType::u8 : PixelType::u16;
            const auto unit = table->text(0x00283004);
            meaning.notes.push_back("the values are those of its modality table" +
                                    (unit.empty() ? "" : " (" + unit + ")"));
        }
    }
    if (!meaning.modality) readScales(header, meaning);
    if (!meaning.scales.empty()) meaning.type = PixelType::f32;
    noteRealWorldValues(header, meaning);
}

void checkColours(const DicomHeader& header, const std::string& where) {
    constexpr std::array<std::string_view, 8> kRead{"RGB",     "ARGB",    "YBR_FULL",        "YBR_FULL_422",
                                                    "YBR_ICT", "YBR_RCT", "YBR_PARTIAL_422", "YBR_PARTIAL_420"};
    const bool wavelets = header.photometric == "YBR_ICT" || header.photometric == "YBR_RCT";
    const bool odd = header.isPaired() && (header.columns % 2 != 0 || header.bits != 8 || header.samples != 3);
    if (std::find(kRead.begin(), kRead.end(), header.photometric) != kRead.end() && !odd &&
        (!wavelets || header.coding == DicomCoding::jpeg2000) &&
        (header.photometric != "YBR_PARTIAL_420" || header.coding == DicomCoding::jpeg)) {
        return;
    }
    unsupported(where, "DICOM colours of the kind " + inQuotes(header.photometric) + " in this layout",
                "save them as RGB");
}

/// Colours as YCbCr to RGB, in numbers of `width` bits.
class Ybr {
public:
    Ybr(std::int64_t width, bool partial)
        : m_largest(std::ldexp(1, static_cast<int>(width)) - 1), m_half(std::ldexp(1, static_cast<int>(width) - 1)) {
        if (partial) {
            // Brightness takes 219 steps of 256 and begins at 16, colours take 224.
            m_black = std::ldexp(16, static_cast<int>(width) - 8);
            m_bright = 255.0 / 219;
            m_colour = 255.0 / 224;
        }
    }
    void toRgb(std::int64_t& a, std::int64_t& b, std::int64_t& c) const {
        const auto y = m_bright * (static_cast<double>(a) - m_black);
        const auto blue = m_colour * (static_cast<double>(b) - m_half);
        const auto red = m_colour * (static_cast<double>(c) - m_half);
        a = rounded(y + 1.402 * red);
        b = rounded(y - 0.114 * 1.772 / 0.587 * blue - 0.299 * 1.402 / 0.587 * red);
        c = rounded(y + 1.772 * blue);
    }

private:
    std::int64_t rounded(double value) const {
        return static_cast<std::int64_t>(std::clamp(std::floor(value + 0.5), 0.0, m_largest));
    }
    double m_largest, m_half;
    double m_black = 0, m_bright = 1, m_colour = 1;
};

template <class T>
T held(std::int64_t value, DicomTally& tally) {
    const auto out = static_cast<T>(value);
    if constexpr (std::is_same_v<T, float>) {
        // A long double holds every 64-bit integer.
        tally.rounded += static_cast<long double>(out) != static_cast<long double>(value);
    }
    return out;
}

float heldReal(double value, DicomTally& tally, const std::string& where) {
    if (std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<float>::max())) {
        unsupported(where, "a value beyond the range of f32", "scale the values first");
    }
    const auto out = static_cast<float>(value);
    tally.rounded += !std::isnan(value) && static_cast<double>(out) != value;
    return out;
}

/// Some pixels of a frame on their way into a grid.
class Piece {
public:
    Piece(const DicomSamples& samples, const DicomHeader& header, const DicomMeaning& meaning, DicomScale scale,
          DicomTally& tally, const std::string& where)
        : m_samples(samples), m_header(header), m_meaning(meaning), m_scale(scale), m_tally(tally), m_where(where) {
        for (std::int64_t i = 0; i < header.samples; ++i) m_stored.emplace_back(kPixelsAtOnce);
    }

    template <class T>
    void write(std::int64_t begin, std::int64_t count, T* out) {
        for (std::size_t i = 0; i < m_stored.size(); ++i) {
            unpackSamples(m_samples, m_header, begin, static_cast<std::int64_t>(i),
                          std::span(m_stored[i]).first(static_cast<std::size_t>(count)));
        }
        if (m_stored.size() == 1) {
            writeGrey(count, out);
        } else {
            writeColours(count, out);
        }
    }

private:
    template <class T>
    void writeGrey(std::int64_t count, T* out) {
        const auto& meaning = m_meaning;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const auto stored = m_stored[0][i];
            if (!meaning.palette.empty()) {
                for (const auto& table : meaning.palette) *out++ = static_cast<T>(table.at(stored));
            } else if (meaning.modality) {
                *out++ = static_cast<T>(meaning.modality->at(stored));
            } else if (!m_header.isReal && !m_scale.changes() && !isHuge()) {
                *out++ = held<T>(stored, m_tally);
            } else {
                writeReal(realOf(stored), *out++);
            }
        }
    }

    template <class T>
    void writeReal(double value, T& out) {
        if (m_scale.changes()) value = value * m_scale.slope + m_scale.intercept;
        if constexpr (std::is_same_v<T, float>) out = heldReal(value, m_tally, m_where);
    }

    bool isHuge() const { return m_header.stored == 64 && !m_header.isSigned; }
    double realOf(std::int64_t stored) const {
        if (m_header.isReal) {
            return m_header.bits == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(stored)))
                                       : std::bit_cast<double>(stored);
        }
        return isHuge() ? static_cast<double>(static_cast<std::uint64_t>(stored)) : static_cast<double>(stored);
    }

    template <class T>
    void writeColours(std::int64_t count, T* out) {
        const auto& photometric = m_samples.photometric;
        if (photometric.starts_with("YBR") && m_stored.size() == 3) {
            m_tally.turnedFrom = photometric;
            const Ybr ybr(m_samples.width, photometric.starts_with("YBR_PARTIAL"));
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
                ybr.toRgb(m_stored[0][i], m_stored[1][i], m_stored[2][i]);
            }
        }
        // Alpha comes last in a grid.
        const std::size_t first = photometric == "ARGB" ? 1 : 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            for (std::size_t channel = 0; channel < m_stored.size(); ++channel) {
                *out++ = held<T>(m_stored[(channel + first) % m_stored.size()][i], m_tally);
            }
        }
    }

    const DicomSamples& m_samples;
    const DicomHeader& m_header;
    const DicomMeaning& m_meaning;
    DicomScale m_scale;
    DicomTally& m_tally;
    const std::string& m_where;
    std::vector<std::vector<std::int64_t>> m_stored;
};

template <class T>
bool allExact(const T* values, std::size_t count) {
    return std::all_of(values, values + count, [](T value) {
        return static_cast<double>(static_cast<float>(value)) == static_cast<double>(value);
    });
}

}  // namespace

DicomScale DicomMeaning::scaleOf(std::int64_t frame) const {
    if (scales.empty()) return {};
    return scales[std::min(static_cast<std::size_t>(frame), scales.size() - 1)];
}

DicomMeaning readDicomMeaning(const DicomHeader& header, const std::string& where) {
    DicomMeaning meaning;
    meaning.storedType = storedTypeOf(header);
    meaning.channels = static_cast<int>(header.samples);
    meaning.type = header.isReal ? PixelType::f32 : integerType(header);
    if (isPalette(header)) {
        readPalette(header, meaning, where);
    } else if (isMono(header)) {
        readGreyMeaning(header, meaning, where);
    } else {
        checkColours(header, where);
    }
    return meaning;
}

void writeDicomFrame(const DicomSamples& samples, const DicomHeader& header, const DicomMeaning& meaning,
                     std::int64_t frame, std::int64_t z, Grid& grid, DicomTally& tally, const std::string& where) {
    const auto scale = meaning.scaleOf(frame);
    const auto pixels = header.rows * header.columns;
    withType(grid.type(), [&]<class T>(T) {
        auto* out = grid.as<T>() + z * pixels * meaning.channels;
        Piece piece(samples, header, meaning, scale, tally, where);
        for (std::int64_t begin = 0; begin < pixels; begin += kPixelsAtOnce) {
            piece.write(begin, std::min(kPixelsAtOnce, pixels - begin), out + begin * meaning.channels);
        }
    });
}

void floatWhereExact(Grid& grid) {
    if (!isWideInteger(grid.type())) return;
    const auto count = static_cast<std::size_t>(grid.shape().values());
    const bool isSigned = grid.type() == PixelType::i32;
    const bool exact = isSigned ? allExact(grid.as<std::int32_t>(), count) : allExact(grid.as<std::uint32_t>(), count);
    if (!exact) return;
    Grid floats(grid.shape(), PixelType::f32);
    if (isSigned) {
        std::copy_n(grid.as<std::int32_t>(), count, floats.as<float>());
    } else {
        std::copy_n(grid.as<std::uint32_t>(), count, floats.as<float>());
    }
    floats.geometry = grid.geometry;
    floats.metadata = std::move(grid.metadata);
    grid = std::move(floats);
}

std::string scaleNote(const std::vector<DicomScale>& scales, const std::string& unit, bool rounded) {
    if (std::none_of(scales.begin(), scales.end(), [](const auto& s) { return s.changes(); })) return "";
    const auto range = [&](double DicomScale::*part) {
        const auto [least, most] = std::minmax_element(scales.begin(), scales.end(),
                                                       [&](const auto& a, const auto& b) { return a.*part < b.*part; });
        const auto from = formatNumber((*least).*part);
        return (*least).*part == (*most).*part ? from : from + " to " + formatNumber((*most).*part);
    };
    const bool alike =
        std::all_of(scales.begin(), scales.end(), [&](const auto& scale) { return scale == scales.front(); });
    return "values were multiplied by " + range(&DicomScale::slope) + ", then " + range(&DicomScale::intercept) +
           " was added, " + (alike ? "" : "slice by slice ") + "as the file says" +
           (unit.empty() ? "" : " (" + unit + ")") + (rounded ? ", and rounded to f32" : "");
}

}  // namespace warplens::io::codecs
