// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.hpp"

#include "io/error.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace warplens::io {
namespace {

/// Where a symbolic link leads, be there a file or not, as open() would follow it.
std::filesystem::path followed(std::filesystem::path path) {
    constexpr int kMostLinks = 40;  // as the kernel allows
    std::error_code error;
    for (int links = 0; links < kMostLinks; ++links) {
        auto target = std::filesystem::read_symlink(path, error);
        if (error) return path;
        path = path.parent_path() / target;  // the target itself when it is absolute
    }
    return path;
}

std::filesystem::path folderOf(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

mode_t permissionsOf(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
    // It can only be asked for by changing it, which two threads must not do at a time.
    static std::mutex asking;
    const std::lock_guard lock(asking);
    const mode_t mask = ::umask(022);
    ::umask(mask);
    return 0666 & ~mask;
}

constexpr std::string_view kTemporary = ".warplens-";
constexpr auto kOldSeconds = 60;  ///< one that was made just now may not be locked yet

/// Whether nobody writes to it any more: who does holds a lock, on whatever machine.
bool isLeftOver(const std::filesystem::path& path) {
    const auto name = path.filename().string();
    if (!name.starts_with(kTemporary) || name.find_first_not_of("0123456789-", kTemporary.size()) != std::string::npos)
        return false;
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    return fd && ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
           status.st_mtime + kOldSeconds < std::time(nullptr) && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
}

/// What killed processes have left in the folder; looked for once.
void removeLeftOver(const std::filesystem::path& folder) {
    static std::mutex looking;
    static std::set<std::filesystem::path> seen;
    const std::lock_guard lock(looking);
    if (!seen.insert(folder).second) return;
    std::error_code ignored;
    for (std::filesystem::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
        if (isLeftOver(at->path())) ::unlink(at->path().c_str());
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : m_path(path) {
    checkReplaceable();
    m_path = followed(path);
    const auto folder = folderOf(m_path);
    // It gets its name by way of /proc in commit().
    if (::access("/proc/self/fd", X_OK) == 0) {
        m_fd.reset(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    }
    // Some file systems have no nameless files, and each says so in its own way.
    if (!m_fd) {
        m_fd.reset(makeTemporary(
            [](const char* name) { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); }));
    }
    if (!m_fd) fail("cannot write in this folder", errno);
    ::flock(m_fd.get(), LOCK_EX | LOCK_NB);
    removeLeftOver(folder);
}

AtomicFile::~AtomicFile() {
    if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
}

void AtomicFile::fail(const std::string& what, int error) const {
    const bool aboutOpening = error == ENAMETOOLONG || error == EMFILE || error == ENFILE;
    const char* remedy = aboutOpening     ? openingRemedy(error)
                         : error == EFBIG ? "check the free space, and how large files may be (ulimit -f)"
                                          : "check the folder, its permissions and the free space";
    throw Error(Error::Kind::unwritable, m_path.string() + ": " + what + " (" + std::strerror(error) + "): " + remedy);
}

void AtomicFile::checkReplaceable() const {
    struct stat status {};
    // Followed by the kernel: /dev/stdout leads to a pipe that has no path.
    if (::stat(m_path.c_str(), &status) != 0) {
        if (errno != ENOENT) fail("cannot write", errno);
    } else if (S_ISDIR(status.st_mode)) {
        fail("cannot write", EISDIR);
    } else if (!S_ISREG(status.st_mode)) {
        throw Error(Error::Kind::unwritable,
                    m_path.string() + ": is not a regular file but a FIFO, socket or device: name a plain file");
    }
}

template <class Make>
int AtomicFile::makeTemporary(Make make) {
    // Short, for the name of the file itself may be as long as names can be.
    static std::atomic<unsigned> next = 0;
    for (int tries = 0; tries < 1000; ++tries) {
        const auto name = std::string(kTemporary) + std::to_string(::getpid()) + "-" + std::to_string(next++);
        m_temporary = (m_path.parent_path() / name).string();
        const int made = make(m_temporary.c_str());
        if (made >= 0) return made;
        if (errno != EEXIST) break;  // another machine's or container's process may have the same number
    }
    m_temporary.clear();
    return -1;
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
    if (m_temporary.empty()) {
        const auto self = "/proc/self/fd/" + std::to_string(m_fd.get());
        const int linked = makeTemporary(
            [&](const char* name) { return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW); });
        if (linked != 0) fail("naming the file failed", errno);
    }
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0) fail("replacing the file failed", errno);
    m_temporary.clear();
    // The rename itself is only safe once the folder is on the disk; some file systems refuse that, which is no loss.
    const UniqueFd directory(::open(folderOf(m_path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory) ::fsync(directory.get());
}

}  // namespace warplens::io
