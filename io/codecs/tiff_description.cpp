// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/tiff_description.hpp"

#include "io/codecs/length_unit.hpp"
#include "io/text.hpp"

#include <cmath>
#include <map>

namespace warplens::io::codecs {
namespace {

using DescriptionFields = std::map<std::string, std::string, std::less<>>;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> realOf(const DescriptionFields& fields, std::string_view name) {
    const auto found = fields.find(name);
    if (found == fields.end()) return std::nullopt;
    const auto value = parseNumber<double>(trimmed(found->second));
    return value && std::isfinite(*value) ? value : std::nullopt;
}

/// A number from 1 on; `otherwise` where there is none.
std::int64_t countOf(const DescriptionFields& fields, std::string_view name, std::int64_t otherwise) {
    const auto found = fields.find(name);
    if (found == fields.end()) return otherwise;
    const auto value = parseNumber<std::int64_t>(trimmed(found->second));
    return value && *value >= 1 ? *value : otherwise;
}

/// a * b * c where that is at most `most`, else 0.
std::int64_t product(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t most) {
    std::int64_t all = 0;
    if (__builtin_mul_overflow(a, b, &all) || __builtin_mul_overflow(all, c, &all)) return 0;
    return all <= most ? all : 0;
}

// ---- ImageJ: lines of name=value, the first of them ImageJ=version.

void readCalibration(const DescriptionFields& fields, TiffDescription& d) {
    constexpr int kStraightLine = 0;
    const auto function = realOf(fields, "cf");
    if (!function) return;
    const auto intercept = realOf(fields, "c0");
    const auto slope = realOf(fields, "c1");
    if (*function == kStraightLine && intercept && slope) {
        d.calibration = {*intercept, *slope};
    } else {
        d.notes.push_back("values are as stored: ImageJ's calibration function " + formatNumber(*function) +
                          " is not applied");
    }
}

void readImageJUnit(const DescriptionFields& fields, TiffDescription& d) {
    const auto unit = fields.find("unit");
    if (unit == fields.end()) return;
    d.millimetres = millimetresIn(unit->second);
    if (!d.millimetres) {
        if (unit->second != "pixel" && unit->second != "pixels" && !unit->second.empty())
            d.notes.push_back("the unit of its pixel size, " + inQuotes(unit->second) + ", is no length: not used");
        return;
    }
    // One of the unit is what ImageJ takes where nothing is said; an axis may have a unit of its own.
    const auto spacing = realOf(fields, "spacing");
    const auto other = fields.find("zunit");
    const auto millimetres = other == fields.end() ? d.millimetres : millimetresIn(other->second);
    if (millimetres) d.pixelSize[2] = (spacing && *spacing != 0 ? std::abs(*spacing) : 1) * *millimetres;
    if (!spacing && d.images > 1) {
        d.notes.push_back("no distance of slices in the file: 1 " + std::string(unit->second) +
                          " is assumed, as ImageJ does");
    }
}

TiffDescription describeImageJ(std::string_view text, std::int64_t planes) {
    DescriptionFields fields;
    for (const auto line : split(text, '\n')) {
        const auto equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        fields.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }
    TiffDescription d;
    d.kind = TiffDescription::Kind::imageJ;
    d.channels = countOf(fields, "channels", 1);
    d.slices = countOf(fields, "slices", 1);
    d.times = countOf(fields, "frames", 1);
    d.images = countOf(fields, "images", 1);
    if (product(d.channels, d.slices, d.times, planes) != d.images) {
        if (d.channels != 1 || d.slices != 1 || d.times != 1)
            d.notes.emplace_back("its channels, slices and frames do not agree");
        d.channels = d.times = 1;
        d.slices = d.images;
    }
    readImageJUnit(fields, d);
    readCalibration(fields, d);
    constexpr std::array kOrigins{"xorigin", "yorigin", "zorigin"};
    for (std::size_t axis = 0; axis < 3; ++axis) d.originPixels[axis] = realOf(fields, kOrigins[axis]).value_or(0);
    return d;
}

// ---- OME-XML

// Far more than a TIFF has pages; the planes of one set may lie in many files.
constexpr std::int64_t kMostOmePlanes = 1 << 20;

/// The tags of an XML text, one after the other; comments and what stands between tags left out.
class Tags {
public:
    explicit Tags(std::string_view text) : m_text(text) {}

    std::string_view name;  ///< without namespace; of an end tag with its slash
    DescriptionFields attributes;

    bool next() {
        while (true) {
            const auto begin = m_text.find('<');
            if (begin == std::string_view::npos) return false;
            m_text.remove_prefix(begin + 1);
            if (m_text.starts_with("!--")) {
                const auto end = m_text.find("-->");
                if (end == std::string_view::npos) return false;
                m_text.remove_prefix(end);
                continue;
            }
            break;
        }
        readName();
        attributes.clear();
        while (readAttribute()) {
        }
        return true;
    }

private:
    void readName() {
        const auto end = std::min(m_text.find_first_of(" \t\r\n/>", m_text.starts_with('/') ? 1 : 0), m_text.size());
        name = m_text.substr(0, end);
        m_text.remove_prefix(end);
        const bool closing = name.starts_with('/');
        if (const auto colon = name.find(':'); colon != std::string_view::npos && !closing)
            name.remove_prefix(colon + 1);
    }
    bool readAttribute() {
        const auto begin = m_text.find_first_not_of(" \t\r\n");
        if (begin == std::string_view::npos || m_text[begin] == '>' || m_text[begin] == '/' || m_text[begin] == '<' ||
            m_text[begin] == '?')
            return false;
        const auto equals = m_text.find('=', begin);
        if (equals == std::string_view::npos) return false;
        const auto open = m_text.find_first_not_of(" \t\r\n", equals + 1);
        if (open == std::string_view::npos || (m_text[open] != '"' && m_text[open] != '\'')) return false;
        const auto close = m_text.find(m_text[open], open + 1);
        if (close == std::string_view::npos) return false;
        attributes.emplace(trimmed(m_text.substr(begin, equals - begin)),
                           plain(m_text.substr(open + 1, close - open - 1)));
        m_text.remove_prefix(close + 1);
        return true;
    }
    /// Of the entities those that stand in units.
    static std::string plain(std::string_view value) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kEntities{{{"&#181;", "\xc2\xb5"},
                                                                                          {"&#xB5;", "\xc2\xb5"},
                                                                                          {"&#xb5;", "\xc2\xb5"},
                                                                                          {"&#956;", "\xce\xbc"},
                                                                                          {"&#197;", "\xc3\x85"},
                                                                                          {"&quot;", "\""},
                                                                                          {"&amp;", "&"}}};
        std::string text;
        while (!value.empty()) {
            std::string_view sign = value.substr(0, 1);
            std::size_t size = 1;
            for (const auto& [entity, meant] : kEntities) {
                if (!value.starts_with(entity)) continue;
                sign = meant;
                size = entity.size();
            }
            text += sign;
            value.remove_prefix(size);
        }
        return text;
    }

    std::string_view m_text;
};

/// One axis of DimensionOrder: how many, and how far apart in the order of planes.
struct OmeAxis {
    std::int64_t count = 1, stride = 1;
};

struct OmePixels {
    OmeAxis channel, slice, time;
    std::int64_t planes = 0;
};

/// False where the numbers make no sense.
bool readOmeExtents(const DescriptionFields& fields, std::int64_t planes, TiffDescription& d, OmePixels& pixels) {
    const auto found = fields.find("DimensionOrder");
    const std::string order = found == fields.end() ? "XYCZT" : found->second;
    if (order.size() != 5 || !order.starts_with("XY")) return false;
    for (const char* size : {"SizeC", "SizeZ", "SizeT"}) {
        if (fields.find(size) == fields.end()) return false;
    }
    pixels.channel.count = d.channels;
    pixels.slice.count = d.slices = countOf(fields, "SizeZ", 1);
    pixels.time.count = d.times = countOf(fields, "SizeT", 1);
    d.images = pixels.planes = product(d.channels, d.slices, d.times, planes);
    if (d.images == 0) return false;
    std::int64_t stride = 1;
    std::string seen;
    for (const char axis : order.substr(2)) {
        if (std::string("CZT").find(axis) == std::string::npos || seen.find(axis) != std::string::npos) return false;
        seen += axis;
        auto& one = axis == 'C' ? pixels.channel : axis == 'Z' ? pixels.slice : pixels.time;
        one.stride = stride;
        stride *= one.count;
    }
    return true;
}

void readOmeSizes(const DescriptionFields& fields, TiffDescription& d) {
    constexpr std::array kNames{"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto size = realOf(fields, kNames[axis]);
        if (!size || *size <= 0) continue;
        const auto named = fields.find(std::string(kNames[axis]) + "Unit");
        const std::string unit = named == fields.end() ? "um" : named->second;
        if (const auto millimetres = millimetresIn(unit)) {
            d.pixelSize[axis] = *size * *millimetres;
        } else if (axis == 0) {
            d.notes.push_back("the unit of its pixel size, " + inQuotes(unit) + ", is no length: not used");
        }
    }
}

/// Where each plane of the first image lies, in the order in which the file's own DimensionOrder counts.
class OmePlaces {
public:
    OmePlaces(const OmePixels& pixels, std::int64_t pages)
        : m_pixels(pixels), m_pages(pages), m_places(static_cast<std::size_t>(pixels.planes), -1) {}

    void take(const DescriptionFields& tiffData) {
        m_told = true;
        const auto number = [&](const char* name) { return countOf(tiffData, name, 0); };
        const auto c = number("FirstC");
        const auto z = number("FirstZ");
        const auto t = number("FirstT");
        if (c >= m_pixels.channel.count || z >= m_pixels.slice.count || t >= m_pixels.time.count) return;
        const bool placed = tiffData.find("IFD") != tiffData.end();
        const auto page = number("IFD");
        const auto count = number("PlaneCount");
        const auto first = c * m_pixels.channel.stride + z * m_pixels.slice.stride + t * m_pixels.time.stride;
        const auto most = count > 0 ? count : placed ? 1 : m_pixels.planes;
        // Real files say each plane once; a hostile one might say all of them over and over.
        for (std::int64_t i = 0;
             i < most && m_taken < 4 * kMostOmePlanes && first + i < m_pixels.planes && page < m_pages - i; ++i) {
            m_places[static_cast<std::size_t>(first + i)] = page + i;
            ++m_taken;
            m_last = first;
            m_lastCount = i + 1;
        }
    }
    /// The planes told last lie in another file.
    void elsewhere() {
        for (std::int64_t i = 0; i < m_lastCount; ++i) m_places[static_cast<std::size_t>(m_last + i)] = -1;
    }
    std::vector<std::int64_t> finished() {
        if (!m_told) take({});
        std::vector<std::int64_t> ordered;
        for (std::int64_t t = 0; t < m_pixels.time.count; ++t) {
            for (std::int64_t z = 0; z < m_pixels.slice.count; ++z) {
                for (std::int64_t c = 0; c < m_pixels.channel.count; ++c) {
                    ordered.push_back(m_places[static_cast<std::size_t>(
                        c * m_pixels.channel.stride + z * m_pixels.slice.stride + t * m_pixels.time.stride)]);
                }
            }
        }
        return ordered;
    }

private:
    const OmePixels& m_pixels;
    std::int64_t m_pages;
    std::vector<std::int64_t> m_places;
    std::int64_t m_last = 0, m_lastCount = 0, m_taken = 0;
    bool m_told = false;
};

/// Channels as planes: one plane may hold several, as RGB does. 0 where that does not come out even.
std::int64_t omeChannels(std::string_view text, std::int64_t sizeC) {
    std::int64_t named = 0;
    std::int64_t samples = 0;
    Tags tags(text);
    bool inside = false;
    while (tags.next()) {
        if (tags.name == "Pixels") {
            if (inside) break;
            inside = true;
        } else if (inside && tags.name == "Channel") {
            ++named;
            const auto of = countOf(tags.attributes, "SamplesPerPixel", 1);
            if (of > sizeC) return sizeC;
            samples += of;
        }
    }
    return named > 0 && samples == sizeC ? named : sizeC;
}

TiffDescription describeOme(std::string_view text, std::int64_t pages) {
    TiffDescription d;
    OmePixels pixels;
    std::optional<OmePlaces> places;
    int images = 0;
    std::string uuid;
    Tags tags(text);
    while (tags.next()) {
        if (tags.name == "OME") {
            if (const auto own = tags.attributes.find("UUID"); own != tags.attributes.end()) uuid = own->second;
        } else if (tags.name == "Pixels" && images++ == 0) {
            d.channels = omeChannels(text, countOf(tags.attributes, "SizeC", 1));
            if (!readOmeExtents(tags.attributes, kMostOmePlanes, d, pixels)) return {};
            readOmeSizes(tags.attributes, d);
            places.emplace(pixels, pages);
        } else if (tags.name == "TiffData" && images == 1) {
            places->take(tags.attributes);
        } else if (tags.name == "UUID" && images == 1) {
            // Its text is the file in which the planes are; ours is named at the beginning.
            const auto of = text.substr(static_cast<std::size_t>(tags.name.data() - text.data()));
            const auto begin = of.find('>');
            if (!uuid.empty() && begin != std::string_view::npos && !of.substr(begin + 1).starts_with(uuid))
                places->elsewhere();
        }
    }
    if (!places) return {};
    d.kind = TiffDescription::Kind::ome;
    d.places = places->finished();
    if (images > 1) d.notes.push_back("the first of its " + std::to_string(images) + " images was read");
    return d;
}

// ---- tifffile: {"shape": [5, 6, 7], "truncated": true}; only the first plane then has a directory.

TiffDescription describeShaped(std::string_view text) {
    TiffDescription d;
    const auto shape = text.find('[');
    const auto end = text.find(']');
    if (text.find("\"truncated\": true") == std::string_view::npos || shape == std::string_view::npos ||
        end == std::string_view::npos || end < shape) {
        return d;
    }
    // How many of these axes are within a plane is for the file to say: the values of all must come out.
    std::int64_t values = 1;
    for (const auto part : split(text.substr(shape + 1, end - shape - 1), ',')) {
        const auto size = parseNumber<std::int64_t>(trimmed(part));
        if (!size || *size < 1 || __builtin_mul_overflow(values, *size, &values)) return {};
    }
    d.kind = TiffDescription::Kind::shaped;
    d.images = d.slices = values;
    return d;
}

}  // namespace

TiffDescription describeTiff(std::string_view text, std::int64_t planes) {
    if (text.starts_with("ImageJ=")) return describeImageJ(text, planes);
    if (text.substr(0, 4096).find("<OME") != std::string_view::npos ||
        text.substr(0, 4096).find(":OME") != std::string_view::npos) {
        return describeOme(text, planes);
    }
    if (text.starts_with("{\"shape\":")) return describeShaped(text);
    return {};
}

}  // namespace warplens::io::codecs
