// SPDX-License-Identifier: Apache-2.0
#include "io/codec_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace warplens::io::protocol {
namespace {

constexpr std::uint32_t kMagic = 0x32434c57;  // "WLC2"
constexpr std::size_t kMostNotes = 32;
constexpr std::size_t kMostSeries = 1000;

[[noreturn]] void malformed(const char* what) {
    throw Error(Error::Kind::unreadable, std::string("warplens-codec sent a malformed message (") + what +
                                             "): check that it is of the same version");
}

class Writer {
public:
    template <class T>
    requires std::is_arithmetic_v<T>
    void put(T value) {
        const auto at = m_bytes.size();
        m_bytes.resize(at + sizeof(T));
        std::memcpy(&m_bytes[at], &value, sizeof(T));
    }
    void put(std::span<const std::byte> bytes) {
        put<std::uint64_t>(bytes.size());
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }
    void put(const std::string& text) { put(std::as_bytes(std::span(text))); }
    std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    std::vector<std::byte> m_bytes;
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    template <class T>
    requires std::is_arithmetic_v<T> T get() {
        T value{};
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::vector<std::byte> bytes() {
        const auto size = get<std::uint64_t>();
        if (size > m_bytes.size()) malformed("too short");
        const auto part = take(static_cast<std::size_t>(size));
        return {part.begin(), part.end()};
    }
    std::string raw() {
        const auto content = bytes();
        return {reinterpret_cast<const char*>(content.data()), content.size()};
    }
    std::string text() { return oneLine(raw()); }
    double finite() {
        const auto value = get<double>();
        if (!std::isfinite(value)) malformed("a number that is not finite");
        return value;
    }
    void end() const {
        if (!m_bytes.empty()) malformed("too long");
    }

private:
    std::span<const std::byte> take(std::size_t count) {
        if (count > m_bytes.size()) malformed("too short");
        const auto part = m_bytes.first(count);
        m_bytes = m_bytes.subspan(count);
        return part;
    }
    std::span<const std::byte> m_bytes;
};

void put(Writer& w, const Limits& limits) {
    for (const auto v :
         {limits.side, limits.pixels, limits.plane, limits.bytes, limits.fileBytes, limits.metadataBytes}) {
        w.put(v);
    }
}

Limits getLimits(Reader& r) {
    Limits limits;
    for (auto* v :
         {&limits.side, &limits.pixels, &limits.plane, &limits.bytes, &limits.fileBytes, &limits.metadataBytes}) {
        *v = r.get<std::int64_t>();
        if (*v < 0) malformed("a negative limit");
    }
    return limits;
}

void put(Writer& w, const PictureHeader& h) {
    w.put(h.shape.width);
    w.put(h.shape.height);
    w.put(h.shape.depth);
    w.put(static_cast<std::int32_t>(h.shape.channels));
    w.put(static_cast<std::uint8_t>(h.type));
    for (const auto v : h.geometry.spacing) w.put(v);
    for (const auto v : h.geometry.origin) w.put(v);
    for (const auto v : h.geometry.direction) w.put(v);
    w.put(h.metadata.format);
    w.put(h.metadata.sourceType);
    w.put(static_cast<std::int32_t>(h.metadata.pages));
    w.put(static_cast<std::int32_t>(h.metadata.page));
    const auto series = std::min(h.metadata.series.size(), kMostSeries);
    w.put(static_cast<std::uint64_t>(series));
    for (std::size_t i = 0; i < series; ++i) {
        w.put(h.metadata.series[i].uid);
        w.put(h.metadata.series[i].description);
        w.put(static_cast<std::int32_t>(h.metadata.series[i].files));
    }
    const auto notes = std::min(h.metadata.notes.size(), kMostNotes);
    w.put(static_cast<std::uint64_t>(notes));
    for (std::size_t i = 0; i < notes; ++i) w.put(h.metadata.notes[i]);
    w.put(std::span<const std::byte>(h.metadata.iccProfile));
    w.put(std::span<const std::byte>(h.metadata.exif));
    w.put(static_cast<std::uint8_t>(h.metadata.dpi.has_value()));
    for (const auto v : h.metadata.dpi.value_or(std::array<double, 2>{})) w.put(v);
}

PictureHeader getPictureHeader(Reader& r) {
    PictureHeader h;
    h.shape.width = r.get<std::int64_t>();
    h.shape.height = r.get<std::int64_t>();
    h.shape.depth = r.get<std::int64_t>();
    h.shape.channels = r.get<std::int32_t>();
    const auto type = r.get<std::uint8_t>();
    if (type > static_cast<std::uint8_t>(PixelType::i32)) malformed("an unknown type");
    h.type = static_cast<PixelType>(type);
    for (auto& v : h.geometry.spacing) v = r.finite();
    for (auto& v : h.geometry.origin) v = r.finite();
    for (auto& v : h.geometry.direction) v = r.finite();
    h.metadata.format = r.text();
    h.metadata.sourceType = r.text();
    h.metadata.pages = r.get<std::int32_t>();
    if (h.metadata.pages < 1) malformed("no page");
    h.metadata.page = r.get<std::int32_t>();
    if (h.metadata.page < 0 || h.metadata.page > h.metadata.pages) malformed("a page that is not there");
    const auto series = r.get<std::uint64_t>();
    if (series > kMostSeries) malformed("too many series");
    for (std::uint64_t i = 0; i < series; ++i) {
        Series one;
        one.uid = r.text();
        one.description = r.text();
        one.files = r.get<std::int32_t>();
        h.metadata.series.push_back(std::move(one));
    }
    const auto notes = r.get<std::uint64_t>();
    if (notes > kMostNotes) malformed("too many notes");
    for (std::uint64_t i = 0; i < notes; ++i) h.metadata.notes.push_back(r.text());
    h.metadata.iccProfile = r.bytes();
    h.metadata.exif = r.bytes();
    const bool dpi = r.get<std::uint8_t>() != 0;
    const std::array<double, 2> resolution{r.finite(), r.finite()};
    if (dpi) h.metadata.dpi = resolution;
    return h;
}

}  // namespace

std::array<std::byte, kHeaderBytes> pack(const MessageHeader& header) {
    std::array<std::byte, kHeaderBytes> bytes{};
    const auto kind = static_cast<std::uint32_t>(header.kind);
    std::memcpy(&bytes[0], &kMagic, 4);
    std::memcpy(&bytes[4], &kind, 4);
    std::memcpy(&bytes[8], &header.bodyBytes, 8);
    return bytes;
}

MessageHeader unpackHeader(std::span<const std::byte> bytes) {
    Reader r(bytes);
    MessageHeader header;
    if (r.get<std::uint32_t>() != kMagic) malformed("no header");
    const auto kind = r.get<std::uint32_t>();
    if (kind < 1 || kind > static_cast<std::uint32_t>(Kind::format)) malformed("an unknown kind");
    header.kind = static_cast<Kind>(kind);
    header.bodyBytes = r.get<std::uint64_t>();
    if (header.bodyBytes > kLongestBody) malformed("a body beyond the cap");
    return header;
}

std::vector<std::byte> pack(const DecodeRequest& request) {
    Writer w;
    w.put(request.path);
    w.put(static_cast<std::int32_t>(request.frame));
    w.put(request.series);
    put(w, request.limits);
    w.put(request.cpuSeconds);
    return w.take();
}

std::vector<std::byte> pack(const EncodeRequest& request) {
    Writer w;
    w.put(request.format);
    w.put(request.where);
    w.put(static_cast<std::uint8_t>(request.options.compress));
    w.put(static_cast<std::uint8_t>(request.options.quality));
    w.put(request.options.way);
    put(w, request.limits);
    w.put(request.cpuSeconds);
    put(w, request.picture);
    return w.take();
}

std::vector<std::byte> pack(const PictureHeader& header) {
    Writer w;
    put(w, header);
    return w.take();
}

std::vector<std::byte> pack(const Failure& failure) {
    Writer w;
    w.put(static_cast<std::uint8_t>(failure.kind));
    w.put(oneLine(failure.message));
    return w.take();
}

std::vector<std::byte> pack(std::uint64_t size) {
    Writer w;
    w.put(size);
    return w.take();
}

std::vector<std::byte> pack(double fraction) {
    Writer w;
    w.put(fraction);
    return w.take();
}

std::vector<std::byte> packFormat(const std::string& title) {
    Writer w;
    w.put(title);
    return w.take();
}

DecodeRequest unpackDecodeRequest(std::span<const std::byte> body) {
    Reader r(body);
    DecodeRequest request;
    request.path = r.raw();
    request.frame = r.get<std::int32_t>();
    request.series = r.text();
    request.limits = getLimits(r);
    request.cpuSeconds = r.get<std::uint64_t>();
    r.end();
    return request;
}

EncodeRequest unpackEncodeRequest(std::span<const std::byte> body) {
    Reader r(body);
    EncodeRequest request;
    request.format = r.text();
    request.where = r.raw();
    request.options.compress = r.get<std::uint8_t>() != 0;
    request.options.quality = r.get<std::uint8_t>();
    if (request.options.quality < EncodeOptions::kLeastQuality || request.options.quality > EncodeOptions::kMostQuality)
        malformed("an unknown quality");
    request.options.way = r.text();
    request.limits = getLimits(r);
    request.cpuSeconds = r.get<std::uint64_t>();
    request.picture = getPictureHeader(r);
    r.end();
    return request;
}

PictureHeader unpackPictureHeader(std::span<const std::byte> body) {
    Reader r(body);
    auto header = getPictureHeader(r);
    r.end();
    return header;
}

Failure unpackFailure(std::span<const std::byte> body) {
    Reader r(body);
    Failure failure;
    const auto kind = r.get<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(Error::Kind::cancelled)) malformed("an unknown failure");
    failure.kind = static_cast<Error::Kind>(kind);
    failure.message = r.text();
    r.end();
    return failure;
}

std::uint64_t unpackSize(std::span<const std::byte> body) {
    Reader r(body);
    const auto size = r.get<std::uint64_t>();
    r.end();
    return size;
}

double unpackProgress(std::span<const std::byte> body) {
    Reader r(body);
    const auto fraction = r.finite();
    r.end();
    return std::clamp(fraction, 0.0, 1.0);
}

std::string unpackFormat(std::span<const std::byte> body) {
    Reader r(body);
    auto title = oneLine(r.raw(), 40);
    r.end();
    return title;
}

PictureHeader headerOf(const Grid& grid) { return {grid.shape(), grid.type(), grid.geometry, grid.metadata}; }

std::string oneLine(const std::string& text, std::size_t longest) {
    auto shown = text.substr(0, longest);
    std::replace_if(
        shown.begin(), shown.end(), [](unsigned char c) { return c < 32 || c == 127; }, '?');
    return shown;
}

}  // namespace warplens::io::protocol
