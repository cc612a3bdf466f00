// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/pipeline.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

// Threads of its own rather than oneTBB's parallel_pipeline: there a stage has one worker or as many as there are
// threads, a stage that waits for a codec takes a thread from the CPU device's kernels, and a kernel that waits for its
// own parts may be given another item's stage to do meanwhile, so that intervals overlap and no stage has workers to
// name.

namespace warplens::gpu {
namespace {

using Deliver = std::function<void(std::size_t, const std::exception_ptr&)>;

class Pipeline {
public:
    Pipeline(std::size_t items, const std::vector<PipelineStage>& stages, const PipelineBounds& bounds,
             const Deliver& deliver, const std::stop_token& stop)
        : m_stages(stages), m_bounds(bounds), m_deliver(deliver), m_states(items), m_link(stop, Link{m_stop}) {
        m_run.intervals.reserve(items * stages.size());
    }

    PipelineRun run() {
        m_run.begin = PipelineClock::now();
        if (m_states.size() <= 1)
            single();
        else
            threaded();
        // What had passed all stages when everything stood still; what failed then may have failed by the stop.
        const bool stopped = m_stop.stop_requested();
        for (auto& next = m_run.delivered; next < m_begun && m_states[next].finished; deliverNext())
            if (stopped && m_states[next].failure) break;
        m_run.end = PipelineClock::now();
        return std::move(m_run);
    }

private:
    struct Link {
        std::stop_source& source;
        void operator()() const { source.request_stop(); }
    };
    struct State {
        std::size_t stage = 0;  ///< the next one, or the one at work
        bool working = false, finished = false;
        std::int64_t weight = 0;
        std::exception_ptr failure{};
    };

    void single() {
        for (std::size_t stage = 0; stage < m_stages.size() && m_states.size() == 1; ++stage) {
            if (m_stop.stop_requested() || m_states.front().finished) return;
            m_begun = 1;
            work(stage, 0, 0);
        }
    }

    void threaded() {
        std::vector<std::jthread> threads;
        // Also when a thread cannot be started or delivering throws: nobody waits for a worker that waits for work.
        struct End {
            std::stop_source& source;
            ~End() { source.request_stop(); }
        } const end{m_over};
        const std::stop_callback stopped(m_stop.get_token(), Link{m_over});
        for (std::size_t stage = 0; stage < m_stages.size(); ++stage)
            for (int worker = 0; worker < std::max(1, m_stages[stage].workers); ++worker)
                threads.emplace_back([this, stage, worker] { serve(stage, worker); });
        try {
            deliverAll();
        } catch (...) {
            m_stop.request_stop();
            threads.clear();
            throw;
        }
        m_over.request_stop();
        threads.clear();
    }

    /// Until everything is delivered or a stop was asked for.
    void deliverAll() {
        while (m_run.delivered < m_states.size()) {
            {
                std::unique_lock lock(m_mutex);
                const bool next =
                    m_changed.wait(lock, m_over.get_token(), [this] { return m_states[m_run.delivered].finished; });
                if (!next || m_stop.stop_requested()) return;
            }
            deliverNext();
        }
    }

    void deliverNext() {
        m_deliver(m_run.delivered, m_states[m_run.delivered].failure);
        {
            const std::lock_guard lock(m_mutex);
            ++m_run.delivered;
        }
        m_changed.notify_all();
    }

    void serve(std::size_t stage, int worker) {
        while (true) {
            std::size_t item = 0;
            {
                std::unique_lock lock(m_mutex);
                std::optional<std::size_t> found;
                m_changed.wait(lock, m_over.get_token(), [&] { return (found = waiting(stage)).has_value(); });
                // A stage may hear of the stop before m_over does.
                if (m_stop.stop_requested() || m_over.stop_requested() || !found) return;
                item = *found;
                m_states[item].working = true;
                m_begun = std::max(m_begun, item + 1);
            }
            work(stage, worker, item);
        }
    }

    /// The item that the stage is to take next; none: it has to wait. Under the lock.
    std::optional<std::size_t> waiting(std::size_t stage) {
        if (stage == 0) return m_begun < m_states.size() && hasRoom() ? std::optional(m_begun) : std::nullopt;
        for (std::size_t item = m_run.delivered; item < m_begun; ++item) {
            const State& state = m_states[item];
            if (state.finished || state.stage > stage) continue;
            if (state.stage == stage && !state.working) return item;
            if (m_stages[stage].workers <= 1) return std::nullopt;  // this one comes first
        }
        return std::nullopt;
    }

    /// Whether one more item may be in flight.
    bool hasRoom() {
        const std::size_t inFlight = m_begun - m_run.delivered;
        std::int64_t sum = m_states[m_begun].weight = m_bounds.weight ? m_bounds.weight(m_begun) : 0;
        if (inFlight == 0) return true;
        if (inFlight >= std::max<std::size_t>(m_bounds.items, 1)) return false;
        if (m_bounds.bytes == 0) return true;
        for (std::size_t item = m_run.delivered; item < m_begun; ++item) sum += m_states[item].weight;
        return sum <= m_bounds.bytes;
    }

    void work(std::size_t stage, int worker, std::size_t item) {
        WorkInterval interval{.item = item, .stage = stage, .worker = worker, .begin = PipelineClock::now(), .end = {}};
        std::exception_ptr failure;
        std::int64_t weight = 0;
        try {
            m_stages[stage].work(item, worker, m_stop.get_token());
        } catch (...) {
            failure = std::current_exception();
        }
        try {
            if (m_bounds.weight) weight = m_bounds.weight(item);  // what failed holds memory too, until it is delivered
        } catch (...) {
            if (!failure) failure = std::current_exception();
        }
        interval.end = PipelineClock::now();
        {
            const std::lock_guard lock(m_mutex);
            m_run.intervals.push_back(interval);
            State& state = m_states[item];
            state.working = false;
            state.weight = weight;
            state.failure = failure;
            state.finished = ++state.stage == m_stages.size() || failure != nullptr;
        }
        m_changed.notify_all();
    }

    const std::vector<PipelineStage>& m_stages;
    const PipelineBounds& m_bounds;
    const Deliver& m_deliver;
    std::vector<State> m_states;
    PipelineRun m_run;
    std::size_t m_begun = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::stop_source m_stop;  ///< asked for: stages hear it
    std::stop_source m_over;  ///< nothing more is to be taken
    std::stop_callback<Link> m_link;
};

}  // namespace

PipelineRun runPipeline(std::size_t items, const std::vector<PipelineStage>& stages, const PipelineBounds& bounds,
                        const Deliver& deliver, const std::stop_token& stop) {
    return Pipeline(items, stages, bounds, deliver, stop).run();
}

}  // namespace warplens::gpu
