// SPDX-License-Identifier: Apache-2.0
#include "io/folder_lock.hpp"

#include "io/error.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>

namespace warplens::io {
namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::milliseconds kPause{5};

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, const std::string& remedy)
    : m_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!m_folder)
        throw Error(Error::Kind::unwritable, folder.string() + ": cannot be opened: " + std::strerror(errno) + remedy);
}

bool FolderLock::take(int operation) const {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (flock(m_folder.get(), operation | LOCK_NB) != 0) {
        // A file system without such locks is no reason to keep nothing.
        if (errno != EWOULDBLOCK && errno != EINTR) return operation == LOCK_SH;
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(kPause);
    }
    return true;
}

bool FolderLock::share() const { return take(LOCK_SH); }
bool FolderLock::own() const { return take(LOCK_EX); }

}  // namespace warplens::io
