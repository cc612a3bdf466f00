// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/tiff_stream.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace warplens::io::codecs {
namespace {

TiffStream& streamOf(thandle_t handle) { return *static_cast<TiffStream*>(handle); }

std::uint64_t sizeOf(const TiffStream& stream) { return stream.writing ? stream.output.size() : stream.input.size(); }

tmsize_t onRead(thandle_t handle, void* out, tmsize_t size) {
    auto& stream = streamOf(handle);
    const auto left = sizeOf(stream) - std::min(stream.position, sizeOf(stream));
    const auto count = std::min(static_cast<std::uint64_t>(std::max<tmsize_t>(size, 0)), left);
    const auto* from = stream.writing ? stream.output.data() : stream.input.data();
    if (count > 0) std::memcpy(out, from + stream.position, count);
    stream.position += count;
    return static_cast<tmsize_t>(count);
}

tmsize_t onWrite(thandle_t handle, void* bytes, tmsize_t size) {
    auto& stream = streamOf(handle);
    if (!stream.writing || size < 0) return 0;
    const auto count = static_cast<std::size_t>(size);
    try {
        if (stream.output.size() < stream.position + count) stream.output.resize(stream.position + count);
    } catch (...) {
        return 0;  // an exception must not pass through C; libtiff reports the failed write
    }
    std::memcpy(stream.output.data() + stream.position, bytes, count);
    stream.position += count;
    return size;
}

toff_t onSeek(thandle_t handle, toff_t offset, int from) {
    auto& stream = streamOf(handle);
    const auto base = from == SEEK_CUR ? stream.position : from == SEEK_END ? sizeOf(stream) : 0;
    stream.position = base + offset;
    return stream.position;
}

int onClose(thandle_t) { return 0; }

toff_t onSize(thandle_t handle) { return sizeOf(streamOf(handle)); }

int onError(TIFF*, void* user, const char*, const char* format, va_list arguments) {
    auto& stream = *static_cast<TiffStream*>(user);
    if (!stream.error.empty()) return 1;
    std::array<char, 200> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    try {
        stream.error = text[0] == '\0' ? "unknown error" : text.data();
    } catch (...) {
        return 1;  // short of memory for the message alone: the failed call still tells
    }
    return 1;
}

int onWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

}  // namespace

TiffHandle openTiff(TiffStream& stream, const char* mode, std::int64_t largest) {
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                               TIFFOpenOptionsFree);
    if (!options) return nullptr;
    stream.writing = mode[0] == 'w';
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), onError, &stream);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), onWarning, &stream);
    return TiffHandle(TIFFClientOpenExt("memory", mode, &stream, onRead, onWrite, onSeek, onClose, onSize, nullptr,
                                        nullptr, options.get()));
}

}  // namespace warplens::io::codecs
