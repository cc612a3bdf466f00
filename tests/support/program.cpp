// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program.hpp"

#include <array>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>

extern char** environ;

namespace warplens::test {

namespace {

std::string contentOf(int file) {
    std::string text;
    std::array<char, 4096> piece{};
    lseek(file, 0, SEEK_SET);
    for (ssize_t got = 0; (got = read(file, piece.data(), piece.size())) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(got));
    return text;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

std::vector<std::string> overlaid(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (changes.count(text.substr(0, text.find('='))) == 0) all.push_back(text);
    }
    for (const auto& [name, value] : changes) {
        std::string entry = name;
        entry += '=';
        entry += value;
        all.push_back(std::move(entry));
    }
    return all;
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment) {
    // What tests compare is none of the user's history.
    auto quiet = environment;
    quiet.emplace("WARPLENS_HISTORY", "off");
    m_out = memfd_create("out", MFD_CLOEXEC);
    m_err = memfd_create("err", MFD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, m_out, 1);
    posix_spawn_file_actions_adddup2(&actions, m_err, 2);
    // A test run in the background may have them ignored or blocked; the program must start as a terminal starts it.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, ending;
    sigemptyset(&none);
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ending);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> words = arguments, variables = overlaid(quiet);
    const int failed = posix_spawn(&m_pid, arguments.front().c_str(), &actions, &attributes, pointers(words).data(),
                                   pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot start " + arguments.front());
}

Program::~Program() {
    if (m_pid > 0) {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    close(m_out);
    close(m_err);
}

void Program::signal(int number) const {
    if (m_pid > 0) kill(m_pid, number);
}

bool Program::waitForWork(std::chrono::milliseconds processorTime) const {
    clockid_t clock{};
    while (clock_getcpuclockid(m_pid, &clock) == 0) {
        timespec used{};
        siginfo_t info{};
        if (clock_gettime(clock, &used) != 0) return false;
        if (waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == m_pid)
            return false;
        if (std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec) >= processorTime) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

Outcome Program::wait(std::chrono::seconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    Outcome outcome;
    int state = 0;
    while (waitpid(m_pid, &state, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > end) {
            kill(m_pid, SIGKILL);
            waitpid(m_pid, &state, 0);
            m_pid = -1;
            outcome.err = "killed after the patience of the test was over\n" + contentOf(m_err);
            return outcome;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    m_pid = -1;
    outcome.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    outcome.out = contentOf(m_out);
    outcome.err = contentOf(m_err);
    return outcome;
}

}  // namespace warplens::test
