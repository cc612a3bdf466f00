// SPDX-License-Identifier: Apache-2.0
#include "gpu/history/places.hpp"

#include "io/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>

namespace warplens::gpu::history {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy = "; make room for the history there, or set WARPLENS_HISTORY=off";

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
    throw io::Error(io::Error::Kind::unwritable, path.string() + ": " + why + kRemedy);
}

}  // namespace

fs::path defaultFile() {
    if (const char* folder = std::getenv("XDG_DATA_HOME"); folder != nullptr && *folder == '/')
        return fs::path(folder) / "warplens" / "history.sqlite";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".local" / "share" / "warplens" / "history.sqlite";
    return {};
}

io::FolderLock lockOf(const fs::path& folder) { return io::FolderLock(folder, kRemedy); }

bool enabled() {
    const char* wish = std::getenv("WARPLENS_HISTORY");
    return wish == nullptr || (std::string_view(wish) != "off" && std::string_view(wish) != "0");
}

void createPrivately(const fs::path& file) {
    struct stat found {};
    if (stat(file.c_str(), &found) == 0) {
        if (!S_ISREG(found.st_mode)) refuse(file, "is not a regular file");
        return;
    }
    std::error_code failed;
    const fs::path folder = file.parent_path();
    const bool fresh = fs::create_directories(folder, failed);
    if (failed) refuse(folder, "cannot be made: " + failed.message());
    if (fresh) fs::permissions(folder, fs::perms::owner_all, failed);
    const io::UniqueFd made(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!made) refuse(file, std::string("cannot be made: ") + std::strerror(errno));
}

fs::path setAside(const fs::path& file) {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, ".damaged-%Y%m%dT%H%M%SZ", &parts);
    fs::path aside = file.string() + stamp;
    for (int more = 2; fs::exists(aside); ++more) aside = file.string() + stamp + "-" + std::to_string(more);
    std::error_code failed;
    fs::rename(file, aside, failed);
    if (failed) refuse(file, "is damaged and cannot be renamed: " + failed.message());
    // What was not yet written back may help who repairs it; it must not meet the new file in any case.
    for (const char* with : {"-wal", "-shm"}) {
        fs::rename(file.string() + with, aside.string() + with, failed);
        if (failed) fs::remove(file.string() + with, failed);
    }
    return aside;
}

}  // namespace warplens::gpu::history
