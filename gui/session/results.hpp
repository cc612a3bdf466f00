// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/report/report.hpp"
#include "gui/session/run_table_model.hpp"
#include "gui/session/visible_variants.hpp"

#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

/// What came out: the newest run of each variant of the family at hand, whether it belongs to the present values, and
/// the last comparison. What other families were left with is kept. It starts nothing.
class Results : public QObject {
    Q_OBJECT
public:
    Results(RequestState& request, VisibleVariants& lookedAt, RunTableModel& runs, QObject* parent = nullptr);

    /// The result of a variant, with its picture; null when there is none.
    const gpu::RunRecord* of(const std::string& id) const;
    /// The same; null as well when it belongs to values that have changed since.
    const gpu::RunRecord* present(const std::string& id) const { return stale(id) ? nullptr : of(id); }
    /// Whether of() belongs to values that have changed since.
    bool stale(const std::string& variant) const;
    /// Whether of() came out well and its picture, which nobody looked at then, was not kept; it is computed again as
    /// soon as it is looked at.
    bool notKept(const std::string& variant) const;
    /// Whether there is no present result of a variant that one could look at.
    bool lacks(const std::string& id) const { return present(id) == nullptr || notKept(id); }
    /// What is looked at and lacks.
    std::vector<std::string> lookedAtAndLacking() const;
    /// Which of the runs that were asked for the variant's result came from.
    std::uint64_t run(const std::string& variant) const;
    /// The largest picture that is kept of a result that nobody looks at.
    void setKeptBytes(std::size_t bytes) { m_keptBytes = bytes; }

    /// The comparison whose numbers are shown, without its pictures; null when there is none, or values changed since.
    const gpu::Report* report() const { return m_now.report ? &*m_now.report : nullptr; }
    /// First and last edge of the present histograms; absent when there is none, or when they belong to earlier values.
    std::optional<std::pair<double, double>> countedRange() const;
    /// Throughput of the current variant's verified run, or empty.
    QString rate() const;
    /// The fastest exact variant whose device's clock measured it; null when there is none.
    const gpu::Variant* fastest() const;

    /// Takes what a run found; `stale`: of values that have changed meanwhile.
    void take(const gpu::RunRecord& record, std::uint64_t run, bool stale = false);
    void take(const gpu::Comparison& comparison, gpu::Report report);
    /// What showing a variant's picture took, in ms; of what is no variant: nothing.
    void noteDisplay(const std::string& variant, double ms);
    /// A variant became another one: what there is of it stays to be looked at, without its numbers.
    void outdate(const std::string& variant);
    /// Values changed: what there is stays to be looked at, without its numbers.
    void markStale();
    /// Expects the checked variants anew.
    void expect();
    /// Forgets all results, those that other families were left with as well: they are of another picture.
    void clear();
    /// Forgets what other families were left with: it is of another device.
    void forgetLeft() { m_left.clear(); }
    /// Puts aside what the family has, and takes up what the present one was left with.
    void saveFamily(const gpu::Family* family);
    void restoreFamily();

signals:
    /// A pane may have something new to show.
    void changed();

private:
    struct Result {
        gpu::RunRecord record;
        bool stale = false;
        std::uint64_t run = 0;
        bool dropped = false;  ///< its picture was, as nobody looked at it
    };
    /// All that is known of one family.
    struct Family {
        std::map<std::string, Result> results;
        gpu::Work work;  ///< of the last comparison, as are the clocks
        std::optional<gpu::ClockState> clocks;
        std::optional<gpu::Report> report;
    };

    /// Forgets the picture if it is large.
    void drop(Result& result) const;
    void showContext(const std::optional<gpu::Limits>& limits);

    RequestState& m_request;
    VisibleVariants& m_lookedAt;
    RunTableModel& m_runs;
    Family m_now;
    std::map<const gpu::Family*, Family> m_left;
    std::size_t m_keptBytes = std::size_t{64} << 20;
};

}  // namespace warplens::gui
