// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/report/report.hpp"
#include "gpu/report/run_columns.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplens::gui {

/// Runs of one request, a row a variant, in the order of the ladder. It decides what a number may say: an unverified or
/// wrong result has no time; times of two clocks are not compared; on a device whose times rank nothing there is no
/// verdict, no ratio and no winner.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Column `i` is the gpu::RunColumn of id `i`.
    static constexpr int kColumns = gpu::RunColumn::kShown;
    enum Role {
        IdRole = Qt::UserRole,
        IdeaRole,    ///< int of gpu::Idea
        RunsOnRole,  ///< where a row runs that is no kernel of ours, whatever the device: "CPU", "OpenCL"; or "yours"
        StateRole,   ///< int of ResultState; invalid while there is no result
        ReasonRole,  ///< why there are no numbers, one sentence; spans the row
        SortRole,    ///< a number or text; invalid sorts last
        RankedRole,  ///< false: a time that ranks nothing, written grey
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Rows for these variants, without results yet. `ranking`: whether the device's times rank kernels; `yours`: ids
    /// of kernels of the user's.
    void expect(const std::vector<const gpu::Variant*>& variants, bool ranking, std::set<std::string> yours = {});
    /// Forgets all results, or one; rows stay.
    void clearResults();
    void clearResult(const std::string& id);
    /// Which columns there are: of kernels' times and what bounds them, or of all stages of a run.
    void setStages(bool stages);
    bool stages() const { return m_stages; }
    /// What showing the result of a row took, in ms.
    void setDisplay(const std::string& id, double ms);
    std::optional<double> displayMs(const std::string& id) const;
    /// Of a row whose time may be shown.
    std::optional<gpu::Stages> stagesOf(int row) const;
    /// A result, as soon as it is there. Rows that were not expected are ignored.
    void setRecord(const gpu::RunRecord& record);
    /// Measured ceilings, minimal traffic and clock readings: for the limit line and the trust text.
    void setContext(const std::optional<gpu::Limits>& limits, const gpu::Work& work,
                    const std::optional<gpu::ClockState>& clocks);
    /// Earlier runs of the same work on another GPU, whose times stand in a column of their own. They outlive the
    /// model.
    void setRecorded(const std::optional<gpu::RecordedSource>& recorded);
    /// Whether all of a comparison is there: what was not recorded by then will not be.
    void setCompared(bool compared) { m_compared = compared; }
    bool compared() const { return m_compared; }
    /// How the work was cut into slabs; empty: it fitted as a whole. Shown with the next setContext().
    void setPlan(const QString& plan) { m_plan = plan; }
    const QString& plan() const { return m_plan; }
    void setBaseline(const std::string& id);
    const std::string& baseline() const { return m_baseline; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Where a column's numbers come from; none for names and words.
    std::optional<Origin> origin(int column) const;
    /// Whether a column says anything on this device.
    bool applies(int column) const;
    /// Whether its numbers come from times taken here.
    bool ofTimes(int column) const;
    bool ranking() const { return m_ranking; }
    const gpu::Variant* variant(int row) const;
    const gpu::RunRecord* record(int row) const;
    int rowOf(const std::string& id) const;
    /// The time of a row that may be shown: verified (a library's by its own bound).
    const gpu::Timing* time(int row) const;
    /// The same of the earlier run on another GPU; null where there is none of this very launch.
    const gpu::Timing* recordedTime(int row) const;
    /// Whose times those are: GPU, date, picture; empty without them.
    QString recordedLine() const;
    /// Minimal bytes at the speed measured for their kind of traffic, in ms; modelled.
    std::optional<double> limitMs() const;
    /// What limitMs() is made of: "input once + output once at copy speed".
    QString limitFormula() const;
    /// How far the numbers can be trusted, in a few words; empty without times.
    QString trust() const;

private:
    struct Row {
        const gpu::Variant* variant;
        std::optional<gpu::RunRecord> record;
        std::optional<double> displayMs{};
    };
    QVariant text(const Row& row, int column) const;
    QVariant sortKey(const Row& row, int column) const;
    QString reason(const Row& row) const;
    QString tooltip(const Row& row) const;
    const gpu::Timing* timeOf(const Row& row) const;
    gpu::RunsBeside beside() const;
    /// What the head of the recorded run's column says of it.
    QString recordedHelp() const;
    void touchAll();

    std::vector<Row> m_rows;
    std::set<std::string> m_yours;
    std::optional<gpu::RecordedSource> m_recorded;
    std::string m_baseline;
    QString m_plan;
    bool m_ranking = true;
    bool m_stages = false;
    bool m_compared = false;
    std::optional<gpu::Limits> m_limits;
    gpu::Work m_work;
    std::optional<gpu::ClockState> m_clocks;
};

/// The table's order. Rows without a comparable number come last, in ladder order, whichever way it is sorted; on a
/// device whose times rank nothing the ladder takes the place of their order.
class RunSortProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit RunSortProxy(RunTableModel* runs, QObject* parent = nullptr);
    RunTableModel* runs() const { return m_runs; }
    /// Source row of a shown row, or -1.
    int sourceRow(int row) const;
    /// Shown row of a variant, or -1.
    int rowOf(const std::string& id) const;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /// The table as shown, tab-separated, with heads and units: for spreadsheets.
    QString tsv() const;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    void followDevice();
    RunTableModel* m_runs;
    int m_wanted = gpu::RunColumn::median;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

}  // namespace warplens::gui
