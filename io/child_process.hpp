// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"

#include <chrono>
#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <system_error>
#include <utility>
#include <vector>

namespace warplens::io {

/// A program that we exchange bytes with: what we send is its standard input, what we receive its standard output; both
/// are one socket. Every transfer obeys one deadline and one stop token. The destructor kills what still runs, with
/// everything the program itself started, and reaps it. No signal handler is changed and no SIGPIPE is raised.
class ChildProcess {
public:
    using Clock = std::chrono::steady_clock;
    enum class Transfer {
        complete,
        closed,  ///< the other side closed, or is done with the exchange, before all bytes had passed
        timedOut,
        stopped
    };
    struct End {
        bool ended = false;  ///< false: it still ran at the deadline
        int status = 0;      ///< exit status, when signal is 0
        int signal = 0;      ///< what killed it, or 0
    };

    /// For programs that serve one exchange after the other: the descriptor on which they write a byte after each.
    static constexpr int kDoneFile = 3;

    /// Starts the program with no file open but its three standard streams and, if it `repeats` or gets a file of ours
    /// (`passed`, not negative), kDoneFile. Throws std::system_error.
    ChildProcess(const std::string& program, const std::vector<std::string>& arguments, Clock::time_point deadline,
                 std::stop_token stop, bool repeats = false, int passed = -1);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Begins the next exchange. False when the program cannot have one: it has ended, or bytes of the last are left.
    bool beginNext(Clock::time_point deadline, std::stop_token stop);
    /// Gives it more time, or less.
    void setDeadline(Clock::time_point deadline) { m_deadline = deadline; }
    void setStop(std::stop_token stop) { m_stop = std::move(stop); }
    /// Sends all bytes.
    Transfer send(std::span<const std::byte> bytes);
    /// Ends its standard input.
    void closeInput();
    /// Fills the whole buffer.
    Transfer receive(std::span<std::byte> buffer);
    /// Waits until it says that it is done with this exchange. `closed` when it never will: it ends after one exchange,
    /// has ended, or still writes.
    Transfer waitUntilDone();
    /// Stops talking and listening, by which a program that still does is ended, and waits until it has.
    End wait();
    /// The first line it wrote to standard error so far, at most 200 characters.
    std::string complaint() const;

private:
    enum class Event { none, ready, done };
    Event look(short events, int milliseconds);
    Transfer waitFor(short events);
    void drainErrors();
    void reap();

    pid_t m_pid = -1;
    Clock::time_point m_deadline;
    std::stop_token m_stop;
    UniqueFd m_stream;
    UniqueFd m_done;
    UniqueFd m_errors;
    std::string m_complaint;
};

/// What to do when a program of ours does not start, by the reason; `variable` is the one that may hold its path.
std::string startingRemedy(const std::error_code& reason, const std::string& variable);

}  // namespace warplens::io
