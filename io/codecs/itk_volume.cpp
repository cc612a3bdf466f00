// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/itk_volume.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"

#include <algorithm>
#include <array>
#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>
#include <string_view>

namespace warplens::io::codecs {
namespace {

using Component = itk::IOComponentEnum;

itk::ImageIOBase::Pointer makeIo(ItkFormat format) {
    switch (format) {
        case ItkFormat::nrrd: return itk::NrrdImageIO::New().GetPointer();
        case ItkFormat::meta: return itk::MetaImageIO::New().GetPointer();
        case ItkFormat::nifti: return itk::NiftiImageIO::New().GetPointer();
    }
    return nullptr;
}

/// What ITK says, without the address of its object and its line breaks.
std::string plain(const itk::ExceptionObject& error) {
    std::string text = error.GetDescription();
    if (const auto address = text.find("(0x"); address != std::string::npos) {
        if (const auto end = text.find("): ", address); end != std::string::npos) text.erase(0, end + 3);
    }
    if (const auto end = text.find('\n'); end != std::string::npos && end > 0) text.resize(end);
    return text;
}

std::string typeOf(const itk::ImageIOBase& io) {
    switch (io.GetComponentType()) {
        case Component::UCHAR: return "u8";
        case Component::CHAR: return "i8";
        case Component::USHORT: return "u16";
        case Component::SHORT: return "i16";
        case Component::UINT: return "u32";
        case Component::INT: return "i32";
        case Component::ULONG:
        case Component::ULONGLONG: return "u64";
        case Component::LONG:
        case Component::LONGLONG: return "i64";
        case Component::FLOAT: return "f32";
        case Component::DOUBLE: return "f64";
        default: return "";
    }
}

/// The volume in the file: three axes, frames beyond them or within a pixel.
struct Layout {
    Shape shape;
    std::int64_t frames = 1;
    std::int64_t frame = 0;     ///< the one wanted, from 0
    std::int64_t together = 1;  ///< values a pixel in the file
    bool framesInPixels = false;
};

Layout layoutOf(const itk::ImageIOBase& io, const ItkRequest& request, const Source& source) {
    Layout l;
    std::array<std::int64_t*, 3> extents{&l.shape.width, &l.shape.height, &l.shape.depth};
    l.shape.height = 1;
    for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis) {
        const auto size = static_cast<std::int64_t>(io.GetDimensions(axis));
        if (axis < 3) {
            *extents[axis] = size;
        } else {
            l.frames = checkedMultiply(l.frames, size, "the number of frames");
        }
    }
    l.together = io.GetNumberOfComponents();
    if (l.together != 1 && l.together != 3 && l.together != 4) {
        if (l.frames > 1) {
            unsupported(source.where,
                        std::string("a ") + request.title + " with several frames and " + std::to_string(l.together) +
                            " values per pixel",
                        "select some of them first");
        }
        l.framesInPixels = true;
        l.frames = l.together;
    } else {
        l.shape.channels = static_cast<int>(l.together);
    }
    if (source.frame < 0 || source.frame > l.frames) {
        throw Error(Error::Kind::argument, source.where + ": there is no frame " + std::to_string(source.frame) +
                                               ": choose 1 to " + std::to_string(l.frames));
    }
    l.frame = std::max(source.frame, 1) - 1;
    return l;
}

void askForAll(itk::ImageIOBase& io) {
    itk::ImageIORegion region(io.GetNumberOfDimensions());
    for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis) region.SetSize(axis, io.GetDimensions(axis));
    io.SetIORegion(region);
}

Geometry geometryOf(const itk::ImageIOBase& io) {
    const auto axes = std::min(io.GetNumberOfDimensions(), 3U);
    Geometry g;
    for (unsigned axis = 0; axis < axes; ++axis) {
        g.spacing[axis] = io.GetSpacing(axis);
        g.origin[axis] = io.GetOrigin(axis);
        const auto direction = io.GetDirection(axis);
        for (unsigned row = 0; row < std::min<std::size_t>(axes, direction.size()); ++row) {
            g.direction[3 * row + axis] = direction[row];
        }
    }
    return g;
}

Grid read(itk::ImageIOBase& io, const ItkRequest& request, const Source& source) {
    io.SetFileName(source.path);
    io.ReadImageInformation();
    const auto type = typeOf(io);
    if (type.empty())
        unsupported(source.where, std::string(request.title) + " values of this type", "convert them to float");
    const auto l = layoutOf(io, request, source);
    const auto all = checkedMultiply(checkedMultiply(l.shape.pixels(), l.framesInPixels ? 1 : l.frames, "the size"),
                                     l.together, "the number of values");
    if (request.values > 0 && all != request.values) {
        damaged(source.where, request.title, "its header can be read in two ways");
    }
    // With several values a pixel ITK gives NRRD a buffer of the wrong extents when it takes the pixel for a scalar.
    if (l.together > 1 && io.GetPixelType() == itk::IOPixelEnum::SCALAR && request.format == ItkFormat::nrrd) {
        unsupported(source.where, "an NRRD with several scalars per pixel", "give that axis the kind vector");
    }
    const auto held = convertedType(type);
    source.limits.check(l.shape, held, source.where);

    askForAll(io);
    const auto bytes = checkedMultiply(all, bytesOfType(type), "the size in bytes");
    if (bytes > source.limits.bytes) {
        throw Error(Error::Kind::limit, source.where + ": its frames are over the limit of " +
                                            std::to_string(source.limits.bytes) + " bytes together: split the file");
    }
    std::vector<std::byte> buffer;
    if (request.load) {
        buffer = request.load();
        if (static_cast<std::int64_t>(buffer.size()) != bytes) {
            damaged(source.where, request.title, "its header can be read in two ways");
        }
    }
    Grid grid(l.shape, held);
    if (!request.load && all == l.shape.values() && nameOf(grid.type()) == type) {
        io.Read(grid.data());
    } else {
        if (!request.load) {
            buffer.resize(static_cast<std::size_t>(bytes));
            io.Read(buffer.data());
        }
        const auto pick = l.framesInPixels ? Pick{l.frame, l.together} : Pick{l.frame * l.shape.values(), 1};
        convertValues(buffer, type, pick, grid, source.where);
    }
    grid.geometry = geometryOf(io);
    tidyGeometry(grid);
    if (type != nameOf(grid.type())) grid.metadata.sourceType = type;
    if (l.frames > 1) {
        grid.metadata.pages = static_cast<int>(std::min<std::int64_t>(l.frames, 1 << 30));
        grid.metadata.page = static_cast<int>(l.frame) + 1;
        grid.metadata.notes.push_back("frame " + std::to_string(l.frame + 1) + " of " + std::to_string(l.frames) +
                                      " was read");
    }
    return grid;
}

}  // namespace

Grid readWithItk(const ItkRequest& request, const Source& source) {
    if (source.path.empty()) {
        unsupported(source.where, std::string(request.title) + " that is no file", "save it to a file first");
    }
    try {
        const auto io = makeIo(request.format);
        return read(*io, request, source);
    } catch (const itk::ExceptionObject& error) {
        damaged(source.where, request.title, plain(error));
    }
}

Geometry readItkGeometry(const ItkRequest& request, const Source& source) {
    try {
        const auto io = makeIo(request.format);
        io->SetFileName(source.path);
        io->ReadImageInformation();
        return geometryOf(*io);
    } catch (const itk::ExceptionObject& error) {
        damaged(source.where, request.title, plain(error));
    }
}

}  // namespace warplens::io::codecs
