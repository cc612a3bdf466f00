// SPDX-License-Identifier: Apache-2.0
#include "app/sandbox/sandbox.hpp"

#include "app/sandbox/call_filter.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warplens::sandbox {
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

// The standard streams, the rules and the file, and a little room.
constexpr rlim_t kMostFiles = 16;

/// Rules as the kernel takes them since version 6; earlier ones take its beginning. Headers older than the kernel lack
/// the later members, and the names of their bits.
struct Rules {
    std::uint64_t files = 0;
    std::uint64_t ports = 0;
    std::uint64_t scopes = 0;
};
constexpr std::uint64_t kEveryPort = 3;   // binding and connecting TCP
constexpr std::uint64_t kEveryScope = 3;  // abstract sockets and signals

/// 0 when the kernel has no Landlock, or was started without it.
int landlockVersion() {
    const auto version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? static_cast<int>(version) : 0;
}

/// Every kind of file access that this version can forbid.
std::uint64_t everyAccess(int version) {
    const int kinds = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (std::uint64_t{1} << kinds) - 1;
}

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t access) {
    const io::UniqueFd opened(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!opened) return;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access;
    rule.parent_fd = opened.get();
    ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

void allowReading(int ruleset, const std::filesystem::path& file) {
    const io::UniqueFd opened(::open(file.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    // What cannot be allowed stays closed, which reading it then reports.
    if (!opened || ::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    rule.parent_fd = opened.get();
    ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/// The rules of this kernel, which `add` fills and which hold then.
template <class Add>
bool restrictBy(const Add& add) {
    const int version = landlockVersion();
    if (version == 0) return false;
    Rules rules;
    rules.files = everyAccess(version);
    if (version >= 4) rules.ports = kEveryPort;
    if (version >= 6) rules.scopes = kEveryScope;
    const std::size_t size = sizeof(std::uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
    const io::UniqueFd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0)));
    if (!ruleset) return false;
    add(ruleset.get(), rules.files);
    return ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

/// Of root's privileges only those to read what others may not remain, for root can open such pictures.
void dropCapabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> sets{};
    if (::syscall(SYS_capget, &header, sets.data()) != 0) return;
    constexpr std::uint32_t kKept = (1U << CAP_DAC_OVERRIDE) | (1U << CAP_DAC_READ_SEARCH);
    for (auto& set : sets) set = {set.effective & kKept, set.permitted & kKept, 0};
    sets[1] = {};
    ::syscall(SYS_capset, &header, sets.data());
}

/// The soft bound alone, which can be raised again up to the hard one.
void boundSoftly(__rlimit_resource_t resource, std::uint64_t value) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

}  // namespace

void bound(int resource, std::uint64_t value) {
    const auto which = static_cast<__rlimit_resource_t>(resource);
    rlimit limit{};
    if (::getrlimit(which, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(value, limit.rlim_max);
    ::setrlimit(which, &limit);
}

void restrictTo(const Folders& folders) {
    if constexpr (kSanitized) return;
    restrictBy([&](int ruleset, std::uint64_t every) {
        constexpr std::uint64_t kRead =
            LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
        for (const auto& folder : folders.read) allow(ruleset, folder, kRead);
        for (const auto& folder : folders.write) allow(ruleset, folder, every);
        // Of a device file: reading and writing.
        for (const auto& file : folders.files)
            allow(ruleset, file, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    });
}

void renouncePrivileges() {
    bound(RLIMIT_CORE, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void enterSandbox(const Allowance& allowance) {
    renouncePrivileges();
    // What is written to a file all the same fails; it need not kill.
    ::signal(SIGXFSZ, SIG_IGN);
    bound(RLIMIT_FSIZE, 0);
    bound(RLIMIT_CPU, std::max<std::uint64_t>(allowance.cpuSeconds, 1));
    if constexpr (!kSanitized) {
        bound(RLIMIT_NPROC, 0);
        bound(RLIMIT_NOFILE, kMostFiles);
        bound(RLIMIT_AS, static_cast<std::uint64_t>(std::max<std::int64_t>(allowance.memoryBytes, 0)));
        restrictBy([&](int ruleset, std::uint64_t) {
            for (const auto& file : allowance.files) allowReading(ruleset, file);
        });
        dropCapabilities();
        // Nobody of the same user attaches to it, or reads what is in it.
        ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        filterCalls();
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
    std::string text =
        "limits: memory, processor time, open files, no processes, no file writes, no core dump, no new privileges\n";
    text += "files: ";
    text += version > 0 ? "Landlock, version " + std::to_string(version) + ", the file itself and those that it names"
                        : "not restricted, this kernel offers no Landlock";
    text += "\nnetwork and signals: ";
    text += version >= 6   ? "Landlock"
            : version >= 4 ? "Landlock, TCP alone"
                           : "not restricted by Landlock, this kernel's does not know them";
    text += "\nsystem calls: ";
    text += canFilterCalls() ? "seccomp, those that decoding takes" : "not restricted, there is no seccomp here";
    text += kSanitized ? "\nbuilt with a sanitizer: memory, files and system calls are not restricted\n" : "\n";
    return text;
}

bool sanitized() { return kSanitized; }

}  // namespace warplens::sandbox
