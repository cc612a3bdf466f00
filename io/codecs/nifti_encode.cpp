// SPDX-License-Identifier: Apache-2.0
// Written here, since libraries of this format write to files, and the codec process may write none.
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/nifti_header.hpp"
#include "io/codecs/stored_values.hpp"
#include "io/error.hpp"
#include "io/source_type.hpp"

#include <array>
#include <cstring>
#include <limits>

namespace warplens::io::codecs {
namespace {

// The header, and four bytes that say that nothing follows it.
constexpr std::size_t kValuesAt = kNiftiHeaderBytes + 4;

/// A header that is filled field by field.
class Head {
public:
    explicit Head(std::vector<std::byte>& bytes) : m_bytes(bytes) {}

    template <class T>
    void put(std::size_t at, T value) {
        std::memcpy(&m_bytes[at], &value, sizeof(T));
    }
    void shortAt(std::size_t at, std::int64_t value) { put(at, static_cast<std::int16_t>(value)); }
    void floatAt(std::size_t at, double value) { put(at, static_cast<float>(value)); }

private:
    std::vector<std::byte>& m_bytes;
};

/// Where the volume lies: rows of the matrix from voxels to mm, in right-anterior-superior.
void putPlace(Head& head, const Geometry& g) {
    constexpr std::array<double, 3> kToRas{-1, -1, 1};
    head.floatAt(76, 1);
    for (std::size_t axis = 0; axis < 3; ++axis) head.floatAt(80 + 4 * axis, g.spacing[axis]);
    head.put<std::int8_t>(123, 2);  // mm
    head.shortAt(254, 1);           // the matrix below counts
    for (std::size_t row = 0; row < 3; ++row) {
        const auto at = 280 + 16 * row;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            head.floatAt(at + 4 * axis, kToRas[row] * g.direction[3 * row + axis] * g.spacing[axis]);
        }
        head.floatAt(at + 12, kToRas[row] * g.origin[row]);
    }
}

}  // namespace

std::vector<std::byte> encodeNifti(const Grid& grid, const std::string& where, const EncodeOptions& /*options*/) {
    const auto& s = grid.shape();
    constexpr std::int64_t kLongest = std::numeric_limits<std::int16_t>::max();
    if (s.width > kLongest || s.height > kLongest || s.depth > kLongest) {
        throw Error(Error::Kind::unwritable, where + ": a NIfTI has " + std::to_string(kLongest) +
                                                 " values per side at most: write .nrrd instead");
    }
    const auto type = savedType(grid);
    std::vector<std::byte> file(kValuesAt);
    Head head(file);
    head.put<std::int32_t>(0, kNiftiHeaderBytes);
    head.shortAt(40, 3);
    const std::array<std::int64_t, 7> extents{s.width, s.height, s.depth, 1, 1, 1, 1};
    for (std::size_t i = 0; i < extents.size(); ++i) head.shortAt(42 + 2 * i, extents[i]);
    head.shortAt(70, niftiCodeOf(type, s.channels));
    head.shortAt(72, 8 * bytesOfType(type) * s.channels);
    head.floatAt(108, kValuesAt);
    head.floatAt(112, 1);  // slope: the values are meant as they are
    putPlace(head, grid.geometry);
    std::memcpy(&file[344], "n+1", 4);
    file.reserve(kValuesAt + grid.bytes());
    eachStoredPiece(grid, savesAsI16(grid),
                    [&](std::span<const std::byte> piece) { file.insert(file.end(), piece.begin(), piece.end()); });
    return file;
}

}  // namespace warplens::io::codecs
