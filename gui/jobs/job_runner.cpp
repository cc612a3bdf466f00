// SPDX-License-Identifier: Apache-2.0
#include "gui/jobs/job_runner.hpp"

#include <QMetaObject>

namespace warplens::gui {

void JobContext::progress(double fraction, const QString& what) const {
    JobRunner* runner = m_runner;
    m_runner->post(
        m_generation, [runner, fraction, what] { emit runner->progress(fraction, what); }, false);
}

void JobContext::deliver(std::function<void()> action) const { m_runner->post(m_generation, std::move(action), false); }

JobRunner::JobRunner(QObject* parent) : QObject(parent) {
    m_worker = std::jthread([this](const std::stop_token& quit) { loop(quit); });
}

JobRunner::~JobRunner() {
    m_worker.request_stop();
    {
        const std::lock_guard lock(m_mutex);
        m_queued.reset();
        if (m_runningStop.stop_possible()) m_runningStop.request_stop();
    }
    m_worker.join();
}

JobFailure JobRunner::cancelledFailure() { return {JobFailure::Kind::cancelled, tr("Cancelled.")}; }

quint64 JobRunner::enqueue(QObject* receiver, Job job) {
    m_receiver = receiver;
    job.generation = ++m_generation;
    {
        const std::lock_guard lock(m_mutex);
        m_queued = std::move(job);
        if (m_runningStop.stop_possible()) m_runningStop.request_stop();
    }
    m_wake.notify_one();
    if (!m_busy) {
        m_busy = true;
        emit busyChanged(true);
    }
    return m_generation;
}

void JobRunner::cancel() {
    std::optional<Job> dropped;
    {
        const std::lock_guard lock(m_mutex);
        dropped.swap(m_queued);
        if (m_runningStop.stop_possible()) m_runningStop.request_stop();
    }
    if (!dropped) return;
    if (m_receiver != nullptr) finish(dropped->abandon);
}

void JobRunner::discard() {
    ++m_generation;
    m_receiver.clear();
    cancel();
    finish({});
}

void JobRunner::post(quint64 generation, std::function<void()> action, bool last) {
    // The call goes to this object, which outlives its worker; the receiver is looked at on its own thread only.
    QMetaObject::invokeMethod(
        this,
        [this, generation, action = std::move(action), last] {
            if (generation != m_generation) return;
            if (last)
                finish(m_receiver != nullptr ? action : std::function<void()>());
            else if (m_receiver != nullptr)
                action();
        },
        Qt::QueuedConnection);
}

void JobRunner::finish(std::function<void()> action) {
    const quint64 generation = m_generation;
    if (action) action();
    if (generation != m_generation || !m_busy) return;  // the action started the next job
    m_busy = false;
    emit busyChanged(false);
}

void JobRunner::loop(const std::stop_token& quit) {
    while (true) {
        std::optional<Job> job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return m_queued.has_value(); })) return;
            job.swap(m_queued);
            m_runningStop = job->stop;
        }
        if (quit.stop_requested()) return;
        const JobContext context(*this, job->generation, job->stop.get_token());
        auto action = job->run(context);
        {
            const std::lock_guard lock(m_mutex);
            m_runningStop = std::stop_source(std::nostopstate);
        }
        post(job->generation, std::move(action), true);
    }
}

}  // namespace warplens::gui
