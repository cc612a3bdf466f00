// SPDX-License-Identifier: Apache-2.0
// NRRD, MetaImage and NIfTI: our own look at the header, then ITK.
#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/itk_volume.hpp"
#include "io/codecs/meta_header.hpp"
#include "io/codecs/meta_values.hpp"
#include "io/codecs/nifti_header.hpp"
#include "io/codecs/nifti_values.hpp"
#include "io/codecs/nrrd_bzip2.hpp"
#include "io/codecs/nrrd_header.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

namespace warplens::io::codecs {
namespace {

Grid readChecked(ItkFormat format, const char* title, const VolumeHeader& header, const Source& source,
                 std::function<std::vector<std::byte>()> load = {}) {
    checkBytes(header, title, source);
    auto grid = readWithItk({format, title, valuesOf(header, title, source.where), std::move(load)}, source);
    if (header.geometry) grid.geometry = *header.geometry;
    return grid;
}

std::string_view textOf(Bytes head, std::size_t count) {
    return {reinterpret_cast<const char*>(head.data()), std::min(head.size(), count)};
}

/// Whether the axes stand on each other as ITK asks it of a NIfTI.
bool rightAngles(const std::array<double, 9>& direction) {
    for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3;
        double product = 0;
        for (std::size_t row = 0; row < 3; ++row) product += direction[3 * row + a] * direction[3 * row + b];
        if (std::abs(product) > 1e-3) return false;
    }
    return true;
}

}  // namespace

bool isNrrd(Bytes head) {
    const auto text = textOf(head, 8);
    return text.size() == 8 && text.starts_with("NRRD000") && text[7] >= '1' && text[7] <= '5';
}

Grid decodeNrrd(const Source& source) {
    const auto header = parseNrrdHeader(source);
    if (header.packing != Packing::bzip2) return readChecked(ItkFormat::nrrd, "NRRD", header, source);
    // ITK's NRRD comes without bzip2.
    return readChecked(ItkFormat::nrrd, "NRRD", header, source, [&] { return readBzip2Values(header, source); });
}

bool isMeta(Bytes head) {
    // A text of fields, among them, early on, those that no other such text has.
    const auto text = textOf(head, 512);
    return (text.starts_with("ObjectType") || text.starts_with("NDims") || text.starts_with("Comment")) &&
           text.find("NDims") != std::string_view::npos;
}

Grid decodeMeta(const Source& source) {
    const auto header = parseMetaHeader(source);
    if (header.packing == Packing::plain) return readChecked(ItkFormat::meta, "MetaImage", header, source);
    return readChecked(ItkFormat::meta, "MetaImage", header, source, [&] { return readMetaValues(header, source); });
}

bool isNifti(Bytes file) {
    const auto head = niftiHead(file, kNiftiHeaderBytes);
    if (head.size() < kNiftiHeaderBytes) return false;
    const auto sized = [&](std::uint32_t bytes) {
        return littleEndian(head, 0, 4) == bytes || bigEndian(head, 0, 4) == bytes;
    };
    const auto marked = [&](std::size_t at, const char* magic) { return std::memcmp(&head[at], magic, 3) == 0; };
    return (sized(kNiftiHeaderBytes) && (marked(344, "n+1") || marked(344, "ni1"))) ||
           (sized(kNifti2HeaderBytes) && (marked(4, "n+2") || marked(4, "ni2")));
}

Grid decodeNifti(const Source& source) {
    const auto header = parseNiftiHeader(source);
    checkBytes(header, "NIfTI", source);
    auto grid = readNiftiValues(header, source);
    try {
        grid.geometry = readItkGeometry({ItkFormat::nifti, "NIfTI", 0}, source);
        if (header.affine && header.hasQform && !rightAngles(header.affine->direction))
            grid.metadata.notes.emplace_back("its affine matrix (sform) is sheared; its qform was read instead");
    } catch (const Error&) {
        // ITK takes right angles alone; the matrix says the rest.
        if (header.affine) {
            grid.geometry = *header.affine;
        } else {
            grid.geometry.spacing = header.spacing;
            grid.metadata.notes.emplace_back("its orientation is no rotation; only the spacing was read");
        }
    }
    tidyGeometry(grid);
    return grid;
}

}  // namespace warplens::io::codecs
