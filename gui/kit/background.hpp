// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThreadPool>
#include <memory>
#include <utility>

namespace warplens::gui {

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

}  // namespace warplens::gui
