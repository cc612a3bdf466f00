// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPointer>
#include <QPromise>
#include <QString>
#include <QThreadPool>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

namespace warplens::gui {

class JobRunner;

/// Runs `work` on the thread pool and then `done` with its result on `owner`'s thread, unless `owner` has gone by then.
/// `work` must not throw and must not touch `owner`.
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done) {
    using Result = decltype(work());
    auto promise = std::make_shared<QPromise<Result>>();
    auto* const watcher = new QFutureWatcher<Result>(owner);
    QObject::connect(watcher, &QFutureWatcherBase::finished, owner, [watcher, done = std::move(done)] {
        watcher->deleteLater();
        if (watcher->future().resultCount() > 0) done(watcher->result());
    });
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, work = std::move(work)]() mutable {
        promise->start();
        promise->addResult(work());
        promise->finish();
    });
}

/// Why a job gave nothing: data, so that it can be shown, counted and tested like any other result.
struct JobFailure {
    enum class Kind { argument, file, device, cancelled, internal };
    Kind kind = Kind::internal;
    QString message;  ///< one line: what, where, what to do
};

/// Sorts an exception of io, gpu or the standard library into a failure.
JobFailure failureOf(const std::exception_ptr& error);

/// What a job delivers: a value, or why there is none.
template <class T>
class JobResult {
public:
    JobResult(T value) : m_value(std::make_unique<T>(std::move(value))) {}
    JobResult(JobFailure failure) : m_failure(std::move(failure)) {}

    explicit operator bool() const { return m_value != nullptr; }
    T& value() { return *m_value; }
    const T& value() const { return *m_value; }
    const JobFailure& failure() const { return m_failure; }
    bool cancelled() const { return m_value == nullptr && m_failure.kind == JobFailure::Kind::cancelled; }

private:
    std::unique_ptr<T> m_value;
    JobFailure m_failure;
};

/// The value of a job that only does something.
struct Done {};

/// What a job sees of the world while it runs on the worker thread.
class JobContext {
public:
    const std::stop_token& stop() const { return m_stop; }
    /// Reports 0..1 and a few words; shown while this job is the newest.
    void progress(double fraction, const QString& what) const;
    /// Runs `action` on the UI thread, unless a newer job was started or the receiver is gone by then.
    void deliver(std::function<void()> action) const;

private:
    friend class JobRunner;
    JobContext(JobRunner& runner, quint64 generation, std::stop_token stop)
        : m_runner(&runner), m_generation(generation), m_stop(std::move(stop)) {}
    JobRunner* m_runner;
    quint64 m_generation;
    std::stop_token m_stop;
};

/// The one way to leave the UI thread: a lane with one worker. A newer job replaces an older queued one and asks the
/// running one to stop; whatever an older job still delivers is dropped. All members are for the thread it lives in.
class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr);
    /// Asks the running job to stop and waits for it.
    ~JobRunner() override;

    /// Runs `work(const JobContext&)` on the worker, then `done(JobResult<...>)` on this thread while `receiver` lives.
    /// An exception out of `work` arrives as a failure. Returns the job's generation.
    template <class Work, class Finish>
    quint64 start(QObject* receiver, Work work, Finish done) {
        using Value = std::invoke_result_t<Work, const JobContext&>;
        Job job;
        job.run = [work = std::move(work), done](const JobContext& context) mutable -> std::function<void()> {
            auto result = std::make_shared<JobResult<Value>>(attempt<Value>(work, context));
            return [done, result]() mutable { done(std::move(*result)); };
        };
        job.abandon = [done]() mutable { done(JobResult<Value>(cancelledFailure())); };
        return enqueue(receiver, std::move(job));
    }

    /// Asks the running job to stop; its result (what is done so far, or a failure) is still delivered. A queued job
    /// is told at once that it was cancelled.
    void cancel();
    /// As cancel(), but nothing more of any job so far is delivered.
    void discard();
    /// From start() until the newest job's result was delivered.
    bool busy() const { return m_busy; }

signals:
    void busyChanged(bool busy);
    void progress(double fraction, const QString& what);

private:
    friend class JobContext;
    struct Job {
        quint64 generation = 0;
        std::function<std::function<void()>(const JobContext&)>
            run;  ///< on the worker; returns what to do on the UI thread
        std::function<void()> abandon;
        std::stop_source stop;
    };

    template <class Value, class Work>
    static JobResult<Value> attempt(Work& work, const JobContext& context) {
        try {
            return JobResult<Value>(work(context));
        } catch (...) {
            return JobResult<Value>(failureOf(std::current_exception()));
        }
    }
    static JobFailure cancelledFailure();
    quint64 enqueue(QObject* receiver, Job job);
    void post(quint64 generation, std::function<void()> action, bool last);
    void finish(std::function<void()> action);
    void loop(const std::stop_token& quit);

    QPointer<QObject> m_receiver;  ///< of the newest job
    quint64 m_generation = 0;
    bool m_busy = false;

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_queued;
    std::stop_source m_runningStop{std::nostopstate};
    std::jthread m_worker;  ///< last: stops before the rest goes
};

}  // namespace warplens::gui
