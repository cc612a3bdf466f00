// SPDX-License-Identifier: Apache-2.0
#include "io/write.hpp"

#include "io/atomic_file.hpp"
#include "io/codec_client.hpp"
#include "io/csv.hpp"
#include "io/error.hpp"
#include "io/file_turn.hpp"
#include "io/format.hpp"
#include "io/npy.hpp"

#include <algorithm>
#include <functional>
#include <new>

namespace warplens::io {
namespace {

/// Between two of them a stop is noticed.
constexpr std::size_t kPiece = 8 << 20;

using Sink = std::function<void(std::span<const std::byte>)>;

/// "PNG" and ".png" alike become "png".
std::string formatName(const std::string& text) {
    std::string name = text.starts_with('.') ? text.substr(1) : text;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    return name;
}

void encodeInto(const Grid& grid, const std::string& format, const std::string& where, const WriteOptions& options,
                const Sink& sink) {
    if (grid.empty()) throw Error(Error::Kind::unwritable, where + ": there is no picture to write: open one first");
    if (const Format* known = formatNamed(format); options.fit && known != nullptr) {
        const auto fit = fitFor(*known, grid, *options.fit);
        if (fit && fit->changes) {
            WriteOptions plain = options;
            plain.fit.reset();
            return encodeInto(fitted(grid, *fit), format, where, plain, sink);
        }
    }
    if (format.empty()) {
        throw Error(Error::Kind::unsupported,
                    where + ": the name does not say which format: end it in " + writtenExtensions());
    }
    try {
        if (format == "npy") {
            encodeNpy(grid, sink);
        } else if (format == "csv") {
            const std::string text = toCsv(grid, where);
            sink(std::as_bytes(std::span(text)));
        } else {
            encodeWithCodec(grid, format, where, options.encode, sink, options.stop);
        }
    } catch (const std::bad_alloc&) {
        throw Error(Error::Kind::unwritable, where + ": not enough memory: close other programs, or write .npy");
    }
}

}  // namespace

void write(const Grid& grid, const std::filesystem::path& path, const WriteOptions& options) {
    const FileTurn turn(path.string(), options.stop);
    AtomicFile file(path);
    encodeInto(grid, formatName(path.extension().string()), path.string(), options,
               [&](std::span<const std::byte> bytes) {
                   while (!bytes.empty()) {
                       if (options.stop.stop_requested())
                           throw Error(Error::Kind::cancelled, path.string() + ": cancelled");
                       const auto piece = bytes.first(std::min(bytes.size(), kPiece));
                       file.write(piece);
                       bytes = bytes.subspan(piece.size());
                   }
               });
    file.commit();
}

std::vector<std::byte> encode(const Grid& grid, const std::string& format, const WriteOptions& options) {
    std::vector<std::byte> bytes;
    const auto name = formatName(format);
    encodeInto(grid, name, name, options,
               [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

void writeFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void writeFileAtomically(const std::filesystem::path& path, const std::string& text) {
    writeFileAtomically(path, std::as_bytes(std::span(text)));
}

}  // namespace warplens::io
