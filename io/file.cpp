// SPDX-License-Identifier: Apache-2.0
#include "io/file.hpp"

#include "io/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warplens::io {
namespace {

// Small enough that a stop is noticed within milliseconds, large enough to cost nothing.
constexpr std::size_t kChunk = 4 << 20;

[[noreturn]] void fail(const std::string& path, const std::string& what, const char* remedy) {
    throw Error(Error::Kind::unreadable, path + ": " + what + ": " + remedy);
}

}  // namespace

void UniqueFd::reset(int fd) {
    if (m_fd >= 0) ::close(m_fd);
    m_fd = fd;
}

const char* openingRemedy(int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR: return "check the name";
        case ENAMETOOLONG: return "choose a shorter name";
        case EMFILE:
        case ENFILE: return "close other programs, or allow more open files (ulimit -n)";
        case ENOMEM:
        case EAGAIN: return "close other programs";
        default: return "check the permissions";
    }
}

std::string readText(const std::string& path, std::int64_t limit) {
    InputFile file(path);
    if (file.size() > limit) {
        throw Error(Error::Kind::limit, path + ": the file is over the limit of " + std::to_string(limit) +
                                            " bytes for a text: check that it is the right file");
    }
    std::string text(static_cast<std::size_t>(file.size()), '\0');
    file.readExactly(std::as_writable_bytes(std::span(text)));
    return text;
}

InputFile::InputFile(const std::string& path) : m_path(path) {
    // Not blocking, so that a FIFO is refused rather than waited for.
    m_fd.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!m_fd) {
        const int error = errno;
        fail(path, std::strerror(error), openingRemedy(error));
    }
    struct stat status {};
    if (::fstat(m_fd.get(), &status) != 0) fail(path, std::strerror(errno), "check the disk");
    if (S_ISDIR(status.st_mode)) fail(path, "is a folder", "name a file");
    if (!S_ISREG(status.st_mode)) fail(path, "is not a regular file", "name a plain file");
    m_size = status.st_size;
    m_seconds = status.st_mtim.tv_sec;
    m_nanoseconds = status.st_mtim.tv_nsec;
}

std::vector<std::byte> InputFile::head(std::size_t count) const {
    std::vector<std::byte> bytes(count);
    ssize_t got = 0;
    do {
        got = ::pread(m_fd.get(), bytes.data(), count, 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail(m_path, std::strerror(errno), "check the disk");
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
}

void InputFile::seek(std::int64_t offset) {
    if (::lseek(m_fd.get(), offset, SEEK_SET) != offset) fail(m_path, std::strerror(errno), "check the disk");
}

void InputFile::readExactly(std::span<std::byte> buffer, const std::stop_token& stop) {
    while (!buffer.empty()) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, m_path + ": reading was cancelled");
        const auto got = ::read(m_fd.get(), buffer.data(), std::min(buffer.size(), kChunk));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(m_path, std::strerror(errno), "check the disk");
        if (got == 0) fail(m_path, "the file ends too early", "it is truncated, copy it again");
        buffer = buffer.subspan(static_cast<std::size_t>(got));
    }
}

void InputFile::checkUnchanged() const {
    struct stat status {};
    if (::fstat(m_fd.get(), &status) != 0) fail(m_path, std::strerror(errno), "check the disk");
    if (status.st_size != m_size || status.st_mtim.tv_sec != m_seconds || status.st_mtim.tv_nsec != m_nanoseconds) {
        fail(m_path, "the file changed while it was read", "try again once it is complete");
    }
}

}  // namespace warplens::io
