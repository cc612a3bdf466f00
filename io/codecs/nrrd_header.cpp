// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/nrrd_header.hpp"

#include "io/codecs/common.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kMostAxes = 8;

using Vector = std::array<double, 3>;

/// What an axis of some kind is made of.
enum class Role { space, time, pixel, unknown };

Role roleOf(const std::string& kind) {
    if (kind == "domain" || kind == "space") return Role::space;
    if (kind == "time") return Role::time;
    // Every other kind is one of a pixel's values.
    return kind.empty() || kind == "none" || kind == "???" ? Role::unknown : Role::pixel;
}

/// A space that has a name: of how many dimensions, and what brings it to left-posterior-superior. Other spaces belong
/// to no patient, or it is not said how they lie in one.
struct Space {
    const char* name;
    const char* abbreviation;
    std::size_t dimensions;
    Vector toLps;
};
constexpr std::array<Space, 12> kSpaces{{{"right-anterior-superior", "ras", 3, {-1, -1, 1}},
                                         {"left-anterior-superior", "las", 3, {1, -1, 1}},
                                         {"left-posterior-superior", "lps", 3, {1, 1, 1}},
                                         {"right-anterior-superior-time", "rast", 4, {-1, -1, 1}},
                                         {"left-anterior-superior-time", "last", 4, {1, -1, 1}},
                                         {"left-posterior-superior-time", "lpst", 4, {1, 1, 1}},
                                         {"scanner-xyz", "", 3, {1, 1, 1}},
                                         {"scanner-xyz-time", "", 4, {1, 1, 1}},
                                         {"3d-right-handed", "", 3, {1, 1, 1}},
                                         {"3d-left-handed", "", 3, {1, 1, 1}},
                                         {"3d-right-handed-time", "", 4, {1, 1, 1}},
                                         {"3d-left-handed-time", "", 4, {1, 1, 1}}}};

/// The texts between quotes; without any, the words.
std::vector<std::string> quoted(std::string_view text) {
    std::vector<std::string> found;
    if (text.find('"') == std::string_view::npos) {
        for (const auto word : words(text)) found.emplace_back(word);
        return found;
    }
    while (true) {
        const auto begin = text.find('"');
        if (begin == std::string_view::npos) return found;
        const auto end = text.find('"', begin + 1);
        if (end == std::string_view::npos) return found;
        found.emplace_back(trimmed(text.substr(begin + 1, end - begin - 1)));
        text.remove_prefix(end + 1);
    }
}

/// The parts of "(1,0,0) none (0, 0, 1)": vectors with their brackets, and the words between them.
std::vector<std::string> vectorsIn(std::string_view text) {
    std::vector<std::string> found;
    while (true) {
        text = trimmed(text);
        if (text.empty()) return found;
        const auto end = text[0] == '(' ? text.find(')') : text.find_first_of(" \t(") - 1;
        const auto length = end >= text.size() ? text.size() : end + 1;
        found.emplace_back(text.substr(0, length));
        text.remove_prefix(length);
    }
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

    VolumeHeader parse() {
        readLines();
        VolumeHeader header;
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
        readEndian(header);
        readPlace(header);
        readAxes(header);
        readGeometry(header);
        readOurGeometry(header);
        readRest(header);
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
            // Names that the format allows beside its own.
            constexpr std::array<std::pair<const char*, const char*>, 8> kAlso{{{"datafile", "data file"},
                                                                                {"byteskip", "byte skip"},
                                                                                {"lineskip", "line skip"},
                                                                                {"centerings", "centers"},
                                                                                {"axismins", "axis mins"},
                                                                                {"axismaxs", "axis maxs"},
                                                                                {"oldmin", "old min"},
                                                                                {"oldmax", "old max"}}};
            for (const auto& [also, own] : kAlso) {
                if (name == also) name = own;
            }
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

    /// Which byte of a value comes first has to be said wherever bytes are stored and a value has several.
    void readEndian(VolumeHeader& header) const {
        if (m_fields.count("endian") != 0) {
            const auto endian = lower(field("endian"));
            if (endian != "little" && endian != "big") fail("endian is neither little nor big");
            header.bigEndian = endian == "big";
        } else if (bytesOfType(header.type) > 1 && header.packing != Packing::text) {
            throw Error(Error::Kind::unreadable,
                        m_source.where + ": the NRRD header lacks the field endian, which values of " +
                            std::to_string(8 * bytesOfType(header.type)) +
                            " bits need: add a line \"endian: little\", or \"endian: big\", before its empty line");
        }
    }

    /// Where the values are and how many bytes there are for them; the names of files are checked on the way.
    void readPlace(VolumeHeader& header) const {
        header.byteSkip = integer("byte skip", 0);
        header.lineSkip = integer("line skip", 0);
        const bool packed = header.packing == Packing::deflate || header.packing == Packing::bzip2;
        if (header.byteSkip < -1 || (header.byteSkip == -1 && header.packing != Packing::plain) ||
            header.lineSkip < 0 || header.lineSkip > 1'000'000) {
            fail("byte skip or line skip makes no sense");
        }
        header.atEnd = header.byteSkip == -1;
        header.byteSkip = std::max<std::int64_t>(header.byteSkip, 0);
        const auto skipped = packed ? 0 : header.byteSkip;
        if (m_fields.count("data file") == 0) {
            header.dataPaths = {m_source.path};
            header.dataBegin = static_cast<std::int64_t>(m_at);
            header.dataBytes = std::max<std::int64_t>(m_source.fileBytes - header.dataBegin - skipped, 0);
            return;
        }
        const auto parts = words(field("data file"));
        if (parts.empty()) fail("data file names none");
        const auto names = dataFiles(parts);
        header.dataBytes = sharedBytes(m_source, names, skipped);
        header.dataPaths = pathsOf(m_source, names);
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

    /// The words of a field that has one an axis, or one a dimension of space; empty ones where it is missing.
    std::vector<std::string> each(const char* name, std::size_t count, bool inQuotes = false) const {
        std::vector<std::string> texts;
        if (m_fields.count(name) != 0) {
            if (inQuotes) {
                texts = quoted(field(name));
            } else {
                for (const auto word : words(field(name))) texts.emplace_back(word);
            }
            if (texts.size() != count) {
                fail(std::string(name) + " has " + std::to_string(texts.size()) + " parts, not " +
                     std::to_string(count));
            }
        }
        texts.resize(count);
        return texts;
    }
    /// Numbers, one an axis; NaN where there is none.
    std::vector<double> numbers(const char* name, std::size_t count) const {
        std::vector<double> values;
        for (const auto& word : each(name, count)) {
            const auto value = parseNumber<double>(word.starts_with('+') ? word.substr(1) : word);
            if (!value && !word.empty()) fail(std::string(name) + " holds something other than numbers");
            values.push_back(value && std::isfinite(*value) ? *value : std::nan(""));
        }
        return values;
    }

    /// Which axes are x, y and z, and along which the values of a pixel lie. Those of time come after those of space,
    /// and what is neither, or a fourth one, is of frames.
    void readAxes(VolumeHeader& header) {
        const auto axes = header.sizes.size();
        std::vector<Role> roles;
        for (const auto& kind : each("kinds", axes)) roles.push_back(roleOf(lower(kind)));
        readSpace(header);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            // An axis whose direction is "none", where others have one, is none of space.
            const bool placed = m_vectors.empty() || m_vectors[axis];
            if (roles[axis] == Role::unknown) roles[axis] = placed ? Role::space : Role::pixel;
        }
        if (std::all_of(roles.begin(), roles.end(), [](Role role) { return role == Role::pixel; }))
            roles.assign(axes, Role::space);
        for (const auto wanted : {Role::space, Role::time}) {
            for (std::size_t axis = 0; axis < axes; ++axis) {
                if (roles[axis] == wanted && header.space.size() < 3) header.space.push_back(axis);
            }
        }
        for (std::size_t axis = axes; axis-- > 0;) {
            const auto size = header.sizes[axis];
            if (roles[axis] == Role::pixel && (size == 3 || size == 4)) header.pixel = axis;
        }
    }

    /// The steps along the axes, in the unit and the space of the file.
    void readSpace(VolumeHeader& header) {
        if (m_fields.count("space") != 0) {
            const auto name = lower(field("space"));
            const auto* known = std::find_if(kSpaces.begin(), kSpaces.end(),
                                             [&](const Space& s) { return name == s.name || name == s.abbreviation; });
            if (name.empty() || known == kSpaces.end()) fail("space " + inQuotes(name) + " is none");
            m_dimensions = known->dimensions;
            m_toLps = known->toLps;
        } else if (m_fields.count("space dimension") != 0) {
            const auto dimensions = integer("space dimension");
            if (dimensions < 1 || dimensions > static_cast<std::int64_t>(kMostAxes))
                fail("space dimension is not within 1..8");
            m_dimensions = static_cast<std::size_t>(dimensions);
        }
        if (m_fields.count("space directions") == 0) return;
        const auto texts = vectorsIn(field("space directions"));
        if (texts.size() != header.sizes.size()) fail("space directions do not agree with dimension");
        for (const auto& text : texts) m_vectors.push_back(vectorOf(text, "space directions"));
        if (std::none_of(m_vectors.begin(), m_vectors.end(), [](const auto& one) { return one.has_value(); }))
            m_vectors.clear();
    }

    /// The first three parts of "(1,0,0)"; nothing for "none". Sets how many parts vectors have, unless it is known.
    std::optional<Vector> vectorOf(const std::string& text, const char* name) {
        if (lower(text) == "none") return std::nullopt;
        if (!text.starts_with('(') || !text.ends_with(')'))
            fail(std::string(name) + " holds something other than vectors");
        Vector vector{};
        const auto parts = split(std::string_view(text).substr(1, text.size() - 2), ',');
        if (m_dimensions == 0) m_dimensions = parts.size();
        if (parts.size() != m_dimensions) {
            fail(std::string(name) + " has vectors of " + std::to_string(parts.size()) + " numbers, not " +
                 std::to_string(m_dimensions));
        }
        bool some = false;
        for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 3); ++i) {
            const auto word = trimmed(parts[i]);
            const auto value = parseNumber<double>(word.starts_with('+') ? word.substr(1) : word);
            if (!value) fail(std::string(name) + " holds something other than numbers");
            // A vector of NaN is how some write that there is none.
            if (std::isnan(*value)) return std::nullopt;
            vector[i] = *value;
            some = some || *value != 0;
        }
        // In a space with time, one that leads nowhere but there.
        if (!some && m_dimensions > 3) return std::nullopt;
        return vector;
    }

    /// None where it is empty, or, with a note, no length.
    std::optional<LengthUnit> unitOf(const std::string& unit, VolumeHeader& header) const {
        if (unit.empty() || lower(unit) == "none" || unit == "???") return std::nullopt;
        if (const auto known = lengthUnit(unit)) return known;
        auto note = "its unit " + inQuotes(unit) + " is no length known here; mm are assumed";
        if (std::find(header.notes.begin(), header.notes.end(), note) == header.notes.end())
            header.notes.push_back(std::move(note));
        return std::nullopt;
    }

    void readGeometry(VolumeHeader& header) {
        const auto axes = header.sizes.size();
        const auto units = each("units", axes, true);
        if (!m_vectors.empty() || m_fields.count("space origin") != 0) {
            readOrientation(units, header);
            if (!m_vectors.empty()) return;
        }
        // Without directions the axes are those of space.
        const auto spacings = numbers("spacings", axes);
        const auto mins = numbers("axis mins", axes);
        const auto maxs = numbers("axis maxs", axes);
        const auto centers = each("centers", axes);
        std::vector<std::string> spaceUnits;
        if (m_fields.count("space units") != 0) spaceUnits = quoted(field("space units"));
        auto& g = header.geometry;
        for (std::size_t i = 0; i < header.space.size(); ++i) {
            const auto axis = header.space[i];
            auto length = unitOf(units[axis], header);
            // Those of a space that no directions belong to can only be meant for its axes.
            if (!length && i < spaceUnits.size()) length = unitOf(spaceUnits[i], header);
            const auto unit = length.value_or(LengthUnit());
            // As the format has it: values are in the middle of cells unless it says that they are at nodes.
            const bool node = lower(centers[axis]) == "node";
            const auto cells = static_cast<double>(header.sizes[axis] - (node ? 1 : 0));
            auto spacing = spacings[axis];
            if (std::isnan(spacing) && cells > 0) spacing = (maxs[axis] - mins[axis]) / cells;
            if (!std::isnan(spacing)) g.spacing[i] = unit.mm(std::abs(spacing));
            if (spacing < 0) g.direction[4 * i] = -1;
            if (m_fields.count("space origin") != 0 || std::isnan(mins[axis])) continue;
            g.origin[i] = unit.mm(mins[axis] + (node || std::isnan(spacing) ? 0 : spacing / 2));
        }
    }

    void readOrientation(const std::vector<std::string>& units, VolumeHeader& header) {
        std::optional<Vector> origin;
        if (m_fields.count("space origin") != 0) origin = vectorOf(std::string(field("space origin")), "space origin");
        std::array<LengthUnit, 3> unit;
        const auto spaceUnits = each("space units", m_dimensions, true);
        for (std::size_t row = 0; row < std::min<std::size_t>(m_dimensions, 3); ++row) {
            auto length = unitOf(spaceUnits[row], header);
            // Units belong to axes that have spacings instead, but there is nothing else that they can mean.
            if (!length && row < header.space.size()) length = unitOf(units[header.space[row]], header);
            unit[row] = length.value_or(LengthUnit());
        }
        const auto toOurs = [&](Vector v) {
            for (std::size_t row = 0; row < 3; ++row) v[row] = unit[row].mm(v[row] * m_toLps[row]) + 0.0;  // no -0
            return v;
        };
        if (origin) header.geometry.origin = toOurs(*origin);
        if (m_vectors.empty()) return;
        std::vector<Vector> steps;
        for (const auto axis : header.space) steps.push_back(toOurs(m_vectors[axis].value_or(Vector{})));
        // A last axis that is not of space, such as time, or of one value, stands on the others.
        const auto needless = [&](std::size_t i) {
            return !m_vectors[header.space[i]] || (steps[i] == Vector{} && header.sizes[header.space[i]] == 1);
        };
        while (steps.size() > 1 && needless(steps.size() - 1)) steps.pop_back();
        setSteps(header.geometry, steps);
    }

    /// What is said here because it is not obeyed.
    void readRest(VolumeHeader& header) const {
        const auto given = [&](const char* name) {
            if (m_fields.count(name) == 0) return std::string();
            const auto text = std::string(field(name));
            return lower(text).find_first_not_of("nan? ") == std::string::npos ? std::string() : text;
        };
        const auto low = given("old min");
        const auto high = given("old max");
        if (!low.empty() || !high.empty()) {
            header.notes.push_back("values are as they are stored; quantised from " + inQuotes(low) + " to " +
                                   inQuotes(high) + " (old min, old max)");
        }
        if (const auto thick = given("thicknesses"); !thick.empty())
            header.notes.push_back("its thicknesses " + inQuotes(thick) +
                                   " are not used; slices are as far apart as its spacing says");
    }

    /// Ours, if nobody has changed what stands beside it.
    void readOurGeometry(VolumeHeader& header) const {
        const auto key = m_keys.find(kNrrdGeometryKey);
        if (key == m_keys.end() || m_fields.count("space units") != 0) return;
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
    std::size_t m_dimensions = 0;  ///< of the space; 0: it has none
    Vector m_toLps{1, 1, 1};
    std::vector<std::optional<Vector>> m_vectors;  ///< the direction of each axis; empty: there are none
};

}  // namespace

const char* const kNrrdGeometryKey = "warplens geometry";

VolumeHeader parseNrrdHeader(const Source& source) { return Parser(source).parse(); }

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
