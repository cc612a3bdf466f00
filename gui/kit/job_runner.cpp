// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/job_runner.hpp"

#include "gpu/core/error.hpp"
#include "io/error.hpp"

#include <QCoreApplication>
#include <QMetaObject>
#include <new>

namespace warplens::gui {

namespace {

JobFailure::Kind kindOf(io::Error::Kind kind) {
    switch (kind) {
        case io::Error::Kind::cancelled: return JobFailure::Kind::cancelled;
        case io::Error::Kind::argument: return JobFailure::Kind::argument;
        default: return JobFailure::Kind::file;
    }
}

JobFailure::Kind kindOf(gpu::Error::Kind kind) {
    switch (kind) {
        case gpu::Error::Kind::cancelled: return JobFailure::Kind::cancelled;
        case gpu::Error::Kind::argument:
        case gpu::Error::Kind::unsupported: return JobFailure::Kind::argument;
        case gpu::Error::Kind::internal: return JobFailure::Kind::internal;
        default: return JobFailure::Kind::device;
    }
}

}  // namespace

JobFailure failureOf(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const io::Error& e) {
        return {kindOf(e.kind()), QString::fromUtf8(e.what())};
    } catch (const gpu::Error& e) {
        return {kindOf(e.kind()), QString::fromUtf8(e.what())};
    } catch (const std::bad_alloc&) {
        return {JobFailure::Kind::internal,
                QCoreApplication::translate("Jobs", "Not enough memory. Close other pictures or use a smaller one.")};
    } catch (const std::exception& e) {
        return {JobFailure::Kind::internal, QString::fromUtf8(e.what())};
    } catch (...) {
        return {JobFailure::Kind::internal,
                QCoreApplication::translate("Jobs", "An unknown failure stopped the work.")};
    }
}

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
