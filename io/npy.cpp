// SPDX-License-Identifier: Apache-2.0
#include "io/npy.hpp"

#include "io/convert_values.hpp"
#include "io/error.hpp"
#include "io/npy_header.hpp"
#include "io/source_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace warplens::io {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored in the host's order");

constexpr std::size_t kChunkValues = 1 << 20;
constexpr std::uint32_t kLongestHeader = 1 << 16;

struct DType {
    const char* name;    ///< without the order: "u2"
    const char* stored;  ///< the type as convert_values.hpp names it
    bool swap = false;
    std::size_t size() const { return static_cast<std::size_t>(bytesOfType(stored)); }
};

constexpr std::array kDTypes{DType{"u1", "u8"},  DType{"u2", "u16"}, DType{"u4", "u32"}, DType{"u8", "u64"},
                             DType{"i1", "i8"},  DType{"i2", "i16"}, DType{"i4", "i32"}, DType{"i8", "i64"},
                             DType{"f2", "f16"}, DType{"f4", "f32"}, DType{"f8", "f64"}, DType{"b1", "bool"}};

/// Fills its argument with the next bytes of the file.
using Fill = std::function<void(std::span<std::byte>)>;

/// What numpy calls other dtypes.
const char* kindOf(char letter) {
    switch (letter) {
        case 'c': return "complex numbers";
        case 'f': return "extended precision";
        case 'M':
        case 'm': return "dates or durations";
        case 'S':
        case 'U': return "text";
        case 'O': return "Python objects";
        default: return "";
    }
}

DType parseDType(const std::string& text, const std::string& where) {
    const auto kind = text.size() == 3 ? text.substr(1) : std::string();
    const char order = text.empty() ? '\0' : text[0];
    const bool known = order == '<' || order == '>' || order == '=' || order == '|';
    for (DType dtype : kDTypes) {
        if (!known || kind != dtype.name || (order == '|' && dtype.size() > 1)) continue;
        dtype.swap = order == '>';
        return dtype;
    }
    std::string shown = text.substr(0, 16);
    std::replace_if(
        shown.begin(), shown.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
    const std::string words = text.size() > 1 ? kindOf(text[1]) : "";
    const char* remedy = text.size() > 1 && text[1] == 'c' ? "save array.real, array.imag or abs(array)"
                                                           : "convert with array.astype('float32')";
    throw Error(Error::Kind::unsupported, where + ": dtype '" + shown + "'" +
                                              (words.empty() ? "" : ", " + words + ",") +
                                              " is not read (bool, integers of 8 to 64 bits and floats of 16 to 64 "
                                              "are): " +
                                              remedy);
}

/// One letter an axis, slowest first.
std::string chooseAxes(const std::vector<std::int64_t>& shape, const std::string& wanted, const std::string& where) {
    const auto axes = shape.size();
    if (!wanted.empty()) {
        if (wanted != "yx" && wanted != "zyx" && wanted != "yxc" && wanted != "zyxc") {
            throw Error(Error::Kind::argument, "axes '" + wanted.substr(0, 16) + "': choose yx, zyx, yxc or zyxc");
        }
        if (wanted.size() != axes) {
            throw Error(Error::Kind::argument, where + ": axes '" + wanted + "' do not fit an array of " +
                                                   std::to_string(axes) + " axes: leave --axes out or reshape it");
        }
        return wanted;
    }
    switch (axes) {
        case 2: return "yx";
        case 3: return shape[2] == 3 || shape[2] == 4 ? "yxc" : "zyx";
        case 4: return "zyxc";
        default:
            throw Error(Error::Kind::unsupported, where + ": an array of " + std::to_string(axes) +
                                                      " axes is no picture or volume: reshape it to 2, 3 or 4 axes");
    }
}

Shape shapeOf(const std::vector<std::int64_t>& extents, const std::string& axes, const std::string& where) {
    Shape shape;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        switch (axes[i]) {
            case 'x': shape.width = extents[i]; break;
            case 'y': shape.height = extents[i]; break;
            case 'z': shape.depth = extents[i]; break;
            default:
                if (extents[i] != 1 && extents[i] != 3 && extents[i] != 4) {
                    throw Error(Error::Kind::unsupported, where + ": " + std::to_string(extents[i]) +
                                                              " channels; Warplens works on 1, 3 or 4: select some, "
                                                              "or say --axes zyx if it is a volume");
                }
                shape.channels = static_cast<int>(extents[i]);
        }
    }
    return shape;
}

/// Calls use(bytes, count) for the stored values in the file's order, in the host's byte order.
template <class Use>
void eachChunk(std::size_t values, const DType& dtype, const Fill& fill, Use use) {
    const auto size = dtype.size();
    std::vector<std::byte> chunk(std::min(values, kChunkValues) * size);
    for (std::size_t done = 0; done < values;) {
        const auto count = std::min(chunk.size() / size, values - done);
        const std::span bytes(chunk.data(), count * size);
        fill(bytes);
        if (dtype.swap) swapBytes(bytes, size);
        use(bytes, count);
        done += count;
    }
}

/// C order: the file's order is ours.
void readStraight(Grid& grid, const DType& dtype, Conversion& conversion, const Fill& fill) {
    if (conversion.plain()) {
        fill({grid.data(), grid.bytes()});
        if (dtype.swap) swapBytes({grid.data(), grid.bytes()}, dtype.size());
        return;
    }
    const auto held = sizeOf(grid.type());
    auto* to = grid.data();
    eachChunk(grid.bytes() / held, dtype, fill, [&](std::span<const std::byte> bytes, std::size_t count) {
        conversion.run(bytes.data(), 1, to, 1, static_cast<std::int64_t>(count));
        to += count * held;
    });
}

/// Fortran order: the first axis is fastest, so each value is put where it belongs.
void readTransposed(Grid& grid, const DType& dtype, Conversion& conversion, const std::vector<std::int64_t>& extents,
                    const std::string& axes, const Fill& fill) {
    const auto& s = grid.shape();
    std::vector<std::int64_t> strides;
    for (const char axis : axes) {
        strides.push_back(axis == 'c' ? 1
                                      : s.channels * (axis == 'x'   ? 1
                                                      : axis == 'y' ? s.width
                                                                    : s.width * s.height));
    }
    const auto held = sizeOf(grid.type());
    std::vector<std::byte> converted;
    std::vector<std::int64_t> position(axes.size(), 0);
    std::int64_t target = 0;
    eachChunk(grid.bytes() / held, dtype, fill, [&](std::span<const std::byte> bytes, std::size_t count) {
        if (!conversion.plain()) {
            converted.resize(count * held);
            conversion.run(bytes.data(), 1, converted.data(), 1, static_cast<std::int64_t>(count));
            bytes = converted;
        }
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(grid.data() + static_cast<std::size_t>(target) * held, &bytes[i * held], held);
            for (std::size_t axis = 0; axis < axes.size(); ++axis) {
                target += strides[axis];
                if (++position[axis] < extents[axis]) break;
                target -= strides[axis] * extents[axis];
                position[axis] = 0;
            }
        }
    });
}

[[noreturn]] void refuseTruncated(const std::string& where, const std::string& what) {
    throw Error(Error::Kind::unreadable, where + ": " + what + ": the file is truncated, copy it again");
}

/// What stands before the values, and where they begin.
std::pair<NpyHeader, std::int64_t> readHeader(std::int64_t fileBytes, const Fill& fill, const std::string& where) {
    const auto truncated = [&where](const std::string& what) { refuseTruncated(where, what); };
    std::array<std::byte, 12> preamble{};
    if (fileBytes < 10) truncated("no room for an NPY header");
    fill(std::span(preamble).first(10));
    const auto byteAt = [&](std::size_t i) { return std::to_integer<std::uint32_t>(preamble[i]); };
    if (!isNpy(preamble) || byteAt(6) < 1 || byteAt(6) > 3) {
        throw Error(Error::Kind::unsupported,
                    where + ": not an NPY file of version 1, 2 or 3: save it with numpy.save");
    }
    std::uint32_t length = byteAt(8) | byteAt(9) << 8;
    std::int64_t start = 10;
    if (byteAt(6) > 1) {
        start = 12;
        if (fileBytes < start) truncated("no room for an NPY header");
        fill(std::span(preamble).subspan(10));
        length |= byteAt(10) << 16 | byteAt(11) << 24;
    }
    if (length > kLongestHeader) {
        throw Error(Error::Kind::unreadable, where + ": an NPY header of " + std::to_string(length) +
                                                 " bytes: save the array again with numpy.save");
    }
    if (start + length > fileBytes) truncated("the NPY header does not fit the file");
    std::string text(length, '\0');
    fill(std::as_writable_bytes(std::span(text)));

    return {parseNpyHeader(text, where), start + length};
}

Grid read(std::int64_t fileBytes, const Fill& fill, const ReadOptions& options, const std::string& where) {
    if (fileBytes > options.limits.fileBytes) {
        throw Error(Error::Kind::limit, where + ": the file is over the limit of " +
                                            std::to_string(options.limits.fileBytes) + " bytes: crop it first");
    }
    const auto [header, start] = readHeader(fileBytes, fill, where);
    const auto dtype = parseDType(header.dtype, where);
    const auto axes = chooseAxes(header.shape, options.axes, where);
    const auto shape = shapeOf(header.shape, axes, where);
    Conversion conversion(dtype.stored, where);
    options.limits.check(shape, conversion.held(), where);
    const auto expected = shape.values() * static_cast<std::int64_t>(dtype.size());
    const auto present = fileBytes - start;
    if (present < expected) {
        refuseTruncated(where,
                        std::to_string(expected) + " bytes of values expected, " + std::to_string(present) + " found");
    }

    Grid grid(shape, conversion.held());
    if (header.fortranOrder) {
        readTransposed(grid, dtype, conversion, header.shape, axes, fill);
    } else {
        readStraight(grid, dtype, conversion, fill);
    }
    grid.metadata.format = "npy";
    conversion.tell(grid.metadata);
    if (present > expected) {
        grid.metadata.notes.push_back(std::to_string(present - expected) +
                                      " bytes after the first array were not read");
    }
    return grid;
}

}  // namespace

bool isNpy(std::span<const std::byte> head) {
    return head.size() >= 6 && std::memcmp(head.data(), "\x93NUMPY", 6) == 0;
}

std::string axesThatFit(const std::string& path, const std::string& axes) {
    std::error_code ignored;
    if (axes.empty() || !std::filesystem::is_regular_file(path, ignored)) return {};
    InputFile file(path);
    if (!isNpy(file.head(16))) return {};
    const auto fill = [&file](std::span<std::byte> out) { file.readExactly(out); };
    const auto shape = readHeader(file.size(), fill, path).first.shape;
    const bool channels = axes.ends_with('c');
    const auto last = shape.empty() ? 0 : shape.back();
    return shape.size() == axes.size() && (!channels || last == 1 || last == 3 || last == 4) ? axes : std::string();
}

Grid readNpy(InputFile& file, const ReadOptions& options) {
    auto grid = read(
        file.size(), [&](std::span<std::byte> out) { file.readExactly(out, options.stop); }, options, file.path());
    file.checkUnchanged();
    return grid;
}

Grid decodeNpy(std::span<const std::byte> file, const ReadOptions& options, const std::string& where) {
    std::size_t position = 0;
    const auto fill = [&](std::span<std::byte> out) {
        if (out.empty()) return;
        std::memcpy(out.data(), file.data() + position, out.size());  // sizes were checked against the file's
        position += out.size();
    };
    return read(static_cast<std::int64_t>(file.size()), fill, options, where);
}

void encodeNpy(const Grid& grid, const std::function<void(std::span<const std::byte>)>& sink) {
    const auto& s = grid.shape();
    const bool narrow = savesAsI16(grid);
    NpyHeader header;
    const std::string_view type = narrow ? "i16" : nameOf(grid.type());
    const auto* dtype = std::ranges::find_if(kDTypes, [&](const DType& d) { return type == d.stored; });
    header.dtype = (dtype->size() == 1 ? "|" : "<") + std::string(dtype->name);
    if (s.depth > 1) header.shape.push_back(s.depth);
    header.shape.push_back(s.height);
    header.shape.push_back(s.width);
    if (s.channels > 1 || (s.depth > 1 && (s.width == 3 || s.width == 4))) header.shape.push_back(s.channels);
    const auto text = formatNpyHeader(header);
    sink(std::as_bytes(std::span(text)));
    if (!narrow) return sink({grid.data(), grid.bytes()});

    const auto values = grid.bytes() / sizeof(float);
    std::vector<std::int16_t> chunk(std::min(values, kChunkValues));
    for (std::size_t done = 0; done < values;) {
        const auto count = std::min(chunk.size(), values - done);
        narrowToI16(grid.as<float>() + done, chunk.data(), count);
        sink(std::as_bytes(std::span(chunk.data(), count)));
        done += count;
    }
}

}  // namespace warplens::io
