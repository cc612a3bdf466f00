// SPDX-License-Identifier: Apache-2.0
// Written here, since libraries of this format write to files, and the codec process may write none.
#include "io/codecs/formats.hpp"
#include "io/codecs/meta_header.hpp"
#include "io/codecs/stored_values.hpp"
#include "io/source_type.hpp"
#include "io/text.hpp"

namespace warplens::io::codecs {

std::vector<std::byte> encodeMeta(const Grid& grid, const std::string& /*where*/, const EncodeOptions& /*options*/) {
    const auto& s = grid.shape();
    const auto& g = grid.geometry;
    const bool narrow = savesAsI16(grid);
    std::string text =
        "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
        "CompressedData = False\nTransformMatrix =";
    // One axis after the other: the columns of the direction.
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t row = 0; row < 3; ++row) text += " " + formatNumber(g.direction[3 * row + axis]);
    }
    text += "\nOffset =";
    for (const auto v : g.origin) text += " " + formatNumber(v);
    text += "\nElementSpacing =";
    for (const auto v : g.spacing) text += " " + formatNumber(v);
    text += "\nDimSize = " + std::to_string(s.width) + " " + std::to_string(s.height) + " " + std::to_string(s.depth);
    if (s.channels > 1) text += "\nElementNumberOfChannels = " + std::to_string(s.channels);
    text += "\nElementType = " + std::string(metaNameOf(savedType(grid)));
    text += "\nElementDataFile = LOCAL\n";
    const auto header = std::as_bytes(std::span(text));
    std::vector<std::byte> file(header.begin(), header.end());
    file.reserve(file.size() + grid.bytes());
    eachStoredPiece(grid, narrow,
                    [&](std::span<const std::byte> piece) { file.insert(file.end(), piece.begin(), piece.end()); });
    return file;
}

}  // namespace warplens::io::codecs
