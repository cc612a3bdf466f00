// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/nifti_header.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <zlib.h>

namespace warplens::io::codecs {
namespace {

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

class Fields {
public:
    Fields(std::vector<std::byte> head, const std::string& where) : m_head(std::move(head)), m_where(where) {
        m_big = littleEndian(m_head, 0, 4) != kNiftiHeaderBytes;
    }
    int u8(std::size_t at) const { return static_cast<int>(m_head[at]); }
    int i16(std::size_t at) const { return static_cast<std::int16_t>(bits(at, 2)); }
    /// A number that has to be one.
    double f32(std::size_t at, const char* name) const {
        const auto value = std::bit_cast<float>(bits(at, 4));
        // Far beyond any length in mm, and yet so small that sums and products stay finite.
        if (!std::isfinite(value) || std::abs(value) > 1e15F) {
            damaged(m_where, "NIfTI", std::string(name) + " is no number in range");
        }
        return value;
    }

    bool bigEndian() const { return m_big; }

private:
    std::uint32_t bits(std::size_t at, std::size_t size) const {
        return m_big ? codecs::bigEndian(m_head, at, size) : littleEndian(m_head, at, size);
    }
    std::vector<std::byte> m_head;
    const std::string& m_where;
    bool m_big = false;
};

/// The library goes by the name, so that has to agree with what is in the file.
void checkName(const Source& source, bool pair) {
    const auto& path = source.path;
    if (pair && isGzip(source.file)) {
        unsupported(source.where, "a compressed NIfTI pair of .hdr.gz and .img.gz",
                    "decompress both with gunzip, then open the .hdr");
    }
    if (pair && !path.ends_with(".hdr")) {
        unsupported(source.where, "the header of a NIfTI pair under another name",
                    "rename it so that it ends in .hdr, with the .img of the same name beside it");
    }
    if (!pair && !path.ends_with(".nii") && !path.ends_with(".nii.gz")) {
        unsupported(source.where, "a NIfTI under another name", "rename it so that it ends in .nii or .nii.gz");
    }
}

/// The sform's matrix, whose columns are the steps along the axes, in left-posterior-superior; none where an axis has
/// no length.
std::optional<Geometry> affineOf(const Fields& fields) {
    constexpr std::array<double, 3> kToLps{-1, -1, 1};
    // The low three bits of xyzt_units: metres, mm (or unknown), micrometres.
    const int unit = fields.u8(123) & 7;
    const double mm = unit == 1 ? 1000 : unit == 3 ? 0.001 : 1;
    Geometry g;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<double, 3> step{};
        for (std::size_t row = 0; row < 3; ++row)
            step[row] = mm * kToLps[row] * fields.f32(280 + 16 * row + 4 * axis, "the affine matrix");
        g.spacing[axis] = std::hypot(step[0], step[1], step[2]);
        if (g.spacing[axis] == 0) return std::nullopt;
        for (std::size_t row = 0; row < 3; ++row) g.direction[3 * row + axis] = step[row] / g.spacing[axis];
        g.origin[axis] = mm * kToLps[axis] * fields.f32(280 + 16 * axis + 12, "the affine matrix");
    }
    return g;
}

}  // namespace

std::vector<std::byte> niftiHead(std::span<const std::byte> file, std::size_t count) {
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

int niftiCodeOf(std::string_view type, int values) {
    const auto* known = std::find_if(kDataTypes.begin(), kDataTypes.end(),
                                     [&](const DataType& one) { return one.type == type && one.values == values; });
    return known == kDataTypes.end() ? 0 : known->code;
}

NiftiHeader parseNiftiHeader(const Source& source) {
    const auto fail = [&](const std::string& detail) { damaged(source.where, "NIfTI", detail); };
    auto head = niftiHead(source.file, kNiftiHeaderBytes);
    if (head.size() < kNiftiHeaderBytes) fail("the header is cut short");
    if (std::memcmp(&head[4], "n+2", 3) == 0 || std::memcmp(&head[4], "ni2", 3) == 0) {
        unsupported(source.where, "a NIfTI of version 2", "save it as NIfTI-1, or as NRRD");
    }
    const bool pair = std::memcmp(&head[344], "ni1", 4) == 0;
    checkName(source, pair);
    const Fields fields(std::move(head), source.where);

    NiftiHeader header;
    const int axes = fields.i16(40);
    if (axes < 1 || axes > 7) fail("it has " + std::to_string(axes) + " axes");
    for (int axis = 1; axis <= axes; ++axis)
        header.sizes.push_back(fields.i16(40 + 2 * static_cast<std::size_t>(axis)));
    const int code = fields.i16(70);
    const auto* known =
        std::find_if(kDataTypes.begin(), kDataTypes.end(), [&](const DataType& type) { return type.code == code; });
    if (known == kDataTypes.end()) {
        unsupported(source.where, "NIfTI values of type " + std::to_string(code), "convert them to float");
    }
    header.type = known->type;
    header.sizes.insert(header.sizes.begin(), known->values);
    if (fields.i16(72) != 8 * bytesOfType(header.type) * known->values) fail("bits per value do not fit the type");

    for (std::size_t i = 0; i < 8; ++i) fields.f32(76 + 4 * i, "pixdim");
    for (std::size_t i = 0; i < 6; ++i) fields.f32(256 + 4 * i, "the quaternion");
    for (std::size_t i = 0; i < 12; ++i) fields.f32(280 + 4 * i, "the affine matrix");
    header.slope = fields.f32(112, "scl_slope");
    header.intercept = fields.f32(116, "scl_inter");
    // A slope of 0 means that nothing is scaled; nor are colours.
    header.scaled = header.slope != 0 && known->values == 1 && (header.slope != 1 || header.intercept != 0);
    const auto offset = fields.f32(108, "vox_offset");
    const auto least = pair ? 0.0 : static_cast<double>(kNiftiHeaderBytes);
    if (offset < least || offset > 1e9) fail("vox_offset makes no sense");

    header.offset = static_cast<std::int64_t>(offset);
    header.bigEndian = fields.bigEndian();
    for (std::size_t i = 0; i < 3; ++i) header.spacing[i] = std::abs(fields.f32(80 + 4 * i, "pixdim"));

    if (fields.i16(254) > 0) header.affine = affineOf(fields);
    header.hasQform = fields.i16(252) > 0;

    header.dataPath = source.path;
    if (pair) {
        const auto values = std::filesystem::path(source.path).replace_extension(".img");
        header.dataPath = values.string();
        header.dataBytes = neighbourBytes(source, values.filename().string()) - header.offset;
    } else if (isGzip(source.file)) {
        header.packing = Packing::deflate;
        header.dataBytes = source.fileBytes;
    } else {
        header.dataBytes = source.fileBytes - static_cast<std::int64_t>(offset);
    }
    return header;
}

}  // namespace warplens::io::codecs
