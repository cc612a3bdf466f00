// SPDX-License-Identifier: Apache-2.0
#include "app/codec/sandbox.hpp"

#include "io/file.hpp"

#include <algorithm>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warplens::codec {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

// The standard streams, the folder, the rules and the file, and a little room.
constexpr rlim_t kMostFiles = 16;

/// 0 when the kernel has no Landlock, or was started without it.
int landlockVersion() {
    const auto version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? static_cast<int>(version) : 0;
}

/// Every kind of file access that this version can forbid; headers older than the kernel do not name the later ones.
std::uint64_t everyAccess(int version) {
    const int kinds = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (std::uint64_t{1} << kinds) - 1;
}

[[maybe_unused]] void restrictFiles(const std::filesystem::path& folder) {
    const int version = landlockVersion();
    if (version == 0) return;
    landlock_ruleset_attr rules{};
    rules.handled_access_fs = everyAccess(version);
    const io::UniqueFd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0)));
    if (!ruleset) return;
    if (!folder.empty()) {
        const io::UniqueFd opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        landlock_path_beneath_attr beneath{};
        beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
        beneath.parent_fd = opened.get();
        // A folder that cannot be allowed leaves its file closed, which reading it then reports.
        if (opened) ::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    }
    ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0);
}

void bound(__rlimit_resource_t resource, std::uint64_t value) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(value, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

/// The soft bound alone, which can be raised again up to the hard one.
void boundSoftly(__rlimit_resource_t resource, std::uint64_t value) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

}  // namespace

void enterSandbox(const Allowance& allowance) {
    bound(RLIMIT_CORE, 0);
    bound(RLIMIT_FSIZE, 0);
    bound(RLIMIT_CPU, std::max<std::uint64_t>(allowance.cpuSeconds, 1));
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if constexpr (!kSanitized) {
        bound(RLIMIT_NOFILE, kMostFiles);
        bound(RLIMIT_AS, static_cast<std::uint64_t>(std::max<std::int64_t>(allowance.memoryBytes, 0)));
        restrictFiles(allowance.folder);
    }
}

void holdTo(std::int64_t memoryBytes, std::uint64_t cpuSeconds) {
    // A sanitizer needs far more of both.
    if constexpr (kSanitized) return;
    boundSoftly(RLIMIT_CPU, cpuSeconds);
    boundSoftly(RLIMIT_AS, static_cast<std::uint64_t>(memoryBytes));
}

std::string sandboxStatus() {
    const int version = landlockVersion();
    std::string text = "limits: memory, processor time, open files, no file writes, no core dump, no new privileges\n";
    text += "files: ";
    text +=
        version > 0 ? "Landlock, version " + std::to_string(version) : "not restricted, this kernel offers no Landlock";
    text += kSanitized ? "\nbuilt with a sanitizer: memory and files are not restricted\n" : "\n";
    return text;
}

}  // namespace warplens::codec
