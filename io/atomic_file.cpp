// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.hpp"

#include "io/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace warplens::io {
namespace {

/// A symbolic link is written through, as any editor's user expects.
std::filesystem::path resolved(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error)) return path;
    auto target = std::filesystem::canonical(path, error);
    return error ? path : target;
}

mode_t permissionsOf(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
    const mode_t mask = ::umask(022);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : m_path(resolved(path)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(m_path, ignored)) fail("cannot write", EISDIR);
    m_temporary = (m_path.parent_path() / ("." + m_path.filename().string() + ".XXXXXX")).string();
    m_fd.reset(::mkostemp(m_temporary.data(), O_CLOEXEC));
    if (!m_fd) {
        const int error = errno;
        m_temporary.clear();
        fail("cannot write in this folder", error);
    }
}

AtomicFile::~AtomicFile() {
    if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
}

void AtomicFile::fail(const std::string& what, int error) const {
    throw Error(Error::Kind::unwritable, m_path.string() + ": " + what + " (" + std::strerror(error) +
                                             "): check the folder, its permissions and the free space");
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(m_fd.get(), bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("writing failed", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit() {
    // A temporary file is private; the result gets what the old file had, or the usual permissions.
    if (::fchmod(m_fd.get(), permissionsOf(m_path)) != 0) fail("setting permissions failed", errno);
    if (::fsync(m_fd.get()) != 0) fail("writing to the disk failed", errno);
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0) fail("replacing the file failed", errno);
    m_temporary.clear();
    // The rename itself is only safe once the folder is on the disk; some file systems refuse that, which is no loss.
    const auto folder = m_path.has_parent_path() ? m_path.parent_path() : std::filesystem::path(".");
    const UniqueFd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory) ::fsync(directory.get());
}

}  // namespace warplens::io
