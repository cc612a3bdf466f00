// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace warplens::gui {

/// A value that a key determines, found on another thread: asked for again when the key is another one, dropped when it
/// comes for an earlier key, remembered for the keys asked for last. Where there is none, problem() says why.
template <class Key, class Value>
class Derived {
public:
    /// `changed` is called when a job has ended or shows what it has so far; of ask() and forget() their caller knows.
    explicit Derived(std::function<void()> changed, std::size_t remembered = 1)
        : m_changed(std::move(changed)), m_remembered(remembered) {}

    /// Asks for the value of `key` unless it was asked for last, or again after a cancelled job; `work(const
    /// JobContext&)` gives a Value. Whether anything has changed.
    template <class Work>
    bool ask(Key key, Work work) {
        if (m_key == key) return false;
        m_key = std::move(key);
        m_problem.clear();
        const auto known = std::ranges::find(m_values, *m_key, &Entry::first);
        m_busy = known == m_values.end();
        if (!m_busy) {
            m_jobs.discard();
            m_values.splice(m_values.begin(), m_values, known);
            return true;
        }
        m_jobs.start(&m_jobs, std::move(work), [this](JobResult<Value> result) { take(std::move(result)); });
        return true;
    }
    /// From within the work: what it has of the value so far, which stands for it until it ends.
    void show(const JobContext& context, Value sofar) {
        context.deliver([this, sofar = std::make_shared<Value>(std::move(sofar))] {
            put(std::move(*sofar));
            m_changed();
        });
    }
    /// There is no key, and nothing of earlier ones; `why` where that is to be said.
    void forget(const QString& why = {}) {
        drop();
        m_values.clear();
        m_problem = why;
    }
    /// Nobody wants the value of the key any more; what was known before stays known.
    void drop() {
        m_jobs.discard();
        m_key.reset();
        m_problem.clear();
        m_busy = false;
    }
    /// Asks the job to stop; it is as if its key had not been asked for.
    void cancel() { m_jobs.cancel(); }

    /// Of the key asked for last; null while it is not known.
    const Value* value() const {
        return m_key && !m_values.empty() && m_values.front().first == *m_key ? latest() : nullptr;
    }
    /// The one that was known last, of the present key or an earlier one; null where there is a problem.
    const Value* latest() const {
        return m_values.empty() || !m_problem.isEmpty() ? nullptr : &m_values.front().second;
    }
    const std::optional<Key>& key() const { return m_key; }
    const QString& problem() const { return m_problem; }
    bool busy() const { return m_busy; }
    /// For progress.
    JobRunner& jobs() { return m_jobs; }

private:
    using Entry = std::pair<Key, Value>;

    void put(Value value) {
        if (this->value() != nullptr) m_values.pop_front();
        m_values.emplace_front(*m_key, std::move(value));
        if (m_values.size() > m_remembered) m_values.pop_back();
    }
    void take(JobResult<Value> result) {
        m_busy = false;
        if (result)
            put(std::move(result.value()));
        else if (result.cancelled())
            m_key.reset();
        else
            m_problem = result.failure().message;
        m_changed();
    }

    std::function<void()> m_changed;
    std::size_t m_remembered;
    std::optional<Key> m_key;
    std::list<Entry> m_values;  ///< the newest first
    QString m_problem;
    bool m_busy = false;
    JobRunner m_jobs;  ///< last: ends before what its results go to
};

}  // namespace warplens::gui
