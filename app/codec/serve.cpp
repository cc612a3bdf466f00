// SPDX-License-Identifier: Apache-2.0
#include "app/codec/serve.hpp"

#include "app/codec/sandbox.hpp"
#include "io/codec_protocol.hpp"
#include "io/codecs/codec.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace warplens::codec {
namespace {

namespace protocol = io::protocol;
using io::Error;

// For the program itself, its libraries and their working memory.
constexpr std::int64_t kHeadroom = std::int64_t{256} << 20;
constexpr std::size_t kLargestTransfer = 1 << 30;

void receive(std::span<std::byte> buffer) {
    while (!buffer.empty()) {
        const auto got = ::read(STDIN_FILENO, buffer.data(), std::min(buffer.size(), kLargestTransfer));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::runtime_error("the request ended early");
        buffer = buffer.subspan(static_cast<std::size_t>(got));
    }
}

void send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto sent = ::write(STDOUT_FILENO, bytes.data(), std::min(bytes.size(), kLargestTransfer));
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) throw std::runtime_error("nobody takes the answer");
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

void reply(protocol::Kind kind, const std::vector<std::byte>& body, std::span<const std::byte> raw) {
    send(protocol::pack(protocol::Lead{kind, body.size()}));
    send(body);
    send(raw);
}

std::int64_t sizeOf(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_size : 0;
}

void decode(const protocol::DecodeRequest& request) {
    // The folder is that of the file itself, wherever a link to it may be.
    std::error_code unresolved;
    const auto real = std::filesystem::canonical(request.path, unresolved);
    const auto fileBytes = std::min(sizeOf(request.path), request.limits.fileBytes);
    enterSandbox({io::checkedMultiply(1, request.limits.bytes, "memory") + fileBytes + kHeadroom, request.cpuSeconds,
                  real.parent_path()});
    io::InputFile file(request.path);
    if (file.size() > request.limits.fileBytes) {
        throw Error(Error::Kind::limit, request.path + ": the file is over the limit of " +
                                            std::to_string(request.limits.fileBytes) + " bytes: crop it first");
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
    file.readExactly(bytes);
    file.checkUnchanged();
    const auto grid = io::codecs::decode(bytes, request.limits, request.path);
    reply(protocol::Kind::picture, protocol::pack(protocol::headerOf(grid)), {grid.data(), grid.bytes()});
}

void encode(const protocol::EncodeRequest& request) {
    const auto& picture = request.picture;
    request.limits.check(picture.shape, picture.type, request.where);
    const auto bytes = io::checkedMultiply(picture.shape.values(), static_cast<std::int64_t>(io::sizeOf(picture.type)),
                                           "the size in bytes");
    // The picture, and an encoded file that may be as large and is copied while it grows.
    enterSandbox({io::checkedMultiply(bytes, 4, "memory") + kHeadroom, request.cpuSeconds, {}});
    io::Grid grid(picture.shape, picture.type);
    grid.geometry = picture.geometry;
    grid.metadata = picture.metadata;
    receive({grid.data(), grid.bytes()});
    const auto file = io::codecs::encode(grid, request.format, request.where);
    reply(protocol::Kind::file, protocol::pack(static_cast<std::uint64_t>(file.size())), file);
}

void answer() {
    std::array<std::byte, protocol::kLeadBytes> bytes{};
    receive(bytes);
    const auto lead = protocol::unpackLead(bytes);
    std::vector<std::byte> body(static_cast<std::size_t>(lead.bodyBytes));
    receive(body);
    if (lead.kind == protocol::Kind::decode) {
        decode(protocol::unpackDecodeRequest(body));
    } else if (lead.kind == protocol::Kind::encode) {
        encode(protocol::unpackEncodeRequest(body));
    } else {
        throw std::runtime_error("not a request");
    }
}

}  // namespace

int serve() {
    try {
        try {
            answer();
        } catch (const Error& error) {
            reply(protocol::Kind::failure, protocol::pack(protocol::Failure{error.kind(), error.what()}), {});
        } catch (const std::bad_alloc&) {
            reply(protocol::Kind::failure,
                  protocol::pack(
                      protocol::Failure{Error::Kind::limit, "not enough memory for the picture: close other programs"}),
                  {});
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warplens-codec: %s\n", error.what());
        return 4;
    }
}

}  // namespace warplens::codec
