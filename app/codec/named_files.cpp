// SPDX-License-Identifier: Apache-2.0
#include "app/codec/named_files.hpp"

#include "app/sandbox/sandbox.hpp"
#include "io/codecs/codec.hpp"
#include "io/file.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <new>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens::codec {
namespace {

// A header of 256 KiB, in a process whose libraries are there already.
constexpr std::int64_t kMemory = std::int64_t{512} << 20;
constexpr std::uint64_t kSeconds = 5;
// Names of 256 KiB, or 65,535 made of one pattern.
constexpr std::size_t kMostBytes = 32 << 20;

/// Writes each name and a null byte after it; none has one within.
[[noreturn]] void tellNames(const std::filesystem::path& file, const io::Limits& limits, int answer) {
    int status = 1;
    try {
        sandbox::enterSandbox({kMemory, kSeconds, {file}});
        io::codecs::Source source;
        source.path = file.string();
        source.limits = limits;
        std::string text;
        for (const auto& name : io::codecs::filesNamedBy(std::move(source))) text += name + '\0';
        std::string_view left = text;
        while (!left.empty()) {
            const auto written = ::write(answer, left.data(), left.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) break;
            left.remove_prefix(static_cast<std::size_t>(written));
        }
        status = 0;
    } catch (const std::exception&) {  // what is named then stays closed, and who reads the file says why
    }
    ::_exit(status);
}

std::string everythingFrom(int fd) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (text.size() < kMostBytes) {
        const auto got = ::read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

/// What tellNames() was told may be anything: a name of a file right beside, or nothing.
bool isPlainName(const std::string& name) {
    return !name.empty() && name.size() <= 255 && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

std::vector<std::filesystem::path> filesNamedBy(const std::filesystem::path& file, const io::Limits& limits) {
    if (!io::codecs::mayNameFiles(file.string())) return {};
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::bad_alloc();
    io::UniqueFd reading(ends[0]);
    io::UniqueFd writing(ends[1]);
    const pid_t child = ::fork();
    if (child < 0) throw std::bad_alloc();
    if (child == 0) tellNames(file, limits, writing.get());
    writing.reset();
    const auto text = everythingFrom(reading.get());
    ::kill(child, SIGKILL);  // it is done, or has said too much
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::vector<std::filesystem::path> files;
    for (std::size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1) {
        const auto name = text.substr(at, end - at);
        if (isPlainName(name)) files.push_back(file.parent_path() / name);
    }
    return files;
}

}  // namespace warplens::codec
