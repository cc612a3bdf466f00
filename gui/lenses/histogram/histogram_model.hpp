// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gui/kit/derived.hpp"
#include "gui/lenses/histogram/histogram_jobs.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"

#include <QObject>
#include <QPoint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// What the Histogram page shows: the counts of the session's present result, figures of the values, how lanes meet,
/// and which values and pixels are marked. It works only while it is active.
class HistogramModel : public QObject {
    Q_OBJECT
public:
    /// Figures come from the runner's device where times on it rank kernels, else from the CPU, which is faster there.
    HistogramModel(RequestState& request, Results& results, gpu::Runner& runner, QObject* parent = nullptr);

    /// The page is shown: figures are computed and kept up to date.
    void setActive(bool active);
    /// Whether it is counted how lanes meet.
    void setLanesWanted(bool wanted);
    bool active() const { return m_active; }

    /// The last counts there are; null before the first.
    const std::shared_ptr<const gpu::BinnedCounts>& counts() const { return m_counts; }
    /// Whether counts() belong to earlier values of the parameters, or to the picture before.
    bool outdated() const { return m_outdated; }
    /// The variant that counted them, and what became of its check.
    const gpu::RunRecord* record() const;

    const std::vector<bool>& shownChannels() const { return m_shown; }
    void setChannelShown(std::size_t channel, bool shown);

    /// Always whole bins.
    const std::optional<ValueRange>& range() const { return m_range; }
    void setRange(std::optional<ValueRange> range);
    /// Pixels marked, once counted. With one channel shown that is the sum of its bins.
    std::optional<std::int64_t> markedPixels() const { return m_marked; }
    /// Marks the range in the picture; null while there is nothing to mark.
    std::shared_ptr<const MarkRule> markRule() const { return m_rule; }

    /// The bins of the pixel: one a channel, -1 for none.
    std::vector<int> binsAt(QPoint pixel, std::int64_t slice) const;

    /// Null until they are there.
    const SelectedFigures* figures() const { return m_figures.latest(); }
    const LaneMap* lanes() const { return m_lanes.latest(); }
    void setLaneVariant(const std::string& variant);
    /// Pixels that are counted; 0 until known.
    std::int64_t pixels() const;
    /// Whether any of its jobs is under way.
    bool busy() const { return m_figures.busy() || m_lanes.busy() || m_markJobs.busy(); }

signals:
    void countsChanged();
    void channelsChanged();
    void rangeChanged();
    /// What is marked, or how many that are.
    void marksChanged();
    void figuresChanged();
    void lanesChanged();

private:
    void follow();
    void inputChanged();
    void startFigures();
    void startLanes();
    void remark();
    bool mine() const;
    HistogramInput input() const { return {m_request.document().grid(), m_request.parameters().values()}; }
    std::size_t firstShown() const;

    RequestState& m_request;
    Results& m_results;
    gpu::Runner& m_runner;
    bool m_active = false, m_lanesWanted = true;
    gpu::Tables m_tables;  ///< that hold the counts
    std::shared_ptr<const gpu::BinnedCounts> m_counts;
    std::string m_countedBy;
    bool m_outdated = false;
    std::vector<bool> m_shown;
    std::optional<ValueRange> m_range;
    std::shared_ptr<const MarkRule> m_rule;
    std::optional<std::int64_t> m_marked;
    /// What figures and lanes are of: a device by its id, of figures none where the CPU is asked.
    struct Of {
        HistogramInput input;
        std::string device, variant;
        std::size_t channel = 0;
        bool operator==(const Of&) const = default;
    };
    Derived<Of, SelectedFigures> m_figures{[this] {
        emit figuresChanged();
        remark();
    }};
    Derived<Of, LaneMap> m_lanes{[this] { emit lanesChanged(); }};
    std::string m_laneVariant;
    JobRunner m_markJobs;
};

}  // namespace warplens::gui
