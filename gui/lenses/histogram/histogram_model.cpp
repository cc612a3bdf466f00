// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/histogram_model.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

/// Counting so few pixels takes less than a frame.
constexpr std::int64_t kCountedAtOnce = 1 << 18;

}  // namespace

HistogramModel::HistogramModel(RequestState& request, Results& results, gpu::Runner& runner, QObject* parent)
    : QObject(parent), m_request(request), m_results(results), m_runner(runner) {
    connect(&results, &Results::changed, this, &HistogramModel::follow);
    connect(&request, &RequestState::taskChanged, this, &HistogramModel::follow);
    connect(&request.devices(), &DeviceChoice::changed, this, &HistogramModel::startLanes);
    connect(&request.devices(), &DeviceChoice::changed, this, &HistogramModel::startFigures);
    connect(&request.parameters(), &ParameterState::changed, this, &HistogramModel::inputChanged);
    connect(&request.parameters(), &ParameterState::familyChanged, this, &HistogramModel::inputChanged);
    connect(&request.document(), &Document::changed, this, [this] {
        // A region belongs to a picture; one that does not fit the next would refuse it.
        if (mine() && m_request.parameters().has("region")) m_request.parameters().set("region", std::string());
        setRange(std::nullopt);
        m_figures.forget();  // of another picture
        m_lanes.forget();
        emit figuresChanged();
        emit lanesChanged();
        inputChanged();
    });
}

bool HistogramModel::mine() const {
    const gpu::Family* family = m_request.parameters().family();
    return family != nullptr && family->id() == "histogram";
}

void HistogramModel::setActive(bool active) {
    m_active = active;
    if (!active) return;
    follow();
    startFigures();
    startLanes();
}

void HistogramModel::setLanesWanted(bool wanted) {
    m_lanesWanted = wanted;
    startLanes();
}

const gpu::RunRecord* HistogramModel::record() const {
    return mine() && !m_countedBy.empty() ? m_results.of(m_countedBy) : nullptr;
}

void HistogramModel::follow() {
    if (!mine()) return;
    // The current variant's counts, or those of any other that has them: they are the same when they are right.
    std::string by;
    const auto usable = [&](const std::string& id) {
        const gpu::RunRecord* record = m_results.of(id);
        return record != nullptr && !record->yours && record->status == gpu::Status::ok &&
               !record->result.tables.empty() && !m_results.stale(id);
    };
    if (usable(m_request.current()))
        by = m_request.current();
    else
        for (int row = 0; row < m_request.variants().rowCount() && by.empty(); ++row)
            if (usable(m_request.variants().variant(row)->id)) by = m_request.variants().variant(row)->id;
    const bool outdated = by.empty() && m_counts != nullptr;
    if (by.empty()) {
        if (outdated != m_outdated) {
            m_outdated = outdated;
            emit countsChanged();
        }
        return;
    }
    const gpu::Tables& tables = m_results.of(by)->result.tables;
    const bool same = tables == m_tables && !m_outdated;
    m_countedBy = by;
    m_outdated = false;
    if (same) return emit countsChanged();  // its check may have come
    m_tables = tables;
    const auto counts = gpu::countsOf(tables);
    m_counts = counts;
    if (m_shown.size() != counts->channels.size()) {
        m_shown.clear();
        // Alpha is counted but rarely what is looked for.
        for (const gpu::CountedChannel& channel : counts->channels) m_shown.push_back(channel.name != "alpha");
        emit channelsChanged();
    }
    emit countsChanged();
    if (m_range) {
        const int first = binOf(*counts, m_range->low), last = binOf(*counts, m_range->high);
        const bool fits = first >= 0 && counts->edges[static_cast<std::size_t>(first)] == m_range->low &&
                          (m_range->high == counts->edges.back() ||
                           (last >= 0 && counts->edges[static_cast<std::size_t>(last)] == m_range->high));
        if (!fits) return setRange(std::nullopt);  // other bins
    }
    remark();
}

void HistogramModel::inputChanged() {
    startFigures();
    startLanes();
}

void HistogramModel::startFigures() {
    if (!m_active || !mine() || m_request.document().empty()) return;
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    std::optional<gpu::DeviceInfo> on;
    if (device != nullptr && device->ranks()) on = *device;
    // What is wrong with the parameters is said by the run that is refused.
    m_figures.ask({input(), on ? on->id : std::string(), {}},
                  [this, in = input(), &runner = m_runner, on](const JobContext& context) {
                      FigureWork work(in);
                      const auto show = [&] { m_figures.show(context, work.figures()); };
                      if (on && work.serve(runner, *on, context.stop())) show();
                      work.count(context.stop());
                      if (on) {
                          show();
                          work.check(runner, context.stop());
                      }
                      return work.figures();
                  });
}

void HistogramModel::setLaneVariant(const std::string& variant) {
    if (std::exchange(m_laneVariant, variant) == variant) return;
    startLanes();
}

std::size_t HistogramModel::firstShown() const {
    const auto at = std::ranges::find(m_shown, true);
    return at == m_shown.end() ? 0 : static_cast<std::size_t>(at - m_shown.begin());
}

void HistogramModel::startLanes() {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    if (!m_active || !m_lanesWanted || !mine() || m_request.document().empty() || device == nullptr ||
        m_laneVariant.empty())
        return;
    const Of of{input(), device->id, m_laneVariant, firstShown()};
    m_lanes.ask(of, [of, on = *device](const JobContext& context) {
        return countLanes(of.input, of.variant, of.channel, on, context.stop());
    });
}

void HistogramModel::setChannelShown(std::size_t channel, bool shown) {
    if (channel >= m_shown.size() || m_shown[channel] == shown) return;
    m_shown[channel] = shown;
    emit channelsChanged();
    remark();
    startLanes();
}

void HistogramModel::setRange(std::optional<ValueRange> range) {
    if (std::exchange(m_range, range) == range) return;
    emit rangeChanged();
    remark();
}

std::int64_t HistogramModel::pixels() const {
    return m_counts == nullptr || m_counts->channels.empty() ? 0 : elementsOf(m_counts->channels.front());
}

void HistogramModel::remark() {
    m_markJobs.discard();
    m_marked.reset();
    m_rule.reset();
    const auto grid = m_request.document().grid();
    if (!m_range || m_counts == nullptr || m_outdated || figures() == nullptr || grid == nullptr)
        return emit marksChanged();
    auto rule = std::make_shared<MarkRule>();
    rule->range = *m_range;
    rule->channels = m_shown;
    rule->selection = figures()->selection;
    rule->luminance = figures()->luminance;
    m_rule = rule;
    if (std::ranges::count(m_shown, true) == 1)
        m_marked = countIn(*m_counts, firstShown(), *m_range);
    else if (grid->shape().pixels() <= kCountedAtOnce)
        m_marked = countMarked(*grid, *rule);
    else
        m_markJobs.start(
            this, [grid, rule](const JobContext& context) { return countMarked(*grid, *rule, context.stop()); },
            [this](JobResult<std::int64_t> result) {
                if (!result) return;
                m_marked = result.value();
                emit marksChanged();
            });
    emit marksChanged();
}

std::vector<int> HistogramModel::binsAt(QPoint pixel, std::int64_t slice) const {
    const auto grid = m_request.document().grid();
    if (grid == nullptr || m_counts == nullptr || m_outdated || figures() == nullptr) return {};
    const auto& shape = grid->shape();
    if (!figures()->selection.contains(pixel.x(), pixel.y(), slice)) return {};
    if (figures()->luminance != nullptr)
        return {binOf(*m_counts,
                      figures()->luminance->value(shape.width * (slice * shape.height + pixel.y()) + pixel.x(), 0))};
    std::vector<int> bins;
    for (int c = 0; c < shape.channels && c < static_cast<int>(m_counts->channels.size()); ++c)
        bins.push_back(binOf(*m_counts, grid->value(pixel.x(), pixel.y(), slice, c)));
    return bins;
}

}  // namespace warplens::gui
