// SPDX-License-Identifier: Apache-2.0
#include "gui/timeline/timeline_model.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace warplens::gui {

namespace {

constexpr double kLeastSeen = 1e-6;  // seconds

constexpr std::int64_t kUsualBytes = std::int64_t{1} << 30;
constexpr int kFewest = 2, kUsual = 16, kUsualOnCpu = 4;
constexpr int kSamples = 5, kSamplesOnCpu = 3;

}  // namespace

void TimelineModel::show(gpu::Timeline timeline, const QString& what, Origin from) {
    m_timeline = std::move(timeline);
    m_what = what;
    m_origin = from;
    m_shares = gpu::stageShares(m_timeline);
    m_critical = gpu::criticalOf(m_shares);
    m_exposed = gpu::idleTimes(m_timeline, m_critical);
    m_chosen.reset();
    makeLanes();
    m_from = 0;
    m_to = std::max(m_timeline.seconds, kLeastSeen);
    emit changed();
    emit seen();
}

void TimelineModel::makeLanes() {
    m_lanes.clear();
    for (std::size_t i = 0; i < m_timeline.stages.size(); ++i) {
        const gpu::Timeline::Stage& whole = m_timeline.stages[i];
        const QString stage = QString::fromStdString(whole.name);
        const std::size_t first = m_lanes.size();
        for (int worker = 0; worker < whole.workers; ++worker)
            m_lanes.push_back({.name = QString::fromStdString(whole.nameOf(worker)),
                               .stage = stage,
                               .place = {},
                               .critical = i == m_critical,
                               .workers = whole.workers});
        for (const auto& span : m_timeline.spans)
            if (span.stage == i) m_lanes[first + span.worker].bars.push_back({span.item, span.begin, span.end});
        if (whole.name == "compute") addParts(whole);
    }
    for (Lane& lane : m_lanes) std::ranges::sort(lane.bars, {}, &Bar::begin);
}

void TimelineModel::addParts(const gpu::Timeline::Stage& whole) {
    const QString stage = QString::fromStdString(whole.name);
    for (const auto& part : m_timeline.parts) {
        // Of a worker's name, "compute 3, cuda:1", as many say the same as it has parts.
        const QString of = whole.places.empty() ? QString() : QString::fromStdString(whole.nameOf(part.worker));
        const QString name = (of.isEmpty() ? of : of + QStringLiteral(": ")) + QString::fromStdString(part.name);
        auto lane = std::ranges::find_if(m_lanes, [&](const Lane& one) { return one.part && one.name == name; });
        if (lane == m_lanes.end()) {
            m_lanes.push_back(
                {.name = name, .stage = stage, .place = of.section(QStringLiteral(", "), 1), .part = true});
            lane = m_lanes.end() - 1;
        }
        lane->bars.push_back({part.item, part.begin, part.end, part.modelled});
    }
}

double TimelineModel::exposedSeconds() const {
    double sum = 0;
    for (const auto& [begin, end] : m_exposed) sum += end - begin;
    return sum;
}

void TimelineModel::see(double from, double to) {
    const double whole = std::max(m_timeline.seconds, kLeastSeen);
    const double width = std::clamp(to - from, std::min(kLeastSeen, whole), whole);
    m_from = std::clamp(from, 0.0, whole - width);
    m_to = m_from + width;
    emit seen();
}

void TimelineModel::zoom(double factor, double at) {
    const double width = std::clamp((m_to - m_from) / factor, kLeastSeen, std::max(m_timeline.seconds, kLeastSeen));
    const double from = at - (at - m_from) * width / (m_to - m_from);
    see(from, from + width);
}

void TimelineModel::pan(double share) {
    const double by = share * (m_to - m_from);
    see(m_from + by, m_to + by);
}

void TimelineModel::choose(std::optional<Place> place) {
    if (m_chosen == place) return;
    m_chosen = place;
    emit seen();
}

void TimelineModel::step(int bars, int lanes) {
    const int count = static_cast<int>(m_lanes.size());
    if (!m_chosen) {
        const auto first = std::ranges::find_if(m_lanes, [](const Lane& lane) { return !lane.bars.empty(); });
        if (first != m_lanes.end()) choose(Place{static_cast<int>(first - m_lanes.begin()), 0});
        return;
    }
    Place place = *m_chosen;
    const double middle = (bar(place).begin + bar(place).end) / 2;
    if (bars != 0) {
        place.second = std::clamp(place.second + bars, 0, static_cast<int>(m_lanes[place.first].bars.size()) - 1);
    } else {
        int lane = place.first;
        do lane += lanes;
        while (lane >= 0 && lane < count && m_lanes[lane].bars.empty());
        if (lane < 0 || lane >= count) return;
        const auto distance = [&](const Bar& one) { return std::abs((one.begin + one.end) / 2 - middle); };
        const auto& all = m_lanes[lane].bars;
        place = {lane, static_cast<int>(std::ranges::min_element(all, {}, distance) - all.begin())};
    }
    m_chosen = place;
    const Bar& now = bar(place);
    const double width = m_to - m_from;
    if (now.begin < m_from || now.end > m_to)
        see((now.begin + now.end - width) / 2, (now.begin + now.end + width) / 2);
    else
        emit seen();
}

std::optional<TimelineModel::Place> TimelineModel::at(int lane, double seconds, double around) const {
    if (lane < 0 || lane >= static_cast<int>(m_lanes.size())) return std::nullopt;
    std::optional<Place> nearest;
    double least = around;
    const auto& bars = m_lanes[lane].bars;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double apart = std::max({0.0, bars[i].begin - seconds, seconds - bars[i].end});
        if (apart > least) continue;
        least = apart;
        nearest = Place{lane, static_cast<int>(i)};
        if (apart == 0) break;
    }
    return nearest;
}

QString TimelineModel::text(double seconds) {
    if (seconds >= 10) return tr("%1 s").arg(format::significant(seconds, seconds >= 100 ? 4 : 3));
    return tr("%1 ms").arg(format::significant(seconds * 1e3, seconds >= 1 ? 4 : 3));
}

QStringList TimelineModel::describe(Place place) const {
    const Lane& lane = m_lanes[place.first];
    const Bar& one = bar(place);
    QString origin = originName(m_origin);
    if (one.modelled)
        origin = tr("modelled: the median times the number of samples");
    else if (lane.part)
        origin += tr(", its position from its order");
    QString took = tr("%1 (%2)").arg(text(one.end - one.begin), origin);
    const std::int64_t bytes = one.item < m_timeline.bytes.size() ? m_timeline.bytes[one.item] : 0;
    if (bytes > 0) {
        took += tr(", %1 decoded").arg(format::bytes(bytes));
        if (one.end > one.begin)
            took += tr(", %1 GB/s").arg(format::significant(static_cast<double>(bytes) / (one.end - one.begin) * 1e-9));
    }
    const auto ms = [](double seconds) { return QString::number(seconds * 1e3, 'f', 2); };
    const QString item = QString::fromStdString(m_timeline.items[one.item]).section('/', -1);
    // Pictures that are moved are called by their number.
    const bool named = m_timeline.variants || item.startsWith(QStringLiteral("picture"));
    return {
        named ? tr("%1: %2").arg(lane.name, item)
              : tr("%1: picture %2, %3").arg(lane.name, format::integer(static_cast<std::int64_t>(one.item) + 1), item),
        tr("from %1 to %2 ms").arg(ms(one.begin), ms(one.end)), took};
}

MovementModel::MovementModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent)
    : QObject(parent), m_request(request), m_control(control), m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    connect(&m_jobs, &JobRunner::busyChanged, this, &MovementModel::busyChanged);
    connect(&request, &RequestState::taskChanged, this, &MovementModel::taskChanged);
    connect(&request.devices(), &DeviceChoice::changed, this, &MovementModel::taskChanged);
}

bool MovementModel::ready() const { return m_request.ready(); }

int MovementModel::usualPictures() const {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    if (device == nullptr || m_request.document().empty()) return kUsual;
    const auto grid = m_request.document().grid();
    const auto bytes = std::max<std::int64_t>(1, grid->shape().values() * static_cast<int>(io::sizeOf(grid->type())));
    return static_cast<int>(
        std::clamp<std::int64_t>(kUsualBytes / bytes, kFewest, device->ranks() ? kUsual : kUsualOnCpu));
}

gpu::MovementRequest MovementModel::request(int pictures) const {
    // What only a host or another maker's device runs moves nothing: then what the tuning takes.
    const gpu::Variant* current = m_request.currentVariant();
    const bool kernel = current != nullptr && current->kind == gpu::Variant::Kind::kernel &&
                        m_request.variants().kernel(current->id) == nullptr;
    const gpu::Request made = m_request.make({kernel ? m_request.current() : gpu::kAuto}, true);
    return {.input = made.input,
            .inputName = made.inputName,
            .family = made.family,
            .parameters = made.parameters,
            .variant = made.variants.front(),
            .tunables = made.tunables,
            .pictures = static_cast<std::size_t>(pictures),
            .samples = m_request.devices().chosen()->ranks() ? kSamples : kSamplesOnCpu,
            .ways = {},
            .memoryCap = made.memoryCap};
}

void MovementModel::start(int pictures) {
    if (busy() || !ready()) return;
    // Nothing else may keep the device from its work, or be in the times.
    m_control.cancelLive();
    m_activity.report({});
    m_jobs.start(
        this,
        [&runner = m_control.runner(), request = request(pictures),
         device = m_request.devices().chosen()->id](const JobContext& context) {
            return runner.movement(request, device, context.stop(),
                                   [&context](double fraction, const std::string& what) {
                                       context.progress(fraction, QString::fromStdString(what));
                                   });
        },
        [this](JobResult<gpu::TransferBenchmark> result) { finish(std::move(result)); });
}

void MovementModel::finish(JobResult<gpu::TransferBenchmark> result) {
    m_control.resumeLive();
    if (!result) return m_activity.fail(result.failure());
    const gpu::TransferBenchmark& movement = result.value();
    if (movement.verification.mismatches > 0)
        return m_activity.report(tr("%1 gives wrong values, the first at %2: nothing was timed.")
                                     .arg(QString::fromStdString(movement.variant),
                                          QString::fromStdString(movement.verification.firstMismatch)));
    const int all = static_cast<int>(gpu::movementWays().size()), done = static_cast<int>(movement.rows.size());
    const auto could = std::ranges::count(movement.rows, gpu::Status::ok, &gpu::MovementRow::status);
    m_activity.note(movement.interrupted ? tr("Stopped after %1 of %2 transfer methods").arg(done).arg(all)
                                         : tr("Measured %1 of %2 transfer methods").arg(could).arg(all));
    if (done > 0) emit measured(movement);
}

}  // namespace warplens::gui
