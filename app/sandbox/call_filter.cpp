// SPDX-License-Identifier: Apache-2.0
// A list of the calls that are allowed, written in BPF by hand: it is one loop over numbers and six looks at an
// argument, which does not make up for a library more (libseccomp) in the process that hostile files are read in.
#include "app/sandbox/call_filter.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <span>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace warplens::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

/// Allowed whatever the arguments are: what there is to read or to compute with, and nothing that reaches another
/// process. write() reaches only what was open before.
constexpr auto kAllowed = std::to_array<int>({
    SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_lseek, SYS_write, SYS_writev, SYS_close, SYS_dup, SYS_fadvise64,
        SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd,
#if defined(__x86_64__)
        SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_time, SYS_poll,
#endif
        SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_getrandom,
        SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrusage,
        SYS_times, SYS_sysinfo, SYS_uname, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
        SYS_getegid, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
        SYS_ppoll, SYS_exit, SYS_exit_group,
});

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA);

/// What a user's kernel needs that is loaded and computes: memory, and the end.
constexpr auto kOfKernels = std::to_array<int>({
    SYS_write,
    SYS_writev,
    SYS_brk,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_sched_yield,
    SYS_getrandom,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_getpid,
    SYS_gettid,
    SYS_fstat,
    SYS_newfstatat,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_exit,
    SYS_exit_group,
    SYS_restart_syscall,
    SYS_sysinfo,
    SYS_getrusage,
    SYS_sched_getaffinity,
});
/// And while it is loaded.
constexpr auto kOfLoading = std::to_array<int>({
    SYS_read, SYS_pread64, SYS_close, SYS_lseek, SYS_readlinkat, SYS_getcwd, SYS_mprotect, SYS_rt_sigaction,
        SYS_seccomp,
#if defined(__x86_64__)
        SYS_readlink, SYS_access, SYS_stat,
#endif
});

/// What a compiler has no need of.
constexpr auto kNotForCompilers = std::to_array<int>({
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_mount,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_io_uring_setup,
    SYS_userfaultfd,
});

/// What neither a launcher needs nor the driver of a GPU that it runs beside.
constexpr auto kNotBesideDrivers = std::to_array<int>({
    SYS_execve, SYS_execveat, SYS_kill,
#if defined(__x86_64__)
        SYS_fork, SYS_vfork,
#endif
});

class Program {
public:
    explicit Program(std::span<const int> allowed = kAllowed, std::uint32_t otherwise = kRefuse,
                     std::uint32_t then = kAllow)
        : m_otherwise(otherwise) {
        // Numbers mean other calls on another architecture, and with the x32 bit.
        load(offsetof(seccomp_data, arch));
        jump(BPF_JEQ, kArchitecture, 1, 0);
        end(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
        for (const int call : allowed) {
            jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
            end(then);
        }
    }
    /// The call, if no bit of `mask` is set in the argument.
    void allowWithout(int call, int argument, std::uint32_t mask) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 4);
        loadArgument(argument);
        jump(BPF_JSET, mask, 0, 1);
        end(m_otherwise);
        end(kAllow);
    }
    /// The call, if the argument, of 32 bits, is one of these.
    void allowFor(int call, int argument, const std::vector<std::uint32_t>& values) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(2 + 2 * values.size()));
        loadArgument(argument);
        for (const auto value : values) {
            jump(BPF_JEQ, value, 0, 1);
            end(kAllow);
        }
        end(m_otherwise);
    }
    /// The call does not come about.
    void endAt(int call, std::uint32_t action) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
        end(action);
    }
    /// Nor does this one if no bit of `mask` is set in the argument.
    void endWithout(int call, int argument, std::uint32_t mask, std::uint32_t action) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 4);
        loadArgument(argument);
        jump(BPF_JSET, mask, 1, 0);
        end(action);
        end(kAllow);
    }
    /// Of that call no more, unless the argument is this one.
    void demand(int call, int argument, std::uint32_t value) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 3);
        loadArgument(argument);
        jump(BPF_JEQ, value, 1, 0);
        end(m_otherwise);
        load(offsetof(seccomp_data, nr));
    }
    bool install() {
        end(m_otherwise);
        sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
        return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
    }

private:
    void add(int code, std::uint32_t value, std::uint8_t ifTrue = 0, std::uint8_t ifFalse = 0) {
        m_code.push_back({static_cast<std::uint16_t>(code), ifTrue, ifFalse, value});
    }
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    /// The lower half, which is where both little-endian processors have it.
    void loadArgument(int index) { load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(index)); }
    void jump(int test, std::uint32_t value, std::uint8_t ifTrue, std::uint8_t ifFalse) {
        add(BPF_JMP | test | BPF_K, value, ifTrue, ifFalse);
    }
    void end(std::uint32_t action) { add(BPF_RET | BPF_K, action); }

    std::vector<sock_filter> m_code;
    std::uint32_t m_otherwise;
};

}  // namespace

bool filterCalls() {
    if (kArchitecture == 0) return false;
    const auto self = static_cast<std::uint32_t>(::getpid());
    Program program;
    program.allowWithout(SYS_mmap, 2, PROT_EXEC);
    program.allowWithout(SYS_mprotect, 2, PROT_EXEC);
    // O_TMPFILE is more than its own bit.
    program.allowWithout(SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY));
    // Without F_SETFL and F_SETOWN, by which a file can be made to send signals.
    program.allowFor(SYS_fcntl, 1, {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC});
    program.allowFor(SYS_ioctl, 1, {TCGETS, FIONREAD});
    // Only of its own process: abort() and the bounds of holdTo().
    program.allowFor(SYS_tgkill, 0, {self});
    program.allowFor(SYS_prlimit64, 0, {0, self});
    program.allowFor(SYS_prctl, 0, {PR_GET_SECCOMP, PR_GET_DUMPABLE});
    return program.install();
}

bool filterKernelCalls(bool loading) {
    if (kArchitecture == 0) return false;
    std::vector<int> allowed(kOfKernels.begin(), kOfKernels.end());
    if (loading) allowed.insert(allowed.end(), kOfLoading.begin(), kOfLoading.end());
    Program program(allowed, SECCOMP_RET_TRAP);
    // A loaded kernel is one of the few mappings that hold code.
    program.allowWithout(SYS_mmap, 2, loading ? 0 : PROT_EXEC);
    if (loading) program.allowFor(SYS_fcntl, 1, {F_GETFD, F_SETFD});
    if (loading) program.allowWithout(SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY));
    // abort() and no other signal.
    program.demand(SYS_tgkill, 2, SIGABRT);
    program.allowFor(SYS_tgkill, 0, {static_cast<std::uint32_t>(::getpid())});
    // There is one thread: it frees locks, and would wait for them for ever.
    program.allowFor(SYS_futex, 1, {FUTEX_WAKE, FUTEX_WAKE_PRIVATE});
    return program.install();
}

bool filterCompilerCalls() {
    if (kArchitecture == 0) return false;
    return Program(kNotForCompilers, kAllow, kRefuse).install();
}

bool filterCallsBesideDriver() {
    if (kArchitecture == 0) return false;
    std::vector<int> refused(kNotForCompilers.begin(), kNotForCompilers.end());
    refused.insert(refused.end(), kNotBesideDrivers.begin(), kNotBesideDrivers.end());
    Program program(refused, kAllow, SECCOMP_RET_TRAP);
    // Whose flags lie in memory: glibc makes do with clone() then.
    program.endAt(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    program.endWithout(SYS_clone, 0, CLONE_THREAD, SECCOMP_RET_TRAP);
    return program.install();
}

bool canFilterCalls() {
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return kArchitecture != 0 && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace warplens::sandbox
