// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace warplens::gpu {

/// What several threads that work for one device have together: one copy a direction at a time, and one kernel.
struct EngineLocks {
    std::recursive_mutex upload, kernels, download;
};

/// What the thread that made it does for a row, and when, by the host's steady clock, as it happens. A device belongs
/// to the thread that uses it, so a log hears of one run alone; where there is none nothing is kept. The newest of a
/// thread hears.
class StageLog {
public:
    using Clock = std::chrono::steady_clock;
    struct Span {
        const char* stage;  ///< one of kStages
        Clock::time_point begin, end;
    };
    static constexpr const char *kUpload = "upload", *kLayout = "planar layout", *kKernel = "kernel",
                                *kHost = "host row", *kDownload = "download", *kVerify = "verify";
    static constexpr const char* kStages[] = {kUpload, kLayout, kKernel, kHost, kDownload, kVerify};

    /// With turns each stage of during() waits for its engine's; they must outlive the log.
    explicit StageLog(EngineLocks* turns = nullptr) : m_before(std::exchange(t_listens, this)), m_turns(turns) {}
    ~StageLog() { t_listens = m_before; }
    StageLog(const StageLog&) = delete;
    StageLog& operator=(const StageLog&) = delete;

    /// What was done since the last call, in the order of its ends.
    std::vector<Span> take() {
        m_told = 0;
        return std::exchange(m_spans, {});
    }

    /// Tells this thread's log of what was done: finer than the stretch around it, if there is one, which is not told
    /// then.
    static void tell(const char* stage, Clock::time_point begin, Clock::time_point end) {
        if (t_listens == nullptr) return;
        t_listens->m_spans.push_back({stage, begin, end});
        t_listens->m_told = t_listens->m_spans.size();
    }

    /// The turn of the stage's engine, until it goes; holds nothing where this thread has an engine to itself.
    static std::unique_lock<std::recursive_mutex> turn(const char* stage) {
        EngineLocks* const turns = t_listens != nullptr ? t_listens->m_turns : nullptr;
        if (turns == nullptr || stage == kVerify) return {};
        return std::unique_lock(stage == kUpload     ? turns->upload
                                : stage == kDownload ? turns->download
                                                     : turns->kernels);
    }

    /// Does `work` in its turn, and tells this thread's log when.
    template <class Work>
    static auto during(const char* stage, const Work& work) {
        const auto mine = turn(stage);
        const Stretch stretch(stage);
        return work();
    }

private:
    class Stretch {
    public:
        explicit Stretch(const char* stage)
            : m_stage(stage), m_first(t_listens != nullptr ? t_listens->m_spans.size() : 0), m_begin(Clock::now()) {}
        ~Stretch() {
            if (t_listens != nullptr && t_listens->m_told <= m_first)
                t_listens->m_spans.push_back({m_stage, m_begin, Clock::now()});
        }
        Stretch(const Stretch&) = delete;
        Stretch& operator=(const Stretch&) = delete;

    private:
        const char* m_stage;
        std::size_t m_first;
        Clock::time_point m_begin;
    };

    static inline thread_local StageLog* t_listens = nullptr;
    StageLog* m_before;
    EngineLocks* m_turns;
    std::vector<Span> m_spans;
    std::size_t m_told = 0;  ///< spans there were after the last one that was told
};

}  // namespace warplens::gpu
