// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/tiff_directory.hpp"
#include "io/codecs/tiff_page.hpp"
#include "io/codecs/tiff_stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace warplens::io::codecs {
namespace {

// What LZW and deflate can do at most, rounded up. The compressions beyond that are rare in stacks, and bounded by the
// limits alone.
constexpr std::int64_t kMostRatio = 2000;

/// True when the pages are slices of one volume: of one size and type, and none a thumbnail. Leaves libtiff at any
/// page.
bool pagesAgree(TIFF* tiff, int pages) {
    const auto first = kindOfTiffPage(tiff);
    for (int page = 1; page < pages; ++page) {
        if (TIFFReadDirectory(tiff) != 1) return false;
        auto kind = kindOfTiffPage(tiff);
        kind.compression = first.compression;
        if (!(kind == first)) return false;
    }
    return !first.reduced;
}

void openPage(TIFF* tiff, const TiffStream& stream, int page, const Source& source) {
    if (TIFFSetDirectory(tiff, static_cast<tdir_t>(page - 1)) != 1) damaged(source.where, "TIFF", stream.error);
}

/// Every page becomes a slice, one after the other.
Grid readStack(TIFF* tiff, TiffStream& stream, int pages, const Source& source) {
    openPage(tiff, stream, 1, source);
    const auto compression = kindOfTiffPage(tiff).compression;
    auto first = readTiffPage(tiff, stream, source);
    auto shape = first.shape();
    shape.depth = pages;
    source.limits.check(shape, first.type(), source.where);
    const auto bytes = static_cast<std::int64_t>(first.bytes()) * pages;
    const bool bounded = compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE ||
                         compression == COMPRESSION_DEFLATE || compression == COMPRESSION_PACKBITS;
    // One page with its bits spread out may be eight times what is in the file.
    const auto most = compression == COMPRESSION_NONE ? 8 * source.fileBytes : kMostRatio * source.fileBytes;
    if ((bounded || compression == COMPRESSION_NONE) && bytes > most) {
        damaged(source.where, "TIFF", std::to_string(pages) + " pages cannot be in so small a file");
    }
    Grid stack(shape, first.type());
    std::memcpy(stack.data(), first.data(), first.bytes());
    stack.metadata = std::move(first.metadata);
    for (int page = 2; page <= pages; ++page) {
        source.tell(static_cast<double>(page - 1) / pages);
        openPage(tiff, stream, page, source);
        const auto slice = readTiffPage(tiff, stream, source);
        if (slice.bytes() * static_cast<std::size_t>(pages) != stack.bytes() || slice.type() != stack.type()) {
            damaged(source.where, "TIFF", "page " + std::to_string(page) + " differs from the first");
        }
        std::memcpy(stack.data() + slice.bytes() * static_cast<std::size_t>(page - 1), slice.data(), slice.bytes());
    }
    stack.metadata.pages = pages;
    stack.metadata.page = 0;
    return stack;
}

}  // namespace

bool isTiff(Bytes head) {
    constexpr std::array<std::array<unsigned char, 4>, 4> kSignatures{
        {{'I', 'I', 42, 0}, {'M', 'M', 0, 42}, {'I', 'I', 43, 0}, {'M', 'M', 0, 43}}};
    return std::any_of(kSignatures.begin(), kSignatures.end(), [&](const auto& s) { return startsWith(head, s); });
}

Grid decodeTiff(const Source& source) {
    const int pages = countTiffPages(source.file, source.where);
    if (source.frame < 0 || source.frame > pages) {
        throw Error(Error::Kind::argument, source.where + ": there is no page " + std::to_string(source.frame) +
                                               ": choose 1 to " + std::to_string(pages));
    }
    TiffStream stream;
    stream.input = source.file;
    const auto tiff = openTiff(stream, "rm", source.limits.bytes + (std::int64_t{64} << 20));
    if (!tiff) damaged(source.where, "TIFF", stream.error);
    if (source.frame == 0 && pages > 1 && pagesAgree(tiff.get(), pages))
        return readStack(tiff.get(), stream, pages, source);

    const int page = std::max(source.frame, 1);
    openPage(tiff.get(), stream, page, source);
    auto grid = readTiffPage(tiff.get(), stream, source);
    grid.metadata.pages = pages;
    grid.metadata.page = page;
    if (pages > 1) {
        grid.metadata.notes.push_back("page " + std::to_string(page) + " of " + std::to_string(pages) + " was read" +
                                      (source.frame == 0 ? ": they differ in size or type" : ""));
    }
    return grid;
}

}  // namespace warplens::io::codecs
