// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/pixel_type.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::io {

/// Extents of a picture (depth 1) or volume. Channels: 1, 3 (RGB) or 4 (RGBA).
struct Shape {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t depth = 1;
    int channels = 1;

    bool operator==(const Shape&) const = default;
    /// width x height x depth; throws Error(limit) when it does not fit 64 bits or an extent is negative.
    std::int64_t pixels() const;
    /// pixels() x channels; throws Error(limit) likewise.
    std::int64_t values() const;
};

/// Where a volume lies in space. Spacing and origin in mm; direction is 3 x 3, row-major: column i is the unit vector
/// along axis i. Coordinates are the file's; medical formats are brought to left-posterior-superior, as ITK does.
struct Geometry {
    std::array<double, 3> spacing{1, 1, 1};
    std::array<double, 3> origin{0, 0, 0};
    std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};

    bool operator==(const Geometry&) const = default;
};

/// One series of a folder of DICOM files.
struct Series {
    std::string uid;
    std::string description;  ///< as the scanner named it; may be empty
    int files = 0;

    bool operator==(const Series&) const = default;
};

/// What a file said besides its pixels; it survives a save where the format can hold it.
struct Metadata {
    std::string format;              ///< "png", "npy", "generated" ...
    std::string sourceType;          ///< type in the file: "u8", "u16", "i16", "f16", "f32", "u1" ...; empty: as stored
    int pages = 1;                   ///< pages or frames in the file
    int page = 1;                    ///< which of them was read, from 1; 0: all, as the slices of a volume
    std::vector<Series> series;      ///< what a folder of DICOM files holds; empty for all else
    std::vector<std::string> notes;  ///< what reading changed, one plain sentence each
    std::vector<std::byte> iccProfile;
    std::vector<std::byte> exif;  ///< as TIFF, without the six letters before it; its orientation is upright
    std::optional<std::array<double, 2>> dpi;
};

/// A picture or volume in memory: x fastest, then y, then z; channels interleaved. Move-only; clone() copies.
class Grid {
public:
    Grid() = default;
    /// Allocates, uninitialised. Throws Error(limit) when the size overflows, std::bad_alloc when memory is short.
    Grid(const Shape& shape, PixelType type);

    const Shape& shape() const { return m_shape; }
    PixelType type() const { return m_type; }
    std::size_t bytes() const { return m_bytes; }
    bool empty() const { return m_bytes == 0; }

    std::byte* data() { return m_data.get(); }
    const std::byte* data() const { return m_data.get(); }
    template <class T>
    T* as() {
        return reinterpret_cast<T*>(m_data.get());
    }
    template <class T>
    const T* as() const {
        return reinterpret_cast<const T*>(m_data.get());
    }

    /// Index of a value in as<T>(). No range check.
    std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z = 0, int channel = 0) const {
        return static_cast<std::size_t>(((z * m_shape.height + y) * m_shape.width + x) * m_shape.channels + channel);
    }
    /// The stored value as double, whatever the type. No range check.
    double value(std::int64_t x, std::int64_t y, std::int64_t z = 0, int channel = 0) const;
    void setValue(std::int64_t x, std::int64_t y, std::int64_t z, int channel, double value);

    /// The type to name to a user: metadata.sourceType, or the stored type.
    std::string sourceType() const { return metadata.sourceType.empty() ? nameOf(m_type) : metadata.sourceType; }
    Grid clone() const;

    Geometry geometry;
    Metadata metadata;

private:
    struct Free {
        void operator()(std::byte* p) const;
    };
    Shape m_shape;
    PixelType m_type = PixelType::u8;
    std::size_t m_bytes = 0;
    std::unique_ptr<std::byte, Free> m_data;
};

/// a * b; throws Error(limit) naming `what` on overflow or a negative factor.
std::int64_t checkedMultiply(std::int64_t a, std::int64_t b, const char* what);

}  // namespace warplens::io
