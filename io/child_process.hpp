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
#include <vector>

namespace warplens::io {

/// A program run for one exchange of bytes: what we send is its standard input, what we receive its standard output.
/// Every transfer obeys one deadline and one stop token. The destructor kills what still runs, with everything
/// the program itself started, and reaps it. No signal handler is changed and no SIGPIPE is raised.
class ChildProcess {
public:
    using Clock = std::chrono::steady_clock;
    enum class Transfer {
        complete,
        closed,  ///< the other side closed before all bytes had passed
        timedOut,
        stopped
    };
    struct End {
        bool ended = false;  ///< false: it still ran at the deadline
        int status = 0;      ///< exit status, when signal is 0
        int signal = 0;      ///< what killed it, or 0
    };

    /// Starts the program with no file open but its three standard streams. Throws std::system_error.
    ChildProcess(const std::string& program, const std::vector<std::string>& arguments, Clock::time_point deadline,
                 std::stop_token stop);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Gives it more time, or less.
    void setDeadline(Clock::time_point deadline) { m_deadline = deadline; }
    /// Sends all bytes.
    Transfer send(std::span<const std::byte> bytes);
    /// Ends its standard input.
    void closeInput() { m_input.reset(); }
    /// Fills the whole buffer.
    Transfer receive(std::span<std::byte> buffer);
    /// Stops listening: a program that still writes is ended by that.
    void closeOutput() { m_output.reset(); }
    /// Waits until it has ended by itself.
    End wait();
    /// The first line it wrote to standard error so far, at most 200 characters.
    std::string complaint() const;

private:
    Transfer waitFor(int fd, short events);
    void drainErrors();
    void reap();

    pid_t m_pid = -1;
    Clock::time_point m_deadline;
    std::stop_token m_stop;
    UniqueFd m_input;
    UniqueFd m_output;
    UniqueFd m_errors;
    std::string m_complaint;
};

/// What to do when a program of ours does not start, by the reason; `variable` is the one that may hold its path.
std::string startingRemedy(const std::error_code& reason, const std::string& variable);

}  // namespace warplens::io
