// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/meta_header.hpp"

#include "io/codecs/common.hpp"
#include "io/text.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <map>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kLongestKey = 100;
constexpr std::size_t kLongestValue = 1000;
constexpr std::size_t kMostFields = 200;

constexpr std::array<std::pair<std::string_view, const char*>, 10> kTypes{{{"MET_UCHAR", "u8"},
                                                                           {"MET_CHAR", "i8"},
                                                                           {"MET_USHORT", "u16"},
                                                                           {"MET_SHORT", "i16"},
                                                                           {"MET_UINT", "u32"},
                                                                           {"MET_INT", "i32"},
                                                                           {"MET_ULONG_LONG", "u64"},
                                                                           {"MET_LONG_LONG", "i64"},
                                                                           {"MET_FLOAT", "f32"},
                                                                           {"MET_DOUBLE", "f64"}}};

class Parser {
public:
    explicit Parser(const Source& source)
        : m_source(source), m_text(reinterpret_cast<const char*>(source.file.data()), source.file.size()) {}

    MetaHeader parse() {
        readFields();
        checkFields();
        MetaHeader header;
        for (const auto size : numbers("DimSize", m_axes)) {
            if (std::trunc(size) != size || std::abs(size) > 9e15) fail("DimSize is no whole number");
            header.sizes.push_back(static_cast<std::int64_t>(size));
        }
        const auto channels = has("ElementNumberOfChannels") ? numbers("ElementNumberOfChannels", 1)[0] : 1;
        if (channels < 1 || channels > 65535 || std::trunc(channels) != channels) fail("ElementNumberOfChannels");
        header.sizes.insert(header.sizes.begin(), static_cast<std::int64_t>(channels));
        header.type = type();
        const bool binary = !has("BinaryData") || flag("BinaryData");
        const bool compressed = has("CompressedData") && flag("CompressedData");
        if (!binary && compressed) fail("text cannot be compressed");
        header.packing = compressed ? Packing::deflate : binary ? Packing::plain : Packing::text;
        for (const char* key : {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}) {
            if (has(key)) header.bigEndian = flag(key);
        }
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
        const auto value = field(key);
        if (value != "True" && value != "False" && value != "1" && value != "0")
            fail(std::string(key) + " is no yes or no");
        return value == "True" || value == "1";
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
        if (axes != 2 && axes != 3 && axes != 4) {
            unsupported(m_source.where, "a MetaImage that has not 2, 3 or 4 dimensions", "select some of them");
        }
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

    std::string type() const {
        for (const auto& [name, ours] : kTypes) {
            if (field("ElementType") == name) return ours;
        }
        unsupported(m_source.where, "MetaImage values of type " + inQuotes(field("ElementType")),
                    "convert them to float");
    }

    void readPlace(MetaHeader& header) const {
        const auto headerSize = has("HeaderSize") ? numbers("HeaderSize", 1)[0] : 0;
        if (headerSize < -1 || headerSize > 9e15 || std::trunc(headerSize) != headerSize)
            fail("HeaderSize makes no sense");
        const auto skipped = std::max<std::int64_t>(static_cast<std::int64_t>(headerSize), 0);
        const auto name = field("ElementDataFile");
        if (name == "LOCAL" || name == "Local" || name == "local") {
            if (headerSize != 0) fail("HeaderSize with the values in the same file");
            header.dataPath = m_source.path;
            header.dataBegin = static_cast<std::int64_t>(m_at);
            header.dataBytes = m_source.fileBytes - header.dataBegin;
            return;
        }
        const auto files = dataFiles(name);
        header.dataBytes = sharedBytes(m_source, files, skipped);
        if (files.size() == 1) {
            header.dataPath = (std::filesystem::path(m_source.path).parent_path() / files[0]).string();
            header.dataBegin = skipped;
        }
        if (header.packing == Packing::plain) return;
        if (files.size() != 1) {
            unsupported(m_source.where, "MetaImage values compressed or as text in several files",
                        "save them plain, or in one file");
        }
        if (headerSize < 0) fail("HeaderSize -1 for values whose size is not known");
    }

    std::vector<std::string> dataFiles(std::string_view name) const {
        const auto parts = words(name);
        std::vector<std::string> files;
        if (parts[0] == "LIST") {
            const auto rest = m_text.substr(m_at);
            // The library does not see a last line without an end.
            if (static_cast<std::int64_t>(m_text.size()) != m_source.fileBytes || !rest.ends_with('\n'))
                fail("a list of files that is too long, or does not end in a line break");
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

MetaHeader parseMetaHeader(const Source& source) { return Parser(source).parse(); }

}  // namespace warplens::io::codecs
