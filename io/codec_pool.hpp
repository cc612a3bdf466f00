// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/child_process.hpp"

#include <memory>
#include <stop_token>
#include <string>

namespace warplens::io {

/// A warplens-codec that is ours for one request. The program answers each request in a fork of its own, so nothing of
/// one request, not even a codec that its file has taken over, is there for the next.
class BorrowedCodec {
public:
    enum class Work { decode, encode };  ///< no program does both: in a batch they go on at once

    /// One that waits for such work, or a new one. Throws std::system_error when it does not start.
    BorrowedCodec(const std::string& program, Work work, ChildProcess::Clock::time_point deadline,
                  const std::stop_token& stop);

    ChildProcess& operator*() const { return *m_process; }
    ChildProcess* operator->() const { return m_process.get(); }
    /// For another request, of whoever comes; without this it is ended.
    void giveBack() &&;

private:
    std::string m_program;
    Work m_work;
    std::unique_ptr<ChildProcess> m_process;
};

/// Ends the programs that wait for requests. They end with ours as well.
void endWaitingCodecs();

}  // namespace warplens::io
