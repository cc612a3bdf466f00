// SPDX-License-Identifier: Apache-2.0
// Preloaded into warplens-codec by jail_test.cpp: stands for a decoder that a file has taken over. When the codec first
// calls zlib it tries each way out of the sandbox, and tells standard error what became of it, a line each:
// "NAME<tab>reached" or "NAME<tab>refused (ERRNO)". The folder it works on is in WARPLENS_JAIL_FOLDER, and the
// library's real work is done afterwards.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static void tell(const char* name, long result) {
    const int error = errno;
    if (result >= 0) {
        dprintf(2, "%s\treached\n", name);
    } else {
        dprintf(2, "%s\trefused (%d)\n", name, error);
    }
}

/// For calls that would do harm outside a sandbox, and so are made with arguments that fail: whatever else than EPERM
/// it was means that the call went through.
static long foreign(long result) { return result < 0 && errno == EPERM ? -1 : 0; }

/// Of a state instead of a call: told as if the jail had refused what the state keeps from happening.
static long kept(int closed) {
    errno = EPERM;
    return closed ? -1 : 0;
}

/// The process's own status, opened while it was still free: as soon as it renounces.
static int status = -1;
int prctl(int option, ...) {
    va_list rest;
    va_start(rest, option);
    const unsigned long value = va_arg(rest, unsigned long);
    va_end(rest);
    if (option == PR_SET_NO_NEW_PRIVS) {
        if (status >= 0) close(status);
        status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    }
    return (int)syscall(SYS_prctl, option, value, 0, 0, 0);
}

/// Whether of root's privileges none is left but CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
static int hasNoPrivileges(void) {
    char text[4096] = {0};
    if (pread(status, text, sizeof text - 1, 0) <= 0) return 0;
    const char *permitted = strstr(text, "CapPrm:"), *effective = strstr(text, "CapEff:");
    return permitted && effective &&
           ((strtoull(permitted + 7, NULL, 16) | strtoull(effective + 7, NULL, 16)) & ~6ULL) == 0;
}

static const char* in(const char* name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("WARPLENS_JAIL_FOLDER"), name);
    return path;
}

static void files(void) {
    tell("open the file itself for writing", open(in("a.png"), O_RDWR));
    tell("open a neighbour", open(in("neighbour.txt"), O_RDONLY));
    tell("open a file below", open(in("below/secret.txt"), O_RDONLY));
    tell("list the folder", open(in("."), O_RDONLY | O_DIRECTORY));
    tell("list the folder below", open(in("below"), O_RDONLY | O_DIRECTORY));
    tell("open /etc/passwd", open("/etc/passwd", O_RDONLY));
    tell("open /dev/null", open("/dev/null", O_RDWR));
    tell("open its own memory", open("/proc/self/mem", O_RDWR));
    tell("open the environment of its parent", open("/proc/1/environ", O_RDONLY));
    tell("openat2",
         syscall(SYS_openat2, AT_FDCWD, in("neighbour.txt"), (unsigned long[3]){0}, sizeof(unsigned long[3])));
    tell("open by the old call", syscall(SYS_open, in("a.png"), O_RDWR));
    tell("create a file", open(in("new.txt"), O_CREAT | O_WRONLY, 0600));
    tell("create a nameless file", open(in("."), O_TMPFILE | O_WRONLY, 0600));
    tell("create in /tmp", open("/tmp/warplens-jail-probe", O_CREAT | O_WRONLY, 0600));
    tell("truncate the file", truncate(in("a.png"), 0));
    tell("unlink a neighbour", unlink(in("neighbour.txt")));
    tell("chmod a neighbour", chmod(in("neighbour.txt"), 0777));
    tell("chmod the file itself", chmod(in("a.png"), 0777));
    tell("chown a neighbour", chown(in("neighbour.txt"), getuid(), getgid()));
    tell("change the times of a neighbour", utimensat(AT_FDCWD, in("neighbour.txt"), NULL, 0));
    tell("set an attribute", syscall(SYS_setxattr, in("neighbour.txt"), "user.a", "b", 1, 0));
    tell("mkdir", mkdir(in("made"), 0700));
    tell("symlink", symlink("/etc", in("link")));
    tell("mkfifo", mkfifo(in("fifo"), 0600));
    tell("chdir", chdir("/"));
    tell("chroot", chroot("/"));
    tell("umask", syscall(SYS_umask, 0));
    tell("inotify", syscall(SYS_inotify_init1, 0));
    tell("memfd_create", syscall(SYS_memfd_create, "x", 0));
    tell("lock the file", ({
             const int fd = open(in("a.png"), O_RDONLY);
             syscall(SYS_flock, fd, LOCK_EX | LOCK_NB);
         }));
    tell("be sent a signal by a file", fcntl(0, F_SETOWN, getppid()));
    tell("have a file send signals", fcntl(0, F_SETFL, O_ASYNC));
}

static void network(void) {
    const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG};
    const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f) {
        for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
            char name[64];
            snprintf(name, sizeof name, "a socket of family %d and type %d", families[f], types[t]);
            const int made = socket(families[f], types[t], 0);
            // Where this family has no such type nothing was refused, but nothing was reached either.
            tell(name, made);
        }
    }
    int pair[2];
    tell("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    // The one socket there is: that of the answer.
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, "/nonexistent");
    tell("connect the socket of the request", foreign(connect(0, (struct sockaddr*)&address, sizeof address)));
    char byte = 0;
    struct iovec part = {&byte, 0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    tell("sendmsg, which passes files", sendmsg(0, &message, MSG_DONTWAIT | MSG_NOSIGNAL));
    tell("recvmsg, which takes files", foreign(recvmsg(0, &message, MSG_DONTWAIT)));
}

static void processes(void) {
    tell("signal its parent", kill(getppid(), 0));
    tell("signal process 1", kill(1, 0));
    tell("signal its group", kill(0, 0));
    tell("signal a thread of its parent", syscall(SYS_tgkill, getppid(), getppid(), 0));
    tell("queue a signal", foreign(syscall(SYS_rt_sigqueueinfo, getppid(), 0, NULL)));
    tell("pidfd_open", syscall(SYS_pidfd_open, getppid(), 0));
    tell("attach to its parent", ptrace(PTRACE_SEIZE, getppid(), 0, 0));
    tell("be traced", ptrace(PTRACE_TRACEME, 0, 0, 0));
    struct iovec none = {NULL, 0};
    tell("read its parent's memory", syscall(SYS_process_vm_readv, getppid(), &none, 1, &none, 1, 0));
    tell("write its parent's memory", syscall(SYS_process_vm_writev, getppid(), &none, 1, &none, 1, 0));
    tell("kcmp", syscall(SYS_kcmp, getppid(), getpid(), 0, 0, 0));
    struct rlimit limit;
    tell("its parent's limits", prlimit(getppid(), RLIMIT_CPU, NULL, &limit));
    getrlimit(RLIMIT_CPU, &limit);
    ++limit.rlim_max;
    tell("raise its own limit", setrlimit(RLIMIT_CPU, &limit));
    tell("have room in files", kept(getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_max == 0));
    tell("have room for processes", kept(getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_max == 0));
    tell("have privileges", kept(hasNoPrivileges()));
    tell("be read by its user's other processes", kept(prctl(PR_GET_DUMPABLE, 0) == 0));
    tell("its parent's priority", foreign(setpriority((__priority_which_t)99, (id_t)getppid(), 19)));
    tell("another group", setpgid(0, 0));
    tell("another session", setsid());
    const pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0) _exit(0);
    tell("fork", child);
    const pid_t again = vfork();
    if (again == 0) _exit(0);
    tell("vfork", again);
    const long cloned = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (cloned == 0) _exit(0);
    tell("clone", cloned);
    const long outer = syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0);
    if (outer == 0) _exit(0);
    tell("clone into a user namespace", outer);
    unsigned long arguments[11] = {0};
    const long third = syscall(SYS_clone3, arguments, sizeof arguments);
    if (third == 0) _exit(0);
    tell("clone3", third);
    // Only tried: an image that is executed would end the test.
    tell("execve", foreign(execl("/nonexistent", "x", (char*)NULL)));
    tell("execveat", foreign(syscall(SYS_execveat, AT_FDCWD, "/nonexistent", NULL, NULL, 0)));
}

static void kernel(void) {
    char room[256] = {0};
    tell("a user namespace", unshare(CLONE_NEWUSER));
    tell("a network namespace", unshare(CLONE_NEWNET));
    tell("setns", foreign(setns(0, 0)));
    tell("mount", foreign(syscall(SYS_mount, "none", "/nonexistent", "tmpfs", 0, NULL)));
    tell("umount", foreign(syscall(SYS_umount2, "/nonexistent", 0)));
    tell("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
    tell("pivot_root", syscall(SYS_pivot_root, "/", "/"));
    tell("io_uring_setup", syscall(SYS_io_uring_setup, 4, room));
    tell("io_setup", syscall(SYS_io_setup, 1, room));
    tell("bpf", syscall(SYS_bpf, 0, room, sizeof room));
    tell("perf_event_open", foreign(syscall(SYS_perf_event_open, room, 0, -1, -1, 0)));
    tell("keyctl", syscall(SYS_keyctl, 0, -3, 0));
    tell("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3));
    tell("userfaultfd", syscall(SYS_userfaultfd, 0));
    tell("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
    tell("seccomp", syscall(SYS_seccomp, 2, 0, room));
    tell("prctl", syscall(SYS_prctl, 15, "name", 0, 0, 0));
    tell("capset", foreign(syscall(SYS_capset, room, room)));
    tell("setuid", setuid(0));
    tell("personality", syscall(SYS_personality, 0xffffffff));
    tell("modify_ldt", syscall(SYS_modify_ldt, 0, room, sizeof room));
    tell("iopl", syscall(SYS_iopl, 0));
    tell("init_module", foreign(syscall(SYS_init_module, room, 1, "")));
    tell("reboot", foreign(syscall(SYS_reboot, 0, 0, 0, 0)));
    tell("sethostname", foreign(syscall(SYS_sethostname, "", -1)));
    tell("settimeofday", syscall(SYS_settimeofday, NULL, NULL));
    tell("shmget", foreign(syscall(SYS_shmget, 0, 0, 01600)));
    tell("mq_open", foreign(syscall(SYS_mq_open, NULL, O_RDWR, 0600, NULL)));
    tell("ioctl that types for the terminal", foreign(syscall(SYS_ioctl, 0, 0x5412, room)));
    tell("x32", syscall(0x40000000 | SYS_getpid));
    const void* failed = MAP_FAILED;
    tell("map executable memory",
         mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == failed ? -1 : 0);
    void* page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    tell("make memory executable", mprotect(page, 4096, PROT_READ | PROT_EXEC));
    tell("by way of a key", syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_EXEC, -1));
    tell("map 64 GB",
         mmap(0, 64UL << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == failed ? -1 : 0);
}

/// Both of zlib's beginnings that the readers and writers of PNG go by.
static void probe(void) {
    static int once = 0;
    if (once++) return;
    if (getenv("WARPLENS_JAIL_CRASH")) abort();
    files();
    network();
    processes();
    kernel();
    dprintf(2, "the end\tof it\n");
}

int inflateInit2_(z_streamp stream, int bits, const char* version, int size) {
    probe();
    int (*real)(z_streamp, int, const char*, int) =
        (int (*)(z_streamp, int, const char*, int))dlsym(RTLD_NEXT, "inflateInit2_");
    return real(stream, bits, version, size);
}

int deflateInit2_(z_streamp stream, int level, int method, int bits, int memory, int strategy, const char* version,
                  int size) {
    probe();
    int (*real)(z_streamp, int, int, int, int, int, const char*, int) =
        (int (*)(z_streamp, int, int, int, int, int, const char*, int))dlsym(RTLD_NEXT, "deflateInit2_");
    return real(stream, level, method, bits, memory, strategy, version, size);
}
