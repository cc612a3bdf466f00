// SPDX-License-Identifier: Apache-2.0
#include "io/codec_pool.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace warplens::io {
namespace {

struct Waiting {
    std::string program;
    BorrowedCodec::Work work;
    std::unique_ptr<ChildProcess> process;
};

/// Programs between two requests; each costs three descriptors and a few megabytes.
class Pool {
public:
    std::unique_ptr<ChildProcess> take(const std::string& program, BorrowedCodec::Work work) {
        const std::lock_guard lock(m_mutex);
        // The last one that came is the one whose memory is nearest.
        const auto found = std::find_if(m_waiting.rbegin(), m_waiting.rend(),
                                        [&](const Waiting& one) { return one.program == program && one.work == work; });
        if (found == m_waiting.rend()) return nullptr;
        auto process = std::move(found->process);
        m_waiting.erase(std::next(found).base());
        return process;
    }
    void put(const std::string& program, BorrowedCodec::Work work, std::unique_ptr<ChildProcess> process) {
        // Reading and writing go on at once, each on every processor.
        static const std::size_t kMost = 2 * std::max(1U, std::thread::hardware_concurrency());
        const std::lock_guard lock(m_mutex);
        if (m_waiting.size() < kMost) m_waiting.push_back({program, work, std::move(process)});
    }
    void clear() {
        const std::lock_guard lock(m_mutex);
        m_waiting.clear();
    }

private:
    std::mutex m_mutex;
    std::vector<Waiting> m_waiting;
};

Pool& pool() {
    static Pool one;
    return one;
}

}  // namespace

BorrowedCodec::BorrowedCodec(const std::string& program, Work work, ChildProcess::Clock::time_point deadline,
                             const std::stop_token& stop)
    : m_program(program), m_work(work) {
    while ((m_process = pool().take(program, work)) && !m_process->beginNext(deadline, stop)) {
    }
    if (!m_process) {
        m_process = std::make_unique<ChildProcess>(program, std::vector<std::string>{"serve", "--repeatedly"}, deadline,
                                                   stop, true);
    }
}

void BorrowedCodec::giveBack() && { pool().put(m_program, m_work, std::move(m_process)); }

void endWaitingCodecs() { pool().clear(); }

}  // namespace warplens::io
