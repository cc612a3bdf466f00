// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/nifti_header.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>
#include <zlib.h>

namespace warplens::io::codecs {
namespace {

using Vector = std::array<double, 3>;
constexpr Vector kToLps{-1, -1, 1};

bool isGzip(std::span<const std::byte> file) {
    constexpr std::array<unsigned char, 2> kMagic{0x1f, 0x8b};
    return startsWith(file, kMagic);
}

struct DataType {
    int code;
    const char* type;
    int values;  ///< stored values a pixel
};
constexpr std::array<DataType, 14> kDataTypes{{{2, "u8", 1},
                                               {4, "i16", 1},
                                               {8, "i32", 1},
                                               {16, "f32", 1},
                                               {32, "f32", 2},
                                               {64, "f64", 1},
                                               {128, "u8", 3},
                                               {256, "i8", 1},
                                               {512, "u16", 1},
                                               {768, "u32", 1},
                                               {1024, "i64", 1},
                                               {1280, "u64", 1},
                                               {1792, "f64", 2},
                                               {2304, "u8", 4}}};

/// What the standard calls a type that we lack.
std::string otherType(int code) {
    constexpr std::array<std::pair<int, const char*>, 4> kNames{
        {{1, "binary (1 bit)"}, {1536, "float128"}, {2048, "complex256"}, {0, "unknown"}}};
    for (const auto& [known, name] : kNames) {
        if (known == code) return name;
    }
    return std::to_string(code);
}

/// Where the fields of a version are, and how large.
struct Places {
    std::size_t headerBytes, magic, intSize, dim, dimSize, realSize, datatype, bitpix, pixdim, voxOffset, slope, inter,
        units, qform, sform, quatern, qoffset, srow, intent;
};
constexpr Places kFirst{
    kNiftiHeaderBytes, 344, 2, 40, 2, 4, 70, 72, 76, 108, 112, 116, 123, 252, 254, 256, 268, 280, 68};
constexpr Places kSecond{
    kNifti2HeaderBytes, 4, 4, 16, 8, 8, 12, 14, 104, 168, 176, 184, 500, 344, 348, 352, 376, 400, 504};

class Fields {
public:
    Fields(std::vector<std::byte> head, int version, const std::string& where)
        : m_head(std::move(head)), m_places(version == 2 ? kSecond : kFirst), m_where(where) {
        m_big = littleEndian(m_head, 0, 4) != m_places.headerBytes;
    }
    const Places& places() const { return m_places; }
    bool bigEndian() const { return m_big; }

    std::int64_t integer(std::size_t at, std::size_t size) const {
        const auto value = bits(at, size);
        if (size == 2) return static_cast<std::int16_t>(value);
        if (size == 4) return static_cast<std::int32_t>(value);
        return static_cast<std::int64_t>(value);
    }
    /// A code: of 16 bits in the first version, of 32 in the second.
    std::int64_t code(std::size_t at) const { return integer(at, m_places.intSize); }
    /// As it is, be it a number or not.
    double anyReal(std::size_t at) const {
        const auto value = bits(at, m_places.realSize);
        return m_places.realSize == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(value))
                                      : std::bit_cast<double>(value);
    }
    /// A number that has to be one.
    double real(std::size_t at, const char* name) const {
        const auto value = anyReal(at);
        // Far beyond any length in mm, and yet so small that sums and products stay finite.
        if (!std::isfinite(value) || std::abs(value) > 1e15) {
            damaged(m_where, "NIfTI", std::string(name) + " is no number in range");
        }
        return value;
    }
    double realOf(std::size_t first, std::size_t i, const char* name) const {
        return real(first + i * m_places.realSize, name);
    }
    /// Of units, whose low three bits are those of lengths: metres, mm (or unknown), micrometres.
    LengthUnit unit() const {
        const auto code = std::to_integer<int>(m_head[m_places.units + (m_big && m_places.intSize == 4 ? 3 : 0)]) & 7;
        return code == 1 ? LengthUnit{1000, 1} : code == 3 ? LengthUnit{1, 1000} : LengthUnit();
    }

private:
    std::uint64_t bits(std::size_t at, std::size_t size) const {
        const auto part = [&](std::size_t from, std::size_t count) -> std::uint64_t {
            return m_big ? codecs::bigEndian(m_head, from, count) : littleEndian(m_head, from, count);
        };
        if (size <= 4) return part(at, size);
        return m_big ? part(at, 4) << 32 | part(at + 4, 4) : part(at + 4, 4) << 32 | part(at, 4);
    }
    std::vector<std::byte> m_head;
    const Places& m_places;
    const std::string& m_where;
    bool m_big = false;
};

/// Beside a header whose values lie in another file only that of the same name can be meant.
void checkPair(const Source& source) {
    if (isGzip(source.file)) {
        unsupported(source.where, "a compressed NIfTI pair of .hdr.gz and .img.gz",
                    "decompress both with gunzip, then open the .hdr");
    }
    if (!source.path.ends_with(".hdr")) {
        unsupported(source.where, "the header of a NIfTI pair under another name",
                    "rename it so that it ends in .hdr, with the .img of the same name beside it");
    }
}

/// Steps along the axes and the first voxel, in right-anterior-superior and the file's unit.
struct Affine {
    std::array<Vector, 3> steps{};
    Vector origin{};
};

Affine sformOf(const Fields& fields) {
    Affine affine;
    for (std::size_t row = 0; row < 3; ++row) {
        const auto at = fields.places().srow;
        for (std::size_t axis = 0; axis < 3; ++axis)
            affine.steps[axis][row] = fields.realOf(at, 4 * row + axis, "the affine matrix");
        affine.origin[row] = fields.realOf(at, 4 * row + 3, "the affine matrix");
    }
    return affine;
}

/// The rotation of a quaternion whose first part is what the others leave of 1, as the standard computes it.
Affine qformOf(const Fields& fields, const Vector& spacing) {
    const auto& p = fields.places();
    auto b = fields.realOf(p.quatern, 0, "the quaternion");
    auto c = fields.realOf(p.quatern, 1, "the quaternion");
    auto d = fields.realOf(p.quatern, 2, "the quaternion");
    auto a = 1 - (b * b + c * c + d * d);
    if (a < 1e-7) {
        const auto length = std::sqrt(b * b + c * c + d * d);
        if (length > 0) b /= length, c /= length, d /= length;
        a = 0;
    } else {
        a = std::sqrt(a);
    }
    const double qfac = fields.real(p.pixdim, "pixdim") < 0 ? -1 : 1;
    const std::array<Vector, 3> columns{{{a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)},
                                         {2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)},
                                         {2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c}}};
    Affine affine;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t row = 0; row < 3; ++row)
            affine.steps[axis][row] = (axis == 2 ? qfac : 1) * spacing[axis] * columns[axis][row];
        affine.origin[axis] = fields.realOf(p.qoffset, axis, "the quaternion's offset");
    }
    return affine;
}

/// Further apart than the single precision of either explains.
bool differ(const Affine& one, const Affine& other) {
    double largest = 0;
    double difference = 0;
    const auto compare = [&](const Vector& a, const Vector& b) {
        for (std::size_t i = 0; i < 3; ++i) {
            largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
            difference = std::max(difference, std::abs(a[i] - b[i]));
        }
    };
    for (std::size_t axis = 0; axis < 3; ++axis) compare(one.steps[axis], other.steps[axis]);
    if (difference > 1e-3 * largest) return true;
    compare(one.origin, other.origin);
    return difference > 1e-3 * largest;
}

/// The steps that are some, in left-posterior-superior and mm; an axis of one voxel needs none.
std::vector<Vector> stepsOf(const Affine& affine, const LengthUnit& unit, const VolumeHeader& header) {
    std::vector<Vector> steps(affine.steps.begin(), affine.steps.end());
    for (auto& step : steps) {
        for (std::size_t row = 0; row < 3; ++row) step[row] = unit.mm(kToLps[row] * step[row]) + 0.0;  // no -0
    }
    const auto thin = [&] { return steps.size() >= header.sizes.size() || header.sizes[steps.size()] == 1; };
    while (!steps.empty() && steps.back() == Vector{} && thin()) steps.pop_back();
    return steps;
}

bool hasNone(const std::vector<Vector>& steps) {
    return std::find(steps.begin(), steps.end(), Vector{}) != steps.end();
}

void place(const Fields& fields, VolumeHeader& header) {
    const auto& p = fields.places();
    for (std::size_t i = 0; i < 4; ++i) fields.realOf(p.pixdim, i, "pixdim");
    Vector spacing{};
    for (std::size_t i = 0; i < 3; ++i) spacing[i] = std::abs(fields.realOf(p.pixdim, i + 1, "pixdim"));
    const auto unit = fields.unit();
    std::optional<Affine> sform;
    std::optional<Affine> qform;
    if (fields.code(p.sform) > 0) sform = sformOf(fields);
    if (fields.code(p.qform) > 0) qform = qformOf(fields, spacing);
    if (sform && hasNone(stepsOf(*sform, unit, header))) {
        header.notes.emplace_back("its affine matrix (sform) gives an axis no length, so it was not read");
        sform.reset();
    }
    if (!sform && !qform) {
        for (std::size_t i = 0; i < 3; ++i) header.geometry.spacing[i] = unit.mm(spacing[i]);
        header.notes.emplace_back(
            "it does not say how the volume lies (no sform, no qform); only its spacing was read");
        return;
    }
    if (sform && qform && differ(*sform, *qform))
        header.notes.emplace_back("its qform places the volume elsewhere; its affine matrix (sform) was read");
    const auto& affine = sform ? *sform : *qform;
    setSteps(header.geometry, stepsOf(affine, unit, header));
    for (std::size_t row = 0; row < 3; ++row)
        header.geometry.origin[row] = unit.mm(kToLps[row] * affine.origin[row]) + 0.0;
}

/// What becomes of stored values. Of colours nothing, says the standard.
void readScale(const Fields& fields, int valuesAPixel, const Source& source, VolumeHeader& header) {
    const auto slope = fields.anyReal(fields.places().slope);
    const auto intercept = fields.anyReal(fields.places().inter);
    if (slope == 0 || valuesAPixel > 2) return;
    if (!std::isfinite(slope)) {
        header.notes.emplace_back("its scl_slope is no number, so the values are as they are stored");
        return;
    }
    if (!std::isfinite(intercept)) damaged(source.where, "NIfTI", "scl_inter is no number");
    if (valuesAPixel == 2 && intercept != 0)
        unsupported(source.where, "complex numbers to which scl_inter is added", "save them without a scale");
    header.slope = slope;
    header.intercept = intercept;
}

void readSizes(const Fields& fields, const DataType& type, const Source& source, VolumeHeader& header) {
    const auto& p = fields.places();
    const auto axes = fields.integer(p.dim, p.dimSize);
    if (axes < 1 || axes > 7) damaged(source.where, "NIfTI", "it has " + std::to_string(axes) + " axes");
    header.sizes.push_back(type.values);
    header.pixel = 0;
    for (std::size_t axis = 1; axis <= static_cast<std::size_t>(axes); ++axis) {
        header.sizes.push_back(fields.integer(p.dim + axis * p.dimSize, p.dimSize));
        if (axis <= 3) header.space.push_back(axis);
    }
    // Colours whose parts lie in the fifth dimension.
    constexpr int kRgbVector = 2003;
    constexpr int kRgbaVector = 2004;
    const auto intent = fields.code(p.intent);
    if (axes >= 5 && type.values == 1 && (intent == kRgbVector || intent == kRgbaVector)) header.pixel = 5;
}

/// Where the values are, in the file or beside it.
void readPlace(const Fields& fields, std::span<const std::byte> head, bool pair, const Source& source,
               VolumeHeader& header) {
    const auto& p = fields.places();
    auto offset =
        p.realSize == 4 ? fields.real(p.voxOffset, "vox_offset") : static_cast<double>(fields.integer(p.voxOffset, 8));
    const auto first = static_cast<double>(p.headerBytes) + 4;
    if (!pair && offset == 0 && (head.size() <= p.headerBytes || head[p.headerBytes] == std::byte{0})) {
        offset = first;
        header.notes.push_back("its vox_offset is 0; the values were read from byte " +
                               std::to_string(p.headerBytes + 4) + " on, where those of a .nii begin");
    }
    if (offset < (pair ? 0.0 : static_cast<double>(p.headerBytes)) || offset > 1e9)
        damaged(source.where, "NIfTI", "vox_offset makes no sense");
    header.byteSkip = static_cast<std::int64_t>(offset);
    header.dataPaths = {source.path};
    header.moreIsFine = true;
    if (pair) {
        const auto values = std::filesystem::path(source.path).replace_extension(".img");
        header.dataPaths = {values.string()};
        header.dataBytes = neighbourBytes(source, values.filename().string()) - header.byteSkip;
    } else if (isGzip(source.file)) {
        header.packing = Packing::deflate;
        header.dataBytes = source.fileBytes;
    } else {
        header.dataBytes = source.fileBytes - header.byteSkip;
    }
}

/// The beginning of the file, inflated if it is gzip; at most `count` bytes.
std::vector<std::byte> headOf(std::span<const std::byte> file, std::size_t count) {
    if (!isGzip(file)) return {file.begin(), file.begin() + static_cast<std::ptrdiff_t>(std::min(count, file.size()))};
    std::vector<std::byte> head(count);
    z_stream stream{};
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (::inflateInit2(&stream, kGzipOnly) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(file.data()));
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(file.size(), 1 << 20));
    stream.next_out = reinterpret_cast<Bytef*>(head.data());
    stream.avail_out = static_cast<uInt>(count);
    ::inflate(&stream, Z_SYNC_FLUSH);
    head.resize(count - stream.avail_out);
    ::inflateEnd(&stream);
    return head;
}

int versionOf(std::span<const std::byte> head) {
    if (head.size() < kNiftiHeaderBytes) return 0;
    const auto sized = [&](std::uint32_t bytes) {
        return littleEndian(head, 0, 4) == bytes || bigEndian(head, 0, 4) == bytes;
    };
    const auto marked = [&](std::size_t at, const char* magic) { return std::memcmp(&head[at], magic, 3) == 0; };
    if (sized(kNiftiHeaderBytes) && (marked(kFirst.magic, "n+1") || marked(kFirst.magic, "ni1"))) return 1;
    return sized(kNifti2HeaderBytes) && (marked(kSecond.magic, "n+2") || marked(kSecond.magic, "ni2")) ? 2 : 0;
}

}  // namespace

int niftiVersion(std::span<const std::byte> file) { return versionOf(headOf(file, kNiftiHeaderBytes)); }

int niftiCodeOf(std::string_view type, int values) {
    const auto* known = std::find_if(kDataTypes.begin(), kDataTypes.end(),
                                     [&](const DataType& one) { return one.type == type && one.values == values; });
    return known == kDataTypes.end() ? 0 : known->code;
}

VolumeHeader parseNiftiHeader(const Source& source) {
    const auto fail = [&](const std::string& detail) { damaged(source.where, "NIfTI", detail); };
    // With the first of the four bytes that say whether more follows the header.
    auto head = headOf(source.file, kNifti2HeaderBytes + 1);
    const auto version = versionOf(head);
    const auto& places = version == 2 ? kSecond : kFirst;
    if (version == 0 || head.size() < places.headerBytes) fail("the header is cut short");
    // "ni" before the number where the values lie in a file beside it, "n+" where they follow.
    const bool pair = head[places.magic + 1] == std::byte{'i'};
    if (pair) checkPair(source);
    const Fields fields(head, version, source.where);

    VolumeHeader header;
    const auto code = fields.integer(places.datatype, 2);
    const auto* known =
        std::find_if(kDataTypes.begin(), kDataTypes.end(), [&](const DataType& type) { return type.code == code; });
    if (known == kDataTypes.end()) {
        unsupported(source.where, "NIfTI values of type " + otherType(static_cast<int>(code)), "convert them to float");
    }
    header.type = known->type;
    header.bigEndian = fields.bigEndian();
    readSizes(fields, *known, source, header);
    if (fields.integer(places.bitpix, 2) != 8 * bytesOfType(header.type) * known->values)
        fail("bits per value do not fit the type");
    readScale(fields, known->values, source, header);
    place(fields, header);
    readPlace(fields, head, pair, source, header);
    return header;
}

}  // namespace warplens::io::codecs
