// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support/mutations.hpp"

#include "io/codecs/codec.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <array>

namespace warplens::test {
namespace {

enum class Value { zero, minusOne, twoTo31, most, nan, empty, megabyte };
constexpr std::array kValues{Value::zero, Value::minusOne, Value::twoTo31, Value::most,
                             Value::nan,  Value::empty,    Value::megabyte};
constexpr std::size_t kMegabyte = 1 << 20;

const char* nameOf(Value value) {
    constexpr std::array kNames{"0", "-1", "2^31", "2^63-1", "NaN", "empty", "1 MB"};
    return kNames[static_cast<std::size_t>(value)];
}

Bytes asText(Value value) {
    switch (value) {
        case Value::zero: return bytesOf("0");
        case Value::minusOne: return bytesOf("-1");
        case Value::twoTo31: return bytesOf("2147483648");
        case Value::most: return bytesOf("9223372036854775807");
        case Value::nan: return bytesOf("NaN");
        case Value::empty: return {};
        case Value::megabyte: return Bytes(kMegabyte, std::byte{'7'});
    }
    return {};
}

/// In as many bytes as the field has, as far as the value fits; empty and 1 MB change the length of the file.
Bytes asNumber(Value value, std::size_t size, bool bigEndian) {
    if (value == Value::empty) return {};
    if (value == Value::megabyte) return Bytes(kMegabyte, std::byte{'7'});
    const std::uint64_t bits = value == Value::zero       ? 0
                               : value == Value::minusOne ? ~std::uint64_t{0}
                               : value == Value::twoTo31  ? (size < 4 ? std::uint64_t{0x8000} : std::uint64_t{1} << 31)
                               : value == Value::most
                                   ? (size < 8 ? (std::uint64_t{1} << (8 * size - 1)) - 1 : ~std::uint64_t{0} >> 1)
                               : size == 8 ? 0x7ff8000000000000U
                                           : 0x7fc00000U;
    auto bytes = little(bits, size);
    if (bigEndian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

/// The values behind ':' or '=' of each line up to the header's end, whole and word by word, and the names before them.
std::vector<Field> fieldsOfText(const Bytes& file) {
    const std::string text(reinterpret_cast<const char*>(file.data()), file.size());
    std::vector<Field> fields;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        if (end == begin) break;
        const auto sign = std::min(text.find_first_of(":=", begin), end);
        fields.push_back({begin, sign - begin, true});
        if (sign < end) {
            auto at = sign + 1 + (sign + 1 < end && text[sign + 1] == ' ');
            fields.push_back({at, end - at, true});
            while (at < end) {
                const auto word = std::min(text.find_first_of(" (),", at), end);
                if (word > at && !(fields.back().at == at && fields.back().size == word - at)) {
                    fields.push_back({at, word - at, true});
                }
                at = word + 1;
            }
        }
        begin = end + 1;
        if (text.compare(sign, end - sign, "= LOCAL") == 0) break;
    }
    return fields;
}

std::vector<Field> fieldsOfNifti() {
    std::vector<Field> fields{{0, 4}, {38, 1}, {39, 1}, {112, 4}, {116, 4}, {108, 4}, {123, 1}, {344, 4}, {348, 4}};
    for (std::size_t at = 40; at < 76; at += 2) fields.push_back({at, 2});   // dim, intent code, datatype, bitpix ...
    for (std::size_t at = 76; at < 108; at += 4) fields.push_back({at, 4});  // pixdim
    for (std::size_t at = 252; at < 256; at += 2) fields.push_back({at, 2});
    for (std::size_t at = 256; at < 328; at += 4) fields.push_back({at, 4});  // quaternion, affine
    return fields;
}

std::uint64_t number(const Bytes& file, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(file[at + i]);
    return value;
}

/// Tag, kind, length and value of every element.
std::vector<Field> fieldsOfDicom(const Bytes& file) {
    std::vector<Field> fields{{128, 4}};
    for (std::size_t at = 132; at + 12 <= file.size();) {
        const bool wide = file[at + 4] == std::byte{'O'};
        const auto size = number(file, at + (wide ? 8 : 6), wide ? 4 : 2);
        const auto value = at + (wide ? 12U : 8U);
        const bool binary = wide || (file[at + 4] == std::byte{'U'} && file[at + 5] != std::byte{'I'});
        fields.push_back({at, 4});
        fields.push_back({at + 4, 2});
        fields.push_back({at + (wide ? 8 : 6), wide ? 4U : 2U});
        if (!wide) fields.push_back({value, static_cast<std::size_t>(size), !binary});
        at = value + static_cast<std::size_t>(size);
    }
    return fields;
}

/// The header, and tag, type, count and value of every entry of every directory.
std::vector<Field> fieldsOfTiff(const Bytes& file) {
    std::vector<Field> fields{{0, 2}, {2, 2}, {4, 4}};
    for (auto at = static_cast<std::size_t>(number(file, 4, 4)); at != 0;) {
        const auto entries = number(file, at, 2);
        fields.push_back({at, 2});
        at += 2;
        for (std::uint64_t i = 0; i < entries; ++i, at += 12) {
            for (const auto& [offset, size] : {std::pair<std::size_t, std::size_t>{0, 2}, {2, 2}, {4, 4}, {8, 4}}) {
                fields.push_back({at + offset, size});
            }
        }
        fields.push_back({at, 4});
        at = static_cast<std::size_t>(number(file, at, 4));
    }
    return fields;
}

void apply(Bytes& file, const Field& field, Value value, bool bigEndian) {
    const auto bytes = field.text ? asText(value) : asNumber(value, field.size, bigEndian);
    const auto first = file.begin() + static_cast<std::ptrdiff_t>(field.at);
    file.erase(first, first + static_cast<std::ptrdiff_t>(field.size));
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(field.at), bytes.begin(), bytes.end());
}

}  // namespace

std::vector<MutationSeed> mutationSeeds(const Folder& folder) {
    using io::PixelType;
    std::vector<MutationSeed> seeds;
    const auto text = [&](const char* name, const Bytes& file) { seeds.push_back({name, file, fieldsOfText(file)}); };
    const auto encoded = [](const char* format, PixelType type, int channels, bool compress) {
        return io::codecs::encode(randomGrid({5, 4, 3, channels}, type), format, "seed", {.compress = compress});
    };
    text("raw.nrrd", encoded("nrrd", PixelType::f32, 1, false));
    text("gzip.nrrd", encoded("nrrd", PixelType::u16, 3, true));
    text("bzip2.nrrd",
         join({bytesOf("NRRD0004\ntype: short\ndimension: 4\nsizes: 5 4 2 3\nkinds: space space space list\n"
                       "endian: big\nencoding: bzip2\nline skip: 1\nbyte skip: 2\n\nskipped\n"),
               bzipped(Bytes(242, std::byte{3}))}));
    text("plain.mha", encoded("mha", PixelType::u16, 1, false));
    folder.write("data.raw", Bytes(480, std::byte{42}));
    for (const char* name : {"s1.raw", "s2.raw", "s3.raw"}) folder.write(name, Bytes(160, std::byte{7}));
    text("detached.nhdr",
         bytesOf("NRRD0004\n# a note\ntype: float\ndimension: 4\nsizes: 2 5 4 3\nspacings: nan 1 0.5 2\n"
                 "kinds: list domain domain domain\nbyte skip: 0\nline skip: 0\nendian: big\n"
                 "encoding: raw\ndata file: data.raw\n"));
    text("slices.nhdr", bytesOf("NRRD0005\ntype: double\ndimension: 3\nspace dimension: 3\nsizes: 5 4 3\n"
                                "space directions: (1,0,0) (0,1,0.5) (0,0,2)\nspace units: \"mm\" \"mm\" \"mm\"\n"
                                "kinds: space space space\nthicknesses: nan nan 2\nencoding: raw\nendian: little\n"
                                "space origin: (0,0,0)\ndata file: s%d.raw 1 3 1\n"));
    text("text.nrrd", bytesOf("NRRD0001\ntype: int\ndimension: 2\nsizes: 3 2\naxis mins: 0 0\naxis maxs: 3 2\n"
                              "centers: cell cell\nencoding: ascii\nold min: 0\nold max: 9\n\n1 2 3 4 5 6\n"));
    text("detached.mhd",
         bytesOf("Comment = a note\nObjectType = Image\nObjectSubType = none\nNDims = 4\nBinaryData = True\n"
                 "BinaryDataByteOrderMSB = True\nCompressedData = False\nCompressedDataSize = 0\n"
                 "Offset = 0 0 0 0\nCenterOfRotation = 0 0 0 0\nAnatomicalOrientation = RAIS\n"
                 "ElementSpacing = 1 1 1 1\nElementSize = 1 1 1 1\nDimSize = 5 4 3 2\nHeaderSize = 0\n"
                 "Modality = MET_MOD_CT\nSequenceID = 0 0 0 0\nElementMin = 0\nElementMax = 9\n"
                 "ElementNumberOfChannels = 1\nElementType = MET_FLOAT\nID = 3\nParentID = 2\nName = n\n"
                 "Color = 1 0 0 1\nElementDataFile = data.raw\n"));
    text("list.mhd",
         bytesOf("NDims = 3\nDimSize = 5 4 3\nElementType = MET_DOUBLE\nElementDataFile = LIST\ns1.raw\ns2.raw\n"
                 "s3.raw\n"));
    NiftiOptions scaled{.sizes = {5, 4, 3, 2}, .code = 4, .bits = 16, .slope = 0.5F, .intercept = 1};
    seeds.push_back({"scaled.nii", makeNifti(scaled, Bytes(240)), fieldsOfNifti()});
    NiftiOptions big{.sizes = {5, 4, 3, 1, 3}, .code = 16, .bits = 32};
    big.bigEndian = true;
    seeds.push_back({"big.nii", makeNifti(big, Bytes(720)), fieldsOfNifti(), true});
    seeds.push_back({"packed.nii.gz", makeNifti({.sizes = {5, 4, 3}, .code = 128, .bits = 24}, Bytes(180)),
                     fieldsOfNifti(), false, true});
    const auto dicom = makeDicom({.width = 3, .height = 2}, {1, 2, 3, 4, 5, 6});
    seeds.push_back({"slice.dcm", dicom, fieldsOfDicom(dicom)});
    for (const auto& [name, type, compress] :
         {std::tuple{"packed.tif", PixelType::u16, true}, {"plain.tif", PixelType::f32, false}}) {
        const auto file = encoded("tif", type, 1, compress);
        seeds.push_back({name, file, fieldsOfTiff(file)});
    }
    return seeds;
}

std::size_t singleMutations(const std::vector<MutationSeed>& seeds) {
    std::size_t count = 0;
    for (const auto& seed : seeds) count += seed.fields.size() * kValues.size();
    return count;
}

Mutated mutate(const std::vector<MutationSeed>& seeds, std::size_t number) {
    const auto finish = [](const MutationSeed& seed, Bytes file, const std::string& what) {
        return Mutated{seed.name, seed.packed ? gzipped(file) : std::move(file), seed.name + what};
    };
    const auto describe = [](const Field& field, Value value) {
        return ", " + std::to_string(field.size) + " bytes at " + std::to_string(field.at) + " to " + nameOf(value);
    };
    auto left = number;
    for (const auto& seed : seeds) {
        const auto count = seed.fields.size() * kValues.size();
        if (left >= count) {
            left -= count;
            continue;
        }
        auto file = seed.file;
        const auto& field = seed.fields[left / kValues.size()];
        const auto value = kValues[left % kValues.size()];
        apply(file, field, value, seed.bigEndian);
        return finish(seed, std::move(file), describe(field, value));
    }
    std::mt19937 random(static_cast<unsigned>(number));
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    const auto& seed = seeds[below(seeds.size())];
    // The later one first, so that the place of the other stays.
    std::array<Field, 2> fields{seed.fields[below(seed.fields.size())], seed.fields[below(seed.fields.size())]};
    if (fields[0].at < fields[1].at) std::swap(fields[0], fields[1]);
    auto file = seed.file;
    std::string what;
    for (const auto& field : fields) {
        if (&field != &fields[0] && field.at + field.size > fields[0].at) continue;  // one within the other
        const auto value = kValues[below(kValues.size())];
        apply(file, field, value, seed.bigEndian);
        what += describe(field, value);
    }
    return finish(seed, std::move(file), what);
}

}  // namespace warplens::test
