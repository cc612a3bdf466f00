// SPDX-License-Identifier: Apache-2.0
#include "io/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace warplens::io {
namespace {

using namespace std::chrono_literals;

// A stop is noticed within this time.
constexpr auto kSlice = 20ms;
constexpr std::size_t kComplaintBytes = 200;

void check(int error, const char* what) {
    if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

struct Ends {
    UniqueFd ours;
    UniqueFd theirs;
};

/// Descriptors 0 to 2 may be free in our process; the child's streams must not be made from those.
UniqueFd aboveStandard(int fd) {
    UniqueFd owned(fd);
    if (fd > 2) return owned;
    UniqueFd moved(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    check(moved ? 0 : errno, "fcntl");
    return moved;
}

Ends pipeToUs() {
    int fds[2];
    check(::pipe2(fds, O_CLOEXEC) == 0 ? 0 : errno, "pipe");
    UniqueFd first(fds[0]);
    UniqueFd second(fds[1]);
    Ends ends;
    ends.ours = aboveStandard(first.release());
    ends.theirs = aboveStandard(second.release());
    check(::fcntl(ends.ours.get(), F_SETFL, O_NONBLOCK) == 0 ? 0 : errno, "fcntl");
    return ends;
}

/// A socket rather than two pipes, for only a socket can be written without risking SIGPIPE.
Ends socketPair() {
    int fds[2];
    check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0 ? 0 : errno, "socketpair");
    UniqueFd first(fds[0]);
    UniqueFd second(fds[1]);
    Ends ends;
    ends.ours = aboveStandard(first.release());
    ends.theirs = aboveStandard(second.release());
    return ends;
}

/// Bytes that wait in a socket, to be read by us (SIOCINQ) or by the other side (SIOCOUTQ).
bool empty(int socket, unsigned long which) {
    int bytes = 0;
    return ::ioctl(socket, which, &bytes) == 0 && bytes == 0;
}

/// The attributes and file actions of posix_spawn, released on every way out.
struct SpawnSettings {
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_t actions{};

    SpawnSettings() {
        check(::posix_spawnattr_init(&attributes), "posix_spawnattr_init");
        if (const int error = ::posix_spawn_file_actions_init(&actions)) {
            ::posix_spawnattr_destroy(&attributes);
            check(error, "posix_spawn_file_actions_init");
        }
    }
    ~SpawnSettings() {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
};

}  // namespace

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
                           Clock::time_point deadline, std::stop_token stop, bool repeats, int passed)
    : m_deadline(deadline), m_stop(std::move(stop)) {
    auto stream = socketPair();
    auto errors = pipeToUs();
    Ends done;
    if (repeats) done = pipeToUs();

    SpawnSettings settings;
    check(::posix_spawn_file_actions_adddup2(&settings.actions, stream.theirs.get(), 0), "dup2");
    check(::posix_spawn_file_actions_adddup2(&settings.actions, stream.theirs.get(), 1), "dup2");
    check(::posix_spawn_file_actions_adddup2(&settings.actions, errors.theirs.get(), 2), "dup2");
    // Last, for one of the others may be this very descriptor.
    if (repeats) check(::posix_spawn_file_actions_adddup2(&settings.actions, done.theirs.get(), kDoneFile), "dup2");
    if (passed >= 0) check(::posix_spawn_file_actions_adddup2(&settings.actions, passed, kDoneFile), "dup2");
    const bool further = repeats || passed >= 0;
    check(::posix_spawn_file_actions_addclosefrom_np(&settings.actions, further ? kDoneFile + 1 : kDoneFile),
          "closefrom");
    sigset_t signals;
    ::sigemptyset(&signals);
    check(::posix_spawnattr_setsigmask(&settings.attributes, &signals), "sigmask");
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGXCPU, SIGXFSZ})
        ::sigaddset(&signals, signal);
    check(::posix_spawnattr_setsigdefault(&settings.attributes, &signals), "sigdefault");
    // A group of its own: Ctrl-C is for us to handle, and killing the group also ends what the program started.
    check(::posix_spawnattr_setpgroup(&settings.attributes, 0), "pgroup");
    check(::posix_spawnattr_setflags(&settings.attributes,
                                     POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP),
          "flags");

    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    check(::posix_spawn(&m_pid, program.c_str(), &settings.actions, &settings.attributes, argv.data(), environ),
          program.c_str());
    m_stream = std::move(stream.ours);
    m_done = std::move(done.ours);
    m_errors = std::move(errors.ours);
}

ChildProcess::~ChildProcess() { reap(); }

void ChildProcess::reap() {
    if (m_pid < 0) return;
    ::kill(-m_pid, SIGKILL);
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
}

bool ChildProcess::beginNext(Clock::time_point deadline, std::stop_token stop) {
    m_deadline = deadline;
    m_stop = std::move(stop);
    drainErrors();
    m_complaint.clear();
    // Nobody holds the other end now but the program itself, which touches it only for the next exchange.
    return look(0, 0) == Event::none && m_done && empty(m_stream.get(), SIOCINQ) && empty(m_stream.get(), SIOCOUTQ);
}

/// What there is within this time; events of 0 look for what the program says beside the exchange alone.
ChildProcess::Event ChildProcess::look(short events, int milliseconds) {
    // poll() leaves out what is negative.
    std::array<pollfd, 3> watched{pollfd{m_stream.get(), events, 0}, pollfd{m_errors.get(), POLLIN, 0},
                                  pollfd{m_done.get(), POLLIN, 0}};
    if (events == 0) watched[0].fd = -1;
    if (::poll(watched.data(), watched.size(), milliseconds) <= 0) return Event::none;
    if (watched[1].revents != 0) drainErrors();
    if (watched[0].revents != 0) return Event::ready;
    if ((watched[2].revents & POLLIN) != 0) return Event::done;
    // A program that serves one exchange only, or one that has ended, which its other streams tell.
    if (watched[2].revents != 0) m_done.reset();
    return Event::none;
}

ChildProcess::Transfer ChildProcess::waitFor(short events) {
    while (true) {
        if (m_stop.stop_requested()) return Transfer::stopped;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(m_deadline - Clock::now());
        if (left <= 0ms) return Transfer::timedOut;
        const auto slice = static_cast<int>(std::min<std::chrono::milliseconds>(left, kSlice).count());
        const auto event = look(events, std::max(slice, 1));
        if (event == Event::ready) return Transfer::complete;
        if (event == Event::done) return Transfer::closed;
    }
}

ChildProcess::Transfer ChildProcess::waitUntilDone() {
    while (m_done) {
        if (m_stop.stop_requested()) return Transfer::stopped;
        if (Clock::now() >= m_deadline) return Transfer::timedOut;
        const auto event = look(POLLIN, static_cast<int>(kSlice.count()));
        if (event == Event::ready) return Transfer::closed;
        if (event == Event::none) continue;
        std::byte byte{};
        return ::read(m_done.get(), &byte, 1) == 1 ? Transfer::complete : Transfer::closed;
    }
    return Transfer::closed;
}

void ChildProcess::drainErrors() {
    std::array<char, 512> buffer{};
    const auto got = m_errors ? ::read(m_errors.get(), buffer.data(), buffer.size()) : 0;
    if (got > 0) {
        const auto room = kComplaintBytes - std::min(kComplaintBytes, m_complaint.size());
        m_complaint.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
    } else if (got == 0) {
        m_errors.reset();
    }
}

ChildProcess::Transfer ChildProcess::send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        if (const auto state = waitFor(POLLOUT); state != Transfer::complete) return state;
        const auto sent = ::send(m_stream.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (sent < 0) return Transfer::closed;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return Transfer::complete;
}

ChildProcess::Transfer ChildProcess::receive(std::span<std::byte> buffer) {
    while (!buffer.empty()) {
        if (const auto state = waitFor(POLLIN); state != Transfer::complete) return state;
        const auto got = ::recv(m_stream.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (got <= 0) return Transfer::closed;
        buffer = buffer.subspan(static_cast<std::size_t>(got));
    }
    return Transfer::complete;
}

void ChildProcess::closeInput() { ::shutdown(m_stream.get(), SHUT_WR); }

ChildProcess::End ChildProcess::wait() {
    m_stream.reset();
    End end;
    auto pause = 100us;
    while (true) {
        siginfo_t info{};
        // Looked at without reaping, so that the process group stays ours to kill.
        const int failed = ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT);
        if (failed != 0 && errno != EINTR) {  // someone ignores SIGCHLD: it has ended, how is unknown
            end.ended = true;
            return end;
        }
        if (failed == 0 && info.si_pid == m_pid) {
            end.ended = true;
            (info.si_code == CLD_EXITED ? end.status : end.signal) = info.si_status;
            drainErrors();
            return end;
        }
        if (m_stop.stop_requested() || Clock::now() >= m_deadline) return end;
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::microseconds>(pause * 2, kSlice);
    }
}

std::string startingRemedy(const std::error_code& reason, const std::string& variable) {
    for (const int ours : {EMFILE, ENFILE, ENOMEM, EAGAIN}) {
        if (reason == std::error_code(ours, std::generic_category())) return openingRemedy(ours);
    }
    return "reinstall it, or set " + variable + " to its path";
}

std::string ChildProcess::complaint() const { return m_complaint.substr(0, m_complaint.find('\n')); }

}  // namespace warplens::io
