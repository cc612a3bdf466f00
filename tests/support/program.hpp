// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warplens::test {

/// How a program ended, and what it said.
struct Outcome {
    int status = -1;  ///< exit status; 128 + N when signal N ended it; -1 when it had to be killed
    std::string out, err;
};

/// A program under test, with its output in files so that no pipe can fill up. Killed with the object.
class Program {
public:
    /// Starts `arguments[0]`. `environment` overlays the present one, in which the history is switched off.
    explicit Program(const std::vector<std::string>& arguments,
                     const std::map<std::string, std::string>& environment = {});
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void signal(int number) const;
    /// Waits until it has worked for so long, however busy the machine is; false when it ended before.
    bool waitForWork(std::chrono::milliseconds processorTime) const;
    /// Waits; kills it when the patience is over.
    Outcome wait(std::chrono::seconds patience = std::chrono::seconds(120));

private:
    pid_t m_pid = -1;
    int m_out = -1, m_err = -1;
};

inline Outcome runProgram(const std::vector<std::string>& arguments,
                          const std::map<std::string, std::string>& environment = {}) {
    return Program(arguments, environment).wait();
}

}  // namespace warplens::test
