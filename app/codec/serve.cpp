// SPDX-License-Identifier: Apache-2.0
#include "app/codec/serve.hpp"

#include "app/codec/named_files.hpp"
#include "app/sandbox/sandbox.hpp"
#include "io/child_process.hpp"
#include "io/codec_protocol.hpp"
#include "io/codecs/codec.hpp"
#include "io/dicom_folder.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <new>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace warplens::codec {
namespace {

namespace protocol = io::protocol;
using io::Error;

// For the program itself, its libraries and their working memory.
constexpr std::int64_t kHeadroom = std::int64_t{256} << 20;
// What decoders and their libraries hold of a picture at once: its file, stored values, larger ones they compute with.
constexpr std::int64_t kCopies = 16;
// Slower than any codec decodes.
constexpr std::uint64_t kSlowestBytesASecond = 5'000'000;
constexpr std::size_t kLargestTransfer = 1 << 30;

void receive(std::span<std::byte> buffer) {
    while (!buffer.empty()) {
        const auto got = ::read(STDIN_FILENO, buffer.data(), std::min(buffer.size(), kLargestTransfer));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::runtime_error("the request ended early");
        buffer = buffer.subspan(static_cast<std::size_t>(got));
    }
}

/// Where answers go. Standard output itself is given to standard error, for some libraries talk on it.
int answersTo() {
    static const int kFile = [] {
        const int file = ::dup(STDOUT_FILENO);
        if (file < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) throw std::runtime_error("no file for the answer");
        return file;
    }();
    return kFile;
}

void send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto sent = ::write(answersTo(), bytes.data(), std::min(bytes.size(), kLargestTransfer));
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) throw std::runtime_error("the answer cannot be delivered");
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

void reply(protocol::Kind kind, const std::vector<std::byte>& body, std::span<const std::byte> raw) {
    send(protocol::pack(protocol::MessageHeader{kind, body.size()}));
    send(body);
    send(raw);
}

/// Passes on how far decoding has come, a hundred times at most.
class Progress {
public:
    void operator()(double fraction) {
        if (fraction < m_next) return;
        m_next = fraction + 0.01;
        reply(protocol::Kind::progress, protocol::pack(fraction), {});
    }

private:
    double m_next = 0;
};

std::int64_t sizeOf(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_size : 0;
}

/// Holds the process to what its file and the pictures found there take.
class Hold {
public:
    Hold(std::int64_t fileBytes, std::uint64_t startSeconds) : m_fileBytes(fileBytes), m_startSeconds(startSeconds) {
        apply();
    }
    void operator()(std::int64_t pictureBytes) {
        if (pictureBytes <= m_pictureBytes) return;
        m_pictureBytes = std::min(pictureBytes, std::numeric_limits<std::int64_t>::max() / (2 * kCopies));
        apply();
    }

private:
    void apply() const {
        sandbox::holdTo(
            kHeadroom + 2 * m_fileBytes + kCopies * m_pictureBytes,
            m_startSeconds + static_cast<std::uint64_t>(m_fileBytes + m_pictureBytes) / kSlowestBytesASecond);
    }
    std::int64_t m_fileBytes;
    std::uint64_t m_startSeconds;
    std::int64_t m_pictureBytes = 0;
};

/// The files that a request may read: what was named, wherever a link to it may lead, or the DICOM files of a folder,
/// and what a header names beside it.
std::vector<std::filesystem::path> filesFor(const std::filesystem::path& real, bool folder, const io::Limits& limits) {
    if (folder) {
        const auto files = io::dicomFilesIn(real);
        return {files.begin(), files.end()};
    }
    auto files = filesNamedBy(real, limits);
    files.push_back(real);
    return files;
}

void decode(const protocol::DecodeRequest& request) {
    std::error_code unresolved;
    auto real = std::filesystem::canonical(request.path, unresolved);
    if (unresolved) real = request.path;
    const bool folder = std::filesystem::is_directory(real, unresolved);
    const auto fileBytes = std::min(sizeOf(request.path), request.limits.fileBytes);
    const auto files = filesFor(real, folder, request.limits);
    // The values twice: as stored in the file, and as computed with.
    sandbox::enterSandbox(
        {io::checkedMultiply(2, request.limits.bytes, "memory") + fileBytes + kHeadroom, request.cpuSeconds, files});
    io::codecs::Source source;
    source.path = real.string();
    source.where = request.path;
    source.limits = request.limits;
    if (folder) source.files.assign(files.begin(), files.end());
    // A folder's files are many, and their headers are all read before there is a picture.
    Hold hold(fileBytes, folder ? request.cpuSeconds : request.cpuSeconds / 3 + 1);
    source.limits.allowed = std::ref(hold);
    source.frame = request.frame;
    source.series = request.series;
    source.progress = Progress();
    source.identified = [](const std::string& title) {
        reply(protocol::Kind::format, protocol::packFormat(title), {});
    };
    const auto grid = io::codecs::decodeFile(std::move(source));
    reply(protocol::Kind::picture, protocol::pack(protocol::headerOf(grid)), {grid.data(), grid.bytes()});
}

void encode(const protocol::EncodeRequest& request) {
    const auto& picture = request.picture;
    request.limits.check(picture.shape, picture.type, request.where);
    const auto bytes = io::checkedMultiply(picture.shape.values(), static_cast<std::int64_t>(io::sizeOf(picture.type)),
                                           "the size in bytes");
    // The picture, and an encoded file that may be as large and is copied while it grows.
    sandbox::enterSandbox({io::checkedMultiply(bytes, 4, "memory") + kHeadroom, request.cpuSeconds, {}});
    io::Grid grid(picture.shape, picture.type);
    grid.geometry = picture.geometry;
    grid.metadata = picture.metadata;
    receive({grid.data(), grid.bytes()});
    const auto file = io::codecs::encode(grid, request.format, request.where, request.options);
    reply(protocol::Kind::file, protocol::pack(static_cast<std::uint64_t>(file.size())), file);
}

void answer() {
    answersTo();
    std::array<std::byte, protocol::kHeaderBytes> bytes{};
    receive(bytes);
    const auto header = protocol::unpackHeader(bytes);
    std::vector<std::byte> body(static_cast<std::size_t>(header.bodyBytes));
    receive(body);
    if (header.kind == protocol::Kind::decode) {
        decode(protocol::unpackDecodeRequest(body));
    } else if (header.kind == protocol::Kind::encode) {
        encode(protocol::unpackEncodeRequest(body));
    } else {
        throw std::runtime_error("not a request");
    }
}

/// Answers one request; the exit status.
int answerOne() {
    try {
        try {
            answer();
        } catch (const Error& error) {
            reply(protocol::Kind::failure, protocol::pack(protocol::Failure{error.kind(), error.what()}), {});
        } catch (const std::bad_alloc&) {
            reply(protocol::Kind::failure,
                  protocol::pack(protocol::Failure{
                      Error::Kind::limit,
                      "not enough memory for the picture: use a smaller one, or close other programs"}),
                  {});
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warplens-codec: %s\n", error.what());
        return 4;
    }
}

/// False when nobody will ask any more.
bool waitForRequest() {
    char first = 0;
    while (true) {
        const auto got = ::recv(STDIN_FILENO, &first, 1, MSG_PEEK);
        if (got >= 0 || errno != EINTR) return got > 0;
    }
}

/// Ends this process as that one ended.
[[noreturn]] void endAs(int status) {
    if (WIFSIGNALED(status)) {
        ::signal(WTERMSIG(status), SIG_DFL);
        ::kill(::getpid(), WTERMSIG(status));
    }
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 4);
}

/// In the process of one request.
[[noreturn]] void answerAndEnd() {
    ::close(io::ChildProcess::kDoneFile);
    const int status = answerOne();
    std::fflush(nullptr);
    // There is nothing for destructors to save; a sanitizer has yet to look for leaks.
    if (sandbox::sanitized()) std::exit(status);
    ::_exit(status);
}

}  // namespace

int serve() {
    sandbox::renouncePrivileges();
    return answerOne();
}

int serveRepeatedly() {
    sandbox::renouncePrivileges();
    struct stat done {};
    // A script that runs us may have closed it.
    if (::fstat(io::ChildProcess::kDoneFile, &done) != 0 || !S_ISFIFO(done.st_mode)) return answerOne();
    while (waitForRequest()) {
        const pid_t child = ::fork();
        if (child < 0) return answerOne();  // the user has no process left: this one will do, for one request
        if (child == 0) answerAndEnd();
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        if (status != 0) endAs(status);
        const std::byte ended{1};
        if (::write(io::ChildProcess::kDoneFile, &ended, 1) != 1) break;
    }
    return 0;
}

}  // namespace warplens::codec
