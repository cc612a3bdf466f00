// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/history/store.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/results.hpp"
#include "gui/session/run_control.hpp"

#include <QObject>
#include <QPointer>
#include <QString>
#include <utility>

class QSettings;

namespace warplens::gui {

/// The user's history, which the command line shares: keeps every comparison that ends, away from the UI thread, and
/// finds what took less time before.
class KeptComparisons : public QObject {
    Q_OBJECT
public:
    KeptComparisons(RunControl& control, Results& results, Activity& activity, QSettings& settings,
                    QObject* parent = nullptr);

    /// Whether comparisons are kept; what is kept stays.
    bool keeping() const;
    void setKeeping(bool on);
    /// Why nothing can be kept whatever the user chose, or empty: the environment says so, or there is no place for it.
    QString refusal() const;
    /// What the present comparison took longer for than an earlier one did, in a sentence; empty: nothing known.
    const QString& slower() const { return m_slower; }

    /// Runs `work(Store&)` elsewhere and then `done(its value)` here, while `receiver` lives. What fails is told in the
    /// notice.
    template <class Work, class Finish>
    void with(QObject* receiver, Work work, Finish done) {
        // A lane of its own: no request replaces another.
        auto* lane = new JobRunner(this);
        auto both = [this, work = std::move(work)](const JobContext& context) mutable {
            gpu::history::Store store(gpu::history::defaultFile());
            auto value = work(store);
            tell(store.notices(), context);
            return value;
        };
        using Value = decltype(both(std::declval<const JobContext&>()));
        lane->start(this, std::move(both),
                    [this, lane, alive = QPointer(receiver), done = std::move(done)](JobResult<Value> result) {
                        lane->deleteLater();
                        if (!result) return m_activity.report(result.failure().message);
                        if (alive) done(std::move(result.value()));
                    });
    }

signals:
    void slowerChanged();
    /// One was kept.
    void added();

private:
    void keep();
    void setSlower(const QString& sentence);
    void tell(const std::vector<std::string>& notices, const JobContext& context);

    Results& m_results;
    Activity& m_activity;
    QSettings& m_settings;
    QString m_slower;
};

}  // namespace warplens::gui
