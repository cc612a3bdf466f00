// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warplens::io {

/// Owns a file descriptor.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : m_fd(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        reset(std::exchange(other.m_fd, -1));
        return *this;
    }
    ~UniqueFd() { reset(); }

    int get() const { return m_fd; }
    explicit operator bool() const { return m_fd >= 0; }
    void reset(int fd = -1);
    /// Gives the descriptor away.
    int release() { return std::exchange(m_fd, -1); }

private:
    int m_fd = -1;
};

/// What to do when a file cannot be opened, by its errno.
const char* openingRemedy(int error);

/// More than any text of ours has: reports, benchmark results, lessons, filters.
constexpr std::int64_t kMostTextBytes = 64 << 20;

/// The whole of a text file. Throws Error(unreadable) when it cannot be opened or read or is no regular file (a FIFO
/// may never end, and a device never does), and Error(limit) when it has more than `limit` bytes.
std::string readText(const std::string& path, std::int64_t limit = kMostTextBytes);

/// A regular file opened for plain read() calls: never mapped, so that a file that shrinks is an Error, not a signal.
class InputFile {
public:
    /// Throws Error(unreadable) when the file is missing, forbidden or not a regular file.
    explicit InputFile(const std::string& path);

    const std::string& path() const { return m_path; }
    /// Bytes in the file when it was opened.
    std::int64_t size() const { return m_size; }
    /// The first bytes, at most `count`; the reading position is left at the start.
    std::vector<std::byte> head(std::size_t count) const;
    /// The next readExactly() begins at this byte.
    void seek(std::int64_t offset);
    /// Fills the buffer. Throws Error(unreadable) when the file ends first, Error(cancelled) on a stop.
    void readExactly(std::span<std::byte> buffer, const std::stop_token& stop = {});
    /// Throws Error(unreadable) when the file's size or time changed since it was opened.
    void checkUnchanged() const;

private:
    std::string m_path;
    UniqueFd m_fd;
    std::int64_t m_size = 0;
    std::int64_t m_seconds = 0;
    std::int64_t m_nanoseconds = 0;
};

}  // namespace warplens::io
