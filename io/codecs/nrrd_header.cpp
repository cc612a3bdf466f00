// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/nrrd_header.hpp"

#include "io/codecs/common.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kMostAxes = 8;

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

/// The names NRRD allows for our types.
std::string typeNamed(const std::string& name) {
    static const std::map<std::string, std::string, std::less<>> kNames{{"signed char", "i8"},
                                                                        {"int8", "i8"},
                                                                        {"int8_t", "i8"},
                                                                        {"uchar", "u8"},
                                                                        {"unsigned char", "u8"},
                                                                        {"uint8", "u8"},
                                                                        {"uint8_t", "u8"},
                                                                        {"short", "i16"},
                                                                        {"short int", "i16"},
                                                                        {"signed short", "i16"},
                                                                        {"signed short int", "i16"},
                                                                        {"int16", "i16"},
                                                                        {"int16_t", "i16"},
                                                                        {"ushort", "u16"},
                                                                        {"unsigned short", "u16"},
                                                                        {"unsigned short int", "u16"},
                                                                        {"uint16", "u16"},
                                                                        {"uint16_t", "u16"},
                                                                        {"int", "i32"},
                                                                        {"signed int", "i32"},
                                                                        {"int32", "i32"},
                                                                        {"int32_t", "i32"},
                                                                        {"uint", "u32"},
                                                                        {"unsigned int", "u32"},
                                                                        {"uint32", "u32"},
                                                                        {"uint32_t", "u32"},
                                                                        {"longlong", "i64"},
                                                                        {"long long", "i64"},
                                                                        {"long long int", "i64"},
                                                                        {"signed long long", "i64"},
                                                                        {"signed long long int", "i64"},
                                                                        {"int64", "i64"},
                                                                        {"int64_t", "i64"},
                                                                        {"ulonglong", "u64"},
                                                                        {"unsigned long long", "u64"},
                                                                        {"unsigned long long int", "u64"},
                                                                        {"uint64", "u64"},
                                                                        {"uint64_t", "u64"},
                                                                        {"float", "f32"},
                                                                        {"double", "f64"}};
    const auto found = kNames.find(name);
    return found == kNames.end() ? "" : found->second;
}

class Parser {
public:
    explicit Parser(const Source& source)
        : m_source(source), m_text(reinterpret_cast<const char*>(source.file.data()), source.file.size()) {}

    NrrdHeader parse() {
        readLines();
        NrrdHeader header;
        const auto dimension = integer("dimension");
        const auto sizes = words(field("sizes"));
        if (dimension < 1 || dimension > static_cast<std::int64_t>(kMostAxes)) fail("dimension is not within 1..8");
        if (sizes.size() != static_cast<std::size_t>(dimension)) fail("sizes do not agree with dimension");
        for (const auto size : sizes) {
            const auto value = parseNumber<std::int64_t>(size);
            if (!value) fail("a size is no number");
            header.sizes.push_back(*value);
        }
        header.type = typeNamed(lower(field("type")));
        if (header.type.empty()) {
            unsupported(m_source.where, "NRRD values of type " + inQuotes(field("type")), "convert them to float");
        }
        header.packing = packing();
        header.dataBytes = dataBytes(header.packing);
        if (header.packing == Packing::bzip2) readPlace(header);
        readGeometry(header);
        return header;
    }

private:
    [[noreturn]] void fail(const std::string& detail) const { damaged(m_source.where, "NRRD", detail); }

    /// The next line without its end; false at the end of the text.
    bool nextLine(std::string_view& line) {
        const auto end = m_text.find('\n', m_at);
        if (end == std::string_view::npos) return false;
        line = m_text.substr(m_at, end - m_at);
        if (line.ends_with('\r')) line.remove_suffix(1);
        m_at = end + 1;
        return true;
    }

    void readLines() {
        std::string_view line;
        if (!nextLine(line)) fail("the header does not end");
        while (true) {
            if (!nextLine(line)) {
                // A detached header may simply stop.
                if (m_fields.count("data file") != 0 && m_text.size() == static_cast<std::size_t>(m_source.fileBytes)) {
                    return;
                }
                fail("the header does not end");
            }
            if (line.empty()) return;
            if (line.starts_with('#')) continue;
            const auto colon = line.find(':');
            if (colon == std::string_view::npos || colon + 1 >= line.size()) fail("a line that is no field");
            if (line[colon + 1] == '=') {
                m_keys.emplace(line.substr(0, colon), line.substr(colon + 2));
                continue;
            }
            auto name = lower(trimmed(line.substr(0, colon)));
            if (name == "datafile") name = "data file";
            if (name == "byteskip") name = "byte skip";
            if (name == "lineskip") name = "line skip";
            if (!m_fields.emplace(name, trimmed(line.substr(colon + 1))).second) fail("'" + name + "' is given twice");
            if (name == "data file" && lower(field("data file")).starts_with("list")) {
                while (nextLine(line)) m_list.emplace_back(trimmed(line));
                return;
            }
        }
    }

    std::string_view field(const std::string& name) const {
        const auto found = m_fields.find(name);
        if (found == m_fields.end()) fail(name + " is missing");
        return found->second;
    }
    std::int64_t integer(const std::string& name, std::optional<std::int64_t> otherwise = {}) const {
        if (otherwise && m_fields.count(name) == 0) return *otherwise;
        const auto value = parseNumber<std::int64_t>(field(name));
        if (!value) fail(name + " is no number");
        return *value;
    }

    Packing packing() const {
        const auto name = lower(field("encoding"));
        if (name == "raw") return Packing::plain;
        if (name == "gzip" || name == "gz") return Packing::deflate;
        if (name == "bzip2" || name == "bz2") return Packing::bzip2;
        if (name == "ascii" || name == "text" || name == "txt") return Packing::text;
        if (name == "hex") return Packing::hex;
        unsupported(m_source.where, "NRRD encoding " + inQuotes(name), "save it as raw or gzip");
    }

    /// Bytes there are for values; the names of files are checked on the way.
    std::int64_t dataBytes(Packing packing) const {
        const auto skip = integer("byte skip", 0);
        const auto lines = integer("line skip", 0);
        if (skip < -1 || (skip == -1 && packing != Packing::plain) || lines < 0 || lines > 1'000'000) {
            fail("byte skip or line skip makes no sense");
        }
        const auto skipped = packing == Packing::plain ? std::max<std::int64_t>(skip, 0) : 0;
        if (m_fields.count("data file") == 0) {
            if (packing == Packing::text) checkTextEnds(m_source.path, "NRRD", m_source);
            return m_source.fileBytes - static_cast<std::int64_t>(m_at) - skipped;
        }
        const auto parts = words(field("data file"));
        if (parts.empty()) fail("data file names none");
        const auto names = dataFiles(parts);
        const auto bytes = sharedBytes(m_source, names, skipped);
        if (packing == Packing::text) {
            const auto folder = std::filesystem::path(m_source.path).parent_path();
            for (const auto& name : names) checkTextEnds((folder / name).string(), "NRRD", m_source);
        }
        return bytes;
    }

    /// What "data file" names, in each of its three ways.
    std::vector<std::string> dataFiles(const std::vector<std::string_view>& parts) const {
        if (lower(parts[0]) == "list") {
            std::vector<std::string> names = m_list;
            std::erase(names, "");
            return names;
        }
        if (parts[0].find('%') == std::string_view::npos) return {std::string(field("data file"))};
        std::array<std::int64_t, 3> range{};
        if (parts.size() < 4 || parts.size() > 5) fail("a pattern of data files needs first, last and step");
        for (std::size_t i = 0; i < 3; ++i) {
            const auto value = parseNumber<std::int64_t>(parts[i + 1]);
            if (!value) fail("a pattern of data files needs first, last and step");
            range[i] = *value;
        }
        return namesOfPattern(m_source, std::string(parts[0]), range[0], range[1], range[2]);
    }

    /// Where the values are and how they lie there.
    void readPlace(NrrdHeader& header) const {
        header.dataPath = m_source.path;
        header.dataBegin = static_cast<std::int64_t>(m_at);
        if (m_fields.count("data file") != 0) {
            const std::string name(field("data file"));
            // dataBytes() has found a plain file of the whole name, unless it is a list or a pattern.
            if (lower(words(name)[0]) == "list" || words(name)[0].find('%') != std::string_view::npos) {
                unsupported(m_source.where, "NRRD values of encoding bzip2 in several files",
                            "save it as raw or gzip, or in one file");
            }
            header.dataPath = (std::filesystem::path(m_source.path).parent_path() / name).string();
            header.dataBegin = 0;
        }
        header.lineSkip = integer("line skip", 0);
        header.byteSkip = integer("byte skip", 0);
        if (bytesOfType(header.type) > 1) {
            const auto endian = lower(field("endian"));
            if (endian != "little" && endian != "big") fail("endian is neither little nor big");
            header.bigEndian = endian == "big";
        }
        if (m_fields.count("kinds") == 0) return;
        const auto kinds = words(field("kinds"));
        for (std::size_t axis = 0; axis < std::min(kinds.size(), header.sizes.size()); ++axis) {
            const auto kind = lower(kinds[axis]);
            // Every other kind is one of a pixel's values; ITK takes one such axis at most.
            if (kind != "domain" && kind != "space" && kind != "time" && kind != "none" && kind != "???") {
                header.pixelAxis = axis;
            }
        }
    }

    /// Ours, if nobody has changed what stands beside it.
    void readGeometry(VolumeHeader& header) const {
        const auto key = m_keys.find(kNrrdGeometryKey);
        if (key == m_keys.end()) return;
        const auto numbers = words(key->second);
        Geometry g;
        if (numbers.size() != 15) return;
        for (std::size_t i = 0; i < 15; ++i) {
            const auto value = parseNumber<double>(numbers[i]);
            if (!value || !std::isfinite(*value)) return;
            (i < 3 ? g.spacing[i] : i < 6 ? g.origin[i - 3] : g.direction[i - 6]) = *value;
        }
        const auto vectors = nrrdVectors(g);
        const auto directions = vectors[0] + " " + vectors[1] + " " + vectors[2];
        const auto beside = [&](const char* name, const std::string& text) {
            const auto found = m_fields.find(name);
            return found != m_fields.end() && found->second.ends_with(text);
        };
        if (beside("space directions", directions) && beside("space origin", vectors[3])) header.geometry = g;
    }

    const Source& m_source;
    std::string_view m_text;
    std::size_t m_at = 0;
    std::map<std::string, std::string_view, std::less<>> m_fields;
    std::map<std::string, std::string_view, std::less<>> m_keys;
    std::vector<std::string> m_list;
};

}  // namespace

const char* const kNrrdGeometryKey = "warplens geometry";

NrrdHeader parseNrrdHeader(const Source& source) { return Parser(source).parse(); }

std::array<std::string, 4> nrrdVectors(const Geometry& g) {
    const auto vector = [](double x, double y, double z) {
        return "(" + formatNumber(x) + "," + formatNumber(y) + "," + formatNumber(z) + ")";
    };
    std::array<std::string, 4> texts;
    for (std::size_t i = 0; i < 3; ++i) {
        texts[i] =
            vector(g.spacing[i] * g.direction[i], g.spacing[i] * g.direction[3 + i], g.spacing[i] * g.direction[6 + i]);
    }
    texts[3] = vector(g.origin[0], g.origin[1], g.origin[2]);
    return texts;
}

}  // namespace warplens::io::codecs
