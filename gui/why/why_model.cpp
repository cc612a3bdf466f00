// SPDX-License-Identifier: Apache-2.0
#include "gui/why/why_model.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/rates.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warplens::gui {

namespace {

/// Values that are still being changed are not counted yet.
constexpr int kSettleMs = 350;

}  // namespace

WhyModel::WhyModel(RequestState& request, Results& results, RunControl& control, Activity& activity, MapOf mapOf,
                   QObject* parent)
    : QObject(parent),
      m_request(request),
      m_results(results),
      m_control(control),
      m_activity(activity),
      m_mapOf(std::move(mapOf)),
      m_recordedRuns(recordedRuns()) {
    m_due.setSingleShot(true);
    m_due.setInterval(kSettleMs);
    connect(&m_due, &QTimer::timeout, this, &WhyModel::explain);
    connect(&control, &RunControl::compared, this, &WhyModel::countsChanged);
    connect(&request, &RequestState::taskChanged, this, [this](const gui::Task& before, const gui::Task& now) {
        if (!before.samePicture(now)) m_explained = false;
        if (!before.samePicture(now) || !before.sameValues(now)) follow();
        // A row that was added is counted as the others are.
        if (!before.sameRows(now) && m_active && task() != nullptr && counts()) m_due.start();
        if (before.sameCurrent(now)) return;
        m_compared.clear();
        m_map.drop();
        startMap();
        emit countsChanged();
        emit mapChanged();
    });
    for (JobRunner* jobs : {&m_countJobs, &m_map.jobs()}) {
        connect(jobs, &JobRunner::busyChanged, this, &WhyModel::busyChanged);
        connect(jobs, &JobRunner::progress, this, &WhyModel::progress);
    }
}

void WhyModel::setActive(bool active) {
    m_active = active;
    if (active) follow();
}

bool WhyModel::TaskKey::operator==(const TaskKey& other) const {
    return input.lock() == other.input.lock() && family == other.family && parameters == other.parameters;
}

WhyModel::TaskKey WhyModel::presentKey() const {
    const gpu::Family* family = m_request.parameters().family();
    return {m_request.document().grid(), family == nullptr ? std::string() : family->id(),
            m_request.parameters().values()};
}

void WhyModel::findTask() {
    const auto grid = m_request.document().grid();
    const gpu::Family* family = m_request.parameters().family();
    m_asked.reset();
    if (grid == nullptr || family == nullptr) return m_tasks.clear();
    Task task{.key = presentKey(), .records = {}};
    const auto same = std::ranges::find(m_tasks, task.key, &Task::key);
    if (same != m_tasks.end()) {
        task = std::move(*same);
        m_tasks.erase(same);
    }
    m_tasks.push_front(std::move(task));
    if (m_tasks.size() > kKeptTasks) m_tasks.pop_back();

    m_asked.emplace(*family, m_tasks.front().key.parameters, *grid, m_request.document().input().toStdString());
}

void WhyModel::pose() {
    if (m_tasks.empty()) return m_posed.forget();
    // Whoever counts it is told why it cannot be; only the outlines of blocks are missing.
    m_posed.ask(m_tasks.front().key,
                [family = m_request.parameters().family(), input = m_request.document().grid(),
                 values = m_tasks.front().key.parameters](const JobContext&) -> std::shared_ptr<const gpu::Problem> {
                    return family->pose(input, values);
                });
}

void WhyModel::follow() {
    if (!m_active) return;
    m_countJobs.discard();
    m_map.drop();
    m_problem.clear();
    m_compared.clear();
    findTask();
    emit taskChanged();
    emit countsChanged();
    emit mapChanged();
    if (!m_tasks.empty() && counts()) m_due.start();
    pose();
    startMap();
    emit busyChanged();
}

/// In two parts: what the page shows now, and the rest of the ladder.
std::vector<std::vector<std::string>> WhyModel::missingVariants() const {
    std::vector<std::string> seen, rest;
    const auto lacks = [&](const gpu::Variant* row) {
        return row != nullptr && row->kind == gpu::Variant::Kind::kernel &&
               m_request.variants().kernel(row->id) == nullptr && !m_tasks.front().records.contains(row->id) &&
               std::ranges::find(seen, row->id) == seen.end();
    };
    for (const gpu::Variant* row : {m_request.currentVariant(), comparedVariant()})
        if (lacks(row)) seen.push_back(row->id);
    for (const gpu::Variant* row : m_request.variants().rows())
        if (lacks(row)) rest.push_back(row->id);
    std::vector<std::vector<std::string>> parts{std::move(seen), std::move(rest)};
    std::erase_if(parts, &std::vector<std::string>::empty);
    return parts;
}

gpu::Comparison WhyModel::count(gpu::Tracer& tracer, const std::vector<gpu::Request>& parts,
                                const JobContext& context) {
    std::size_t all = 0, before = 0;
    for (const gpu::Request& part : parts) all += part.variants.size();
    gpu::Comparison counted;
    for (const gpu::Request& part : parts) {
        gpu::Observer observer;
        observer.progress = [&](double fraction, const std::string& what) {
            const double done = static_cast<double>(before) + fraction * static_cast<double>(part.variants.size());
            context.progress(done / static_cast<double>(all), tr("Counting: %1").arg(QString::fromStdString(what)));
        };
        observer.record = [this, &context](const gpu::RunRecord& record) {
            context.deliver([this, record] { take(record); });
        };
        gpu::Comparison more = tracer.explain(part, context.stop(), observer);
        std::ranges::move(more.runs, std::back_inserter(counted.runs));
        counted.interrupted = more.interrupted;
        if (counted.interrupted) break;
        before += part.variants.size();
    }
    return counted;
}

void WhyModel::explain() {
    m_due.stop();
    m_explained = true;
    if (task() == nullptr) return;
    const auto tracer = m_control.tracer();
    if (tracer == nullptr) {
        m_problem = tr("Nothing here counts: this program was started without a tracer.");
        emit countsChanged();
        return emit busyChanged();
    }
    std::vector<gpu::Request> parts;
    std::size_t asked = 0;
    for (const std::vector<std::string>& ids : missingVariants()) {
        parts.push_back(m_request.make(ids, false));
        asked += ids.size();
    }
    if (parts.empty()) return emit busyChanged();
    m_problem.clear();
    m_clock.start();
    m_countJobs.start(
        this, [this, tracer, parts](const JobContext& context) { return count(*tracer, parts, context); },
        [this, asked](JobResult<gpu::Comparison> result) {
            if (!result) {
                m_problem = result.failure().message;
            } else {
                const QString seconds = format::significant(static_cast<double>(m_clock.elapsed()) / 1000, 2);
                const auto done = result.value().runs.size();
                m_lastJob = result.value().interrupted ? tr("Stopped after %1 of %2 variants").arg(done).arg(asked)
                                                       : tr("Traced %1 variants in %2 s").arg(done).arg(seconds);
                m_activity.note(m_lastJob, true);
                if (result.value().interrupted) m_problem = tr("Stopped; F6 counts the rest.");
            }
            emit countsChanged();
        });
    emit countsChanged();
}

void WhyModel::take(const gpu::RunRecord& record) {
    if (m_tasks.empty()) return;
    m_tasks.front().records[record.id()] = record;
    emit countsChanged();
}

void WhyModel::cancel() {
    if (m_due.isActive()) m_problem = tr("Stopped; F6 counts the rest.");
    m_due.stop();
    m_countJobs.cancel();
    m_map.cancel();
    emit countsChanged();
    emit busyChanged();
}

const WhyModel::Task* WhyModel::task() const {
    // While the page is hidden the task at hand may become another one.
    return !m_tasks.empty() && m_tasks.front().key == presentKey() ? &m_tasks.front() : nullptr;
}

const gpu::RunRecord* WhyModel::record(const std::string& variant) const {
    const Task* at = task();
    if (at == nullptr) return nullptr;
    const auto found = at->records.find(variant);
    return found == at->records.end() ? nullptr : &found->second;
}

const gpu::Counters* WhyModel::counters(const std::string& variant) const {
    const gpu::RunRecord* found = record(variant);
    return found != nullptr && found->counters ? &*found->counters : nullptr;
}

const gpu::Variant* WhyModel::comparedVariant() const {
    const gpu::Variant* current = m_request.currentVariant();
    if (current == nullptr) return nullptr;
    const gpu::Variant* chosen = m_request.variants().variant(m_compared.empty() ? current->predecessor : m_compared);
    return chosen == current ? nullptr : chosen;
}

void WhyModel::setComparedVariant(const std::string& variant) {
    if (std::exchange(m_compared, variant) != variant) emit countsChanged();
}

std::optional<gpu::WhyTime> WhyModel::time(const std::string& variant) const {
    const auto usable = [](const gpu::RunRecord& run) {
        return run.time && run.time->clock == gpu::Clock::device && stateOf(run) == ResultState::verified;
    };
    if (const gpu::RunRecord* run = m_results.of(variant); run != nullptr && !m_results.stale(variant) && usable(*run))
        return gpu::WhyTime{*run->time, gpu::Origin::measured};
    const auto tunables = tunablesOf(variant);
    const auto recorded = tunables && !m_request.devices().ranking() ? recordedTimes() : std::nullopt;
    const gpu::RunRecord* run = recorded ? recorded->run(gpu::variantIn(variant), *tunables) : nullptr;
    if (run == nullptr || !usable(*run)) return std::nullopt;
    return gpu::WhyTime{*run->time, gpu::Origin::recorded};
}

std::optional<gpu::RecordedSource> WhyModel::source(gpu::RecordedFigure figure) const {
    if (task() == nullptr || !m_asked) return std::nullopt;
    const auto all = m_recordedRuns.of(*m_asked, figure);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::optional<gpu::TunableValues> WhyModel::tunablesOf(const std::string& id) const {
    const Task* at = task();
    // While the family changes, the list is still of the one before.
    const gpu::Family* family = m_request.parameters().family();
    if (at == nullptr || family == nullptr || gpu::findVariant(family->id(), gpu::variantIn(id)) == nullptr)
        return std::nullopt;
    if (const gpu::RunRecord* run = record(id)) return run->tunables;
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    if (posed() == nullptr || device == nullptr) return std::nullopt;
    const gpu::RunSpec run = gpu::parseRunSpec(*family, id);
    return posed()->resolved(*run.variant, run.chosen, *device);
}

std::optional<gpu::Footprint> WhyModel::footprint(const std::string& id) const {
    const gpu::Variant* variant = m_request.variants().variant(id);
    if (task() == nullptr || posed() == nullptr || variant == nullptr || variant->kind != gpu::Variant::Kind::kernel ||
        m_request.variants().kernel(id) != nullptr)
        return std::nullopt;
    // A footprint of what cannot run means nothing.
    if (const gpu::RunRecord* run = record(id); run != nullptr && !run->counters) return std::nullopt;
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    if (device == nullptr) return std::nullopt;
    const gpu::RunSpec run = gpu::parseRunSpec(*m_request.parameters().family(), id);
    return posed()->footprint(*run.variant, posed()->resolved(*run.variant, run.chosen, *device));
}

std::optional<gpu::Request> WhyModel::asked(const std::string& variant) const {
    if (task() == nullptr) return std::nullopt;
    return m_request.make({variant}, false);
}

void WhyModel::setMapWanted(bool wanted) {
    m_mapWanted = wanted;
    m_map.drop();
    startMap();
    emit mapChanged();
}

const gpu::LoadMap* WhyModel::map() const {
    const bool present = m_mapWanted && m_map.key() == MapKey{presentKey(), m_request.current()};
    return present ? m_map.value() : nullptr;
}

const PixelMap& WhyModel::mapKind() const {
    static const PixelMap reads{tr("Reads"), tr("%1, global memory"), tr("counting how often each pixel is read"),
                                tr("reads of a pixel"), tr("read %1 times")};
    const gpu::Family* family = m_request.parameters().family();
    const PixelMap* own = family == nullptr ? nullptr : m_mapOf(*family);
    return own == nullptr ? reads : *own;
}

void WhyModel::startMap() {
    if (!m_active || !m_mapWanted || task() == nullptr) return;
    const MapKey key{task()->key, m_request.current()};
    if (const auto& count = mapKind().count) {
        if (m_request.devices().chosen() == nullptr) return;
        m_map.ask(key, [key, count, input = m_request.document().grid(),
                        device = *m_request.devices().chosen()](const JobContext& context) {
            PixelMap::Counted counted = count(input, key.task.parameters, key.variant, device, context.stop());
            if (counted.map == nullptr) throw gpu::Error(gpu::Error::Kind::unsupported, counted.reason);
            return gpu::LoadMap{.loads = counted.map};
        });
    } else if (const auto& tracer = m_control.tracer()) {
        m_map.ask(key, [tracer, request = *asked()](const JobContext& context) {
            gpu::Observer observer;
            observer.progress = [&context](double fraction, const std::string& what) {
                context.progress(fraction,
                                 tr("Counting the loads of each pixel: %1").arg(QString::fromStdString(what)));
            };
            return tracer->loads(request, context.stop(), observer);
        });
    }
}

}  // namespace warplens::gui
