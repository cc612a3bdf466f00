// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/meta_header.hpp"

#include "io/codecs/common.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kLongestKey = 100;
constexpr std::size_t kLongestValue = 1000;
constexpr std::size_t kMostFields = 200;
constexpr double kMostAxes = 10;

constexpr std::array<std::pair<std::string_view, const char*>, 12> kTypes{{{"MET_UCHAR", "u8"},
                                                                           {"MET_CHAR", "i8"},
                                                                           {"MET_USHORT", "u16"},
                                                                           {"MET_SHORT", "i16"},
                                                                           {"MET_UINT", "u32"},
                                                                           {"MET_INT", "i32"},
                                                                           {"MET_ULONG", "u32"},
                                                                           {"MET_LONG", "i32"},
                                                                           {"MET_ULONG_LONG", "u64"},
                                                                           {"MET_LONG_LONG", "i64"},
                                                                           {"MET_FLOAT", "f32"},
                                                                           {"MET_DOUBLE", "f64"}}};

class Parser {
public:
    explicit Parser(const Source& source)
        : m_source(source), m_text(reinterpret_cast<const char*>(source.file.data()), source.file.size()) {}

    VolumeHeader parse() {
        readFields();
        checkFields();
        VolumeHeader header;
        const auto channels = has("ElementNumberOfChannels") ? numbers("ElementNumberOfChannels", 1)[0] : 1;
        if (channels < 1 || channels > 65535 || std::trunc(channels) != channels) fail("ElementNumberOfChannels");
        header.sizes.push_back(static_cast<std::int64_t>(channels));
        header.pixel = 0;
        for (const auto size : numbers("DimSize", m_axes)) {
            if (std::trunc(size) != size || std::abs(size) > 9e15) fail("DimSize is no whole number");
            if (header.space.size() < 3) header.space.push_back(header.sizes.size());
            header.sizes.push_back(static_cast<std::int64_t>(size));
        }
        header.type = type();
        const bool binary = !has("BinaryData") || flag("BinaryData");
        const bool compressed = has("CompressedData") && flag("CompressedData");
        if (!binary && compressed) fail("text cannot be compressed");
        header.packing = compressed ? Packing::deflate : binary ? Packing::plain : Packing::text;
        for (const char* key : {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}) {
            if (has(key)) header.bigEndian = flag(key);
        }
        readScale(header);
        readGeometry(header);
        readPlace(header);
        return header;
    }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_source.where, "MetaImage", detail); }

    void readFields() {
        while (true) {
            const auto end = m_text.find('\n', m_at);
            if (end == std::string_view::npos) fail("the header does not end");
            const auto line = m_text.substr(m_at, end - m_at);
            m_at = end + 1;
            if (trimmed(line).empty()) continue;
            const auto equals = line.find('=');
            if (equals == std::string_view::npos) fail("a line that is no field");
            const auto key = trimmed(line.substr(0, equals));
            const auto value = trimmed(line.substr(equals + 1));
            if (key.empty() || key.size() > kLongestKey || value.size() > kLongestValue)
                fail("a field out of proportion");
            if (m_fields.size() == kMostFields) fail("too many fields");
            if (!m_fields.emplace(key, value).second) fail(std::string(key) + " is given twice");
            if (key == "ElementDataFile") return;
        }
    }

    bool has(const char* key) const { return m_fields.count(key) != 0; }
    std::string_view field(const char* key) const {
        const auto found = m_fields.find(key);
        if (found == m_fields.end() || found->second.empty()) fail(std::string(key) + " is missing");
        return found->second;
    }
    bool flag(const char* key) const {
        const auto value = lower(field(key));
        const bool yes = value == "true" || value == "t" || value == "1";
        if (!yes && value != "false" && value != "f" && value != "0") fail(std::string(key) + " is no yes or no");
        return yes;
    }
    /// Exactly so many finite numbers.
    std::vector<double> numbers(const char* key, std::size_t count) const {
        std::vector<double> values;
        for (const auto word : words(field(key))) {
            const auto value = parseNumber<double>(word.starts_with('+') ? word.substr(1) : word);
            if (!value || !std::isfinite(*value)) fail(std::string(key) + " holds something other than numbers");
            values.push_back(*value);
        }
        if (values.size() != count) {
            fail(std::string(key) + " has " + std::to_string(values.size()) + " numbers, not " + std::to_string(count));
        }
        return values;
    }

    /// Whatever the library reads as so many numbers must be just that.
    void checkFields() {
        if (has("ObjectType") && field("ObjectType") != "Image") {
            unsupported(m_source.where, "a MetaIO object that is no image", "choose a MetaImage");
        }
        const auto axes = numbers("NDims", 1)[0];
        if (axes < 1 || axes > kMostAxes || std::trunc(axes) != axes) fail("NDims is not within 1..10");
        m_axes = static_cast<std::size_t>(axes);
        for (const char* key : {"Offset", "Position", "Origin", "CenterOfRotation", "ElementSpacing", "ElementSize"}) {
            if (has(key)) numbers(key, m_axes);
        }
        for (const char* key : {"TransformMatrix", "Rotation", "Orientation"}) {
            if (has(key)) numbers(key, m_axes * m_axes);
        }
        for (const char* key : {"HeaderSize", "CompressedDataSize", "ElementMin", "ElementMax", "ElementNBits", "ID",
                                "ParentID", "ElementToIntensityFunctionSlope", "ElementToIntensityFunctionOffset"}) {
            if (has(key)) numbers(key, 1);
        }
        if (has("Color")) numbers("Color", 4);
        if (has("SequenceID")) numbers("SequenceID", m_axes);
        for (const char* key : {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}) {
            if (has(key)) flag(key);
        }
    }

    void readScale(VolumeHeader& header) const {
        constexpr const char* kSlope = "ElementToIntensityFunctionSlope";
        constexpr const char* kOffset = "ElementToIntensityFunctionOffset";
        const auto slope = has(kSlope) ? numbers(kSlope, 1)[0] : 1;
        const auto offset = has(kOffset) ? numbers(kOffset, 1)[0] : 0;
        if (slope == 0) {
            header.notes.push_back(std::string("its ") + kSlope + " is 0, so the values are as they are stored");
            return;
        }
        header.slope = slope;
        header.intercept = offset;
    }

    /// The values of the first of several names that a file has for one thing.
    std::optional<std::vector<double>> firstOf(std::initializer_list<const char*> keys, std::size_t count) const {
        for (const char* key : keys) {
            if (has(key)) return numbers(key, count);
        }
        return std::nullopt;
    }

    void readGeometry(VolumeHeader& header) const {
        LengthUnit unit;
        if (has("DistanceUnits") && field("DistanceUnits") != "?") {
            const auto known = lengthUnit(field("DistanceUnits"));
            if (!known) {
                header.notes.push_back("its DistanceUnits " + inQuotes(field("DistanceUnits")) +
                                       " are no length known here; mm are assumed");
            }
            unit = known.value_or(LengthUnit());
        }
        const auto axes = std::min<std::size_t>(m_axes, 3);
        const auto spacing = firstOf({"ElementSpacing", "ElementSize"}, m_axes);
        const auto origin = firstOf({"Offset", "Position", "Origin"}, m_axes);
        auto& g = header.geometry;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            if (spacing) g.spacing[axis] = unit.mm((*spacing)[axis]);
            if (origin) g.origin[axis] = unit.mm((*origin)[axis]);
        }
        if (const auto centre = firstOf({"CenterOfRotation"}, m_axes)) {
            if (std::any_of(centre->begin(), centre->end(), [](double v) { return v != 0; }))
                header.notes.emplace_back("its CenterOfRotation is not used: its axes turn about its first voxel");
        }
        const auto matrix = firstOf({"TransformMatrix", "Rotation", "Orientation"}, m_axes * m_axes);
        if (!matrix) return;
        // One axis after the other: the columns of the direction.
        for (std::size_t axis = 0; axis < axes; ++axis) {
            std::array<double, 3> column{};
            for (std::size_t row = 0; row < axes; ++row) column[row] = (*matrix)[m_axes * axis + row];
            const auto length = std::hypot(column[0], column[1], column[2]);
            // A matrix that stretches as well; one of unit vectors stays as it is to the last bit.
            const bool stretches = std::abs(length - 1) > 1e-4 && length > 0;
            if (stretches) g.spacing[axis] *= length;
            for (std::size_t row = 0; row < 3; ++row)
                g.direction[3 * row + axis] = stretches ? column[row] / length : column[row];
        }
    }

    std::string type() const {
        for (const auto& [name, ours] : kTypes) {
            if (field("ElementType") == name) return ours;
        }
        unsupported(m_source.where, "MetaImage values of type " + inQuotes(field("ElementType")),
                    "convert them to float");
    }

    void readPlace(VolumeHeader& header) const {
        if (has("HeaderSizesPerDataFile"))
            unsupported(m_source.where, "MetaImage files with headers of different sizes", "save it as one file");
        const auto headerSize = has("HeaderSize") ? numbers("HeaderSize", 1)[0] : 0;
        if (headerSize < -1 || headerSize > 9e15 || std::trunc(headerSize) != headerSize)
            fail("HeaderSize makes no sense");
        const auto skipped = std::max<std::int64_t>(static_cast<std::int64_t>(headerSize), 0);
        const auto name = field("ElementDataFile");
        const bool local = name == "LOCAL" || name == "Local" || name == "local";
        if (local) {
            // From the beginning of the file, as that is where this header is.
            if (headerSize > 0 && skipped < static_cast<std::int64_t>(m_at)) fail("HeaderSize ends within the header");
            header.dataPaths = {m_source.path};
            header.dataBegin = std::max(skipped, static_cast<std::int64_t>(m_at));
            header.dataBytes = m_source.fileBytes - header.dataBegin;
        } else {
            const auto files = dataFiles(name);
            header.dataPaths = pathsOf(m_source, files);
            header.dataBegin = skipped;
            header.dataBytes = sharedBytes(m_source, files, skipped);
        }
        if (headerSize >= 0) return;
        // The values are what the file ends with.
        if (header.packing == Packing::plain) {
            header.atEnd = true;
            return;
        }
        const auto packed = has("CompressedDataSize") ? numbers("CompressedDataSize", 1)[0] : 0;
        if (header.packing != Packing::deflate || packed < 1 || header.dataPaths.size() != 1 ||
            packed > static_cast<double>(header.dataBytes)) {
            unsupported(m_source.where, "HeaderSize = -1 for values whose size in the file is not known",
                        "write how many bytes stand before them");
        }
        header.dataBegin += header.dataBytes - static_cast<std::int64_t>(packed);
        header.dataBytes = static_cast<std::int64_t>(packed);
    }

    std::vector<std::string> dataFiles(std::string_view name) const {
        const auto parts = words(name);
        std::vector<std::string> files;
        if (parts[0] == "LIST") {
            const auto rest = m_text.substr(m_at);
            if (static_cast<std::int64_t>(m_text.size()) != m_source.fileBytes)
                fail("a list of files that is too long");
            for (const auto line : split(rest, '\n')) {
                if (!trimmed(line).empty()) files.emplace_back(trimmed(line));
            }
            return files;
        }
        if (parts[0].find('%') == std::string_view::npos) return {std::string(name)};
        std::array<std::int64_t, 3> range{1, 1, 1};
        if (parts.size() != 4) fail("a pattern of files needs first, last and step");
        for (std::size_t i = 0; i < 3; ++i) {
            const auto value = parseNumber<std::int64_t>(parts[i + 1]);
            if (!value) fail("a pattern of files needs first, last and step");
            range[i] = *value;
        }
        return namesOfPattern(m_source, std::string(parts[0]), range[0], range[1], range[2]);
    }

    const Source& m_source;
    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_axes = 0;
    std::map<std::string, std::string_view, std::less<>> m_fields;
};

}  // namespace

std::string_view metaNameOf(std::string_view type) {
    return std::ranges::find(kTypes, type, &std::pair<std::string_view, const char*>::second)->first;
}

VolumeHeader parseMetaHeader(const Source& source) { return Parser(source).parse(); }

}  // namespace warplens::io::codecs
