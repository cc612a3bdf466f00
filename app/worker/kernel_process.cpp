// SPDX-License-Identifier: Apache-2.0
#include "app/worker/kernel_process.hpp"

#include "app/sandbox/call_filter.hpp"
#include "app/sandbox/sandbox.hpp"
#include "app/trace/protocol.hpp"
#include "app/worker/check.hpp"
#include "app/worker/count.hpp"
#include "app/worker/protocol.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <link.h>
#include <new>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace warplens::worker {
namespace {

/// Looks, a quarter of a processor second apart, in which no thread began or ended: the running one is taken for
/// endless then.
constexpr int kMostLooks = 4;
/// The same of a launcher, around which our own code prepares the task.
constexpr int kMostLauncherLooks = 120;
constexpr int kLookMicroseconds = 250'000;
constexpr std::size_t kSignalStack = 64 * 1024;
constexpr int kExitAfterIncident = 3;

struct AddressRange {
    std::uint64_t begin = 0, end = 0;
};
AddressRange code;  ///< of the loaded kernel

int answersTo = -1;
const char* phase = "";  ///< "while it was loaded", before it runs

}  // namespace

void answerTo(int file) { answersTo = file; }

void answer(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto sent = ::write(answersTo, text.data() + at, text.size() - at);
        if (sent <= 0) break;
        at += static_cast<std::size_t>(sent);
    }
}

void answerFilm(const gpu::Film& film) {
    answer(Json{{"film", trace_protocol::toJson(film)}}.dump(-1, ' ', false, Json::error_handler_t::replace));
}

[[noreturn]] void report(const Incident& incident) {
    Json json{{"what", incident.what},
              {"kind", incident.kind},
              {"place", incident.place},
              {"other", incident.other},
              {"other_place", incident.otherPlace},
              {"phase", phase}};
    if (incident.located) {
        json["block"] = {incident.block.x, incident.block.y, incident.block.z};
        json["thread"] = {incident.thread.x, incident.thread.y, incident.thread.z};
    }
    answer(Json{{"incident", json}}.dump(-1, ' ', false, Json::error_handler_t::replace));
    ::_exit(kExitAfterIncident);
}

void running() { phase = ""; }

namespace {

/// What a process was stopped by a call of, in words.
const char* nameOfCall(int call) {
    switch (call) {
        case SYS_clone3: return "tries to start a thread";
        case SYS_clone:
#if defined(__x86_64__)
        case SYS_fork:
        case SYS_vfork:
#endif
            return "tries to start a process";
        case SYS_execve:
        case SYS_execveat: return "tries to run a program";
        case SYS_socket:
        case SYS_socketpair: return "tries to open a socket";
#if defined(__x86_64__)
        case SYS_open:
#endif
        case SYS_openat: return "tries to open a file";
        case SYS_read: return "tries to read a file";
#if defined(__x86_64__)
        case SYS_unlink:
#endif
        case SYS_unlinkat: return "tries to remove a file";
#if defined(__x86_64__)
        case SYS_pause:
        case SYS_poll:
        case SYS_select:
#endif
        case SYS_ppoll:
        case SYS_pselect6:
        case SYS_nanosleep:
        case SYS_clock_nanosleep: return "tries to sleep";
        case SYS_futex: return "waits for a lock that no thread frees";
        case SYS_rt_sigaction: return "tries to change a signal handler";
        case SYS_kill:
        case SYS_tgkill: return "tries to send a signal";
        case SYS_mmap:
        case SYS_mprotect: return "tries to map memory that can be executed";
        default: return nullptr;
    }
}

/// Of a launcher's call, which may hold the allocator's lock, as fork() does beside a driver's threads.
[[noreturn]] void reportCall(const char* what, std::uint64_t place) {
    static std::array<char, 512> text;
    const int size = std::snprintf(text.data(), text.size(),
                                   R"({"incident":{"what":"%s","kind":"forbidden","place":%llu,"other":"",)"
                                   R"("other_place":0,"phase":"%s"}})",
                                   what, static_cast<unsigned long long>(place), phase);
    answer({text.data(), static_cast<std::size_t>(size)});
    ::_exit(kExitAfterIncident);
}

/// The first one of a system call.
std::uint64_t argumentOf(const mcontext_t& machine) {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(machine.gregs[REG_RDI]);
#else
    return machine.regs[0];
#endif
}

/// Where the kernel called what a signal came from: its nearest address on a stack that is in order.
std::uint64_t callFrom(std::uint64_t stack) {
    constexpr int kMostWords = 1024;
    const auto* const words = reinterpret_cast<const std::uint64_t*>(stack & ~std::uint64_t{7});
    for (int i = 0; i < kMostWords; ++i)
        if (words[i] > code.begin && words[i] <= code.end) return placeOf(words[i] - 1);
    return 0;
}

// A handler runs where the kernel was: nothing of ours is locked then, since the kernel's thread is the only one.
void onSignal(int signal, siginfo_t* info, void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    const auto at = static_cast<std::uint64_t>(machine.gregs[REG_RIP]),
               stack = static_cast<std::uint64_t>(machine.gregs[REG_RSP]);
#else
    const auto at = static_cast<std::uint64_t>(machine.pc), stack = static_cast<std::uint64_t>(machine.sp);
#endif
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    Incident incident{.place = placeOf(at),
                      .block = gpu::simt::builtins.blockIdx,
                      .thread = gpu::simt::builtins.threadIdx,
                      .located = *phase == '\0' && inThread()};
    // A call that was stopped, or one to where no code is.
    const bool called =
        signal == SIGSYS || signal == SIGABRT || signal == SIGXFSZ || (signal == SIGSEGV && at == address);
    if (incident.place == 0 && called && (inThread() || *phase != '\0')) incident.place = callFrom(stack);
    if (incident.place == 0) incident.place = lastPlace();
    const auto say = [&](const char* kind, std::string what) {
        incident.kind = kind;
        incident.what = std::move(what);
    };
    switch (signal) {
        case SIGPROF: {
            static std::uint64_t seen = 0;
            static int idle = 0;
            if (progress() != seen) {
                seen = progress();
                idle = 0;
                return;
            }
            const bool launcher = *phase == '\0' && !inThread();
            if (++idle < (launcher ? kMostLauncherLooks : kMostLooks)) return;
            say("endless loop", launcher ? "runs for half a minute in its launcher, which launches nothing"
                                         : "runs for a second in one thread, which does not end");
            break;
        }
        case SIGSEGV:
        case SIGBUS:
            // A call pushes below the stack's end, and a large frame skips some of it.
            if (address + 65536 > stack && address < stack + 65536)
                say("stack overflow", "overflows its stack: a recursion without end, or too large an array of its own");
            else
                say("illegal address", "accesses an illegal address");
            break;
        case SIGFPE: say("division by zero", "divides an integer by zero"); break;
        case SIGILL: say("trap", "ends by a trap"); break;
        case SIGABRT: say("abort", "calls abort()"); break;
        case SIGXFSZ: say("forbidden", "tries to write to a file"); break;
        case SIGSYS: {
            // A thread's library prepares signals of its own before its first one.
            const bool ownSignal = info->si_syscall == SYS_rt_sigaction && argumentOf(machine) >= 32;
            const char* call = nameOfCall(ownSignal ? SYS_clone3 : info->si_syscall);
            if (call != nullptr && !inThread()) reportCall(call, incident.place);
            say("forbidden", call != nullptr ? call : "makes system call " + std::to_string(info->si_syscall));
            break;
        }
        default: say("signal", "ends by signal " + std::to_string(signal)); break;
    }
    report(incident);
}

}  // namespace

void catchSignals(bool looks) {
    static std::array<std::byte, kSignalStack> stack;
    const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
    ::sigaltstack(&other, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXFSZ, SIGSYS, SIGPROF})
        ::sigaction(signal, &action, nullptr);
    std::set_new_handler(
        [] { report({.what = "asks for more memory than there is for it", .kind = "out of memory"}); });
    if (!looks) return;
    const itimerval second{.it_interval = {0, kLookMicroseconds}, .it_value = {0, kLookMicroseconds}};
    ::setitimer(ITIMER_PROF, &second, nullptr);
}

namespace {

struct TlsIndex {
    unsigned long module, offset;
};
extern "C" void* __tls_get_addr(TlsIndex*);

}  // namespace

void* load(const std::filesystem::path& file, bool counts, std::size_t mostShared) {
    phase = "while it was loaded, where constructors run";
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const std::string why = ::dlerror();
        phase = "";
        if (why.find("map segment") != std::string::npos)
            report({.what = "asks for more memory than there is for its variables", .kind = "out of memory"});
        report({.what = "cannot be loaded: " + why.substr(why.find(": ") + 2), .kind = "load"});
    }
    link_map* map = nullptr;
    ::dlinfo(library, RTLD_DI_LINKMAP, &map);
    std::size_t module = 0;
    ::dlinfo(library, RTLD_DI_TLS_MODID, &module);
    struct Search {
        std::uint64_t base, begin, end;
        std::size_t shared;
    } search{map->l_addr, ~std::uint64_t{0}, 0, 0};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& found = *static_cast<Search*>(data);
            if (info->dlpi_addr != found.base || info->dlpi_addr == 0) return 0;
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& part = info->dlpi_phdr[i];
                if (part.p_type == PT_TLS) found.shared = part.p_memsz;
                if (part.p_type != PT_LOAD) continue;
                if ((part.p_flags & PF_X) != 0)
                    code = {found.base + part.p_vaddr, found.base + part.p_vaddr + part.p_memsz};
                found.begin = std::min<std::uint64_t>(found.begin, found.base + part.p_vaddr);
                found.end = std::max<std::uint64_t>(found.end, found.base + part.p_vaddr + part.p_memsz);
            }
            return 1;
        },
        &search);
    if (search.shared > mostShared)
        report({.what = "declares " + std::to_string(search.shared) + " bytes of shared memory, and a block may have " +
                        std::to_string(mostShared),
                .kind = "shared memory"});
    TlsIndex index{module, 0};
    setModule(search.base, search.begin, search.end, module == 0 ? nullptr : __tls_get_addr(&index), search.shared);
    if (counts) beginToCount(file, search.base, module);
    return library;
}

void confine(const std::filesystem::path& scratch, std::uint64_t memoryBytes) {
    sandbox::renouncePrivileges();
    sandbox::bound(RLIMIT_AS, memoryBytes);
    sandbox::bound(RLIMIT_FSIZE, 0);
    sandbox::restrictTo({.read = {scratch}, .write = {}, .files = {}});
}

void confineBesideDriver(const std::filesystem::path& scratch) {
    sandbox::renouncePrivileges();
    sandbox::bound(RLIMIT_FSIZE, 0);
    std::vector<std::filesystem::path> devices;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/dev", ignored))
        if (entry.path().filename().string().starts_with("nvidia")) devices.push_back(entry.path());
    sandbox::restrictTo({.read = {scratch, "/usr", "/lib", "/lib64", "/opt", "/sys", "/proc/self", "/proc/driver"},
                         .write = {},
                         .files = devices});
    if (!sandbox::sanitized()) sandbox::filterCallsBesideDriver();
}

}  // namespace warplens::worker
