// SPDX-License-Identifier: Apache-2.0
#include "gui/models/compare_session.hpp"

#include "gpu/core/counts.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/tuning/files.hpp"
#include "gui/models/equivalent_command.hpp"
#include "gui/models/history.hpp"
#include "gui/models/samples.hpp"
#include "gui/theme/format.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

CompareSession::CompareSession(QObject* parent) : QObject(parent) {
    connect(&m_parameters, &ParameterState::changed, this, &CompareSession::parametersChanged);
    connect(&m_variants, &VariantListModel::checkedChanged, this, &CompareSession::updateShown);
    m_history = std::make_unique<History>(
        m_document, m_parameters,
        History::Doors{.setFamily = [this](const gpu::Family& family) { setFamily(family); },
                       .restore = [this](const Document::State& state) { restorePicture(state); },
                       .open = [this](const QString& input) { open(input); },
                       .report = [this](const QString& why) { setError(why); }});
    connect(&m_live, &LivePolicy::due, this, &CompareSession::startLive);
    m_fetch.setSingleShot(true);
    m_fetch.setInterval(0);
    connect(&m_fetch, &QTimer::timeout, this, [this] {
        // What is under way, or about to be, looks at the end for what lacks.
        if (ready() && !m_live.running() && !m_live.pending() && !m_computeJobs.busy()) fetch();
    });
    connect(&m_frames, &LiveFrames::drawn, this, &CompareSession::takeFrame);
    connect(&m_frames, &LiveFrames::notOffered, this, &CompareSession::endFrames);
    connect(&m_frames, &LiveFrames::failed, this, [this](const JobFailure& failure) {
        endFrames();
        if (failure.kind != JobFailure::Kind::cancelled) fail(failure);
    });
    for (JobRunner* jobs : {&m_openJobs, &m_parameterJobs, &m_saveJobs, &m_computeJobs}) {
        connect(jobs, &JobRunner::busyChanged, this, &CompareSession::busyChanged);
        connect(jobs, &JobRunner::progress, this, &CompareSession::progress);
    }
    if (!gpu::families().empty()) setFamily(*gpu::families().front());
    const auto tuning =
        gpu::tuning::load(resourceFolder(QStringLiteral("tuning")).toStdString(), gpu::tuning::cacheFolder());
    if (!tuning->problems().empty()) setError(QString::fromStdString(tuning->problems()));
    m_runner.setTuning(tuning);
}

CompareSession::~CompareSession() = default;

bool CompareSession::busy() const {
    return m_openJobs.busy() || m_parameterJobs.busy() || m_saveJobs.busy() || m_computeJobs.busy();
}

bool CompareSession::ready() const {
    return !m_document.empty() && device() != nullptr && m_parameters.family() != nullptr;
}

// --- devices ---------------------------------------------------------------------------------------------------------

void CompareSession::listDevices(const std::string& wanted) {
    m_deviceJobs.start(
        this, [](const JobContext&) { return gpu::listDevices(); },
        [this, wanted](JobResult<gpu::DeviceList> result) {
            if (!result) return fail(result.failure());
            m_devices = std::move(result.value());
            const auto& list = m_devices.devices;
            const gpu::DeviceInfo* found = m_devices.find(wanted);
            if (!wanted.empty() && found == nullptr)
                setError(tr("There is no device %1 here; %2 is used.")
                             .arg(QString::fromStdString(wanted),
                                  list.empty() ? tr("none") : QString::fromStdString(list.front().id)));
            emit devicesChanged();
            if (!list.empty()) setDevice(found != nullptr ? found->id : list.front().id);
        });
}

const gpu::DeviceInfo* CompareSession::device() const {
    const auto at = std::ranges::find(m_devices.devices, m_device, &gpu::DeviceInfo::id);
    return at == m_devices.devices.end() ? nullptr : &*at;
}

bool CompareSession::ranking() const {
    const gpu::DeviceInfo* info = device();
    return info != nullptr && info->ranks();
}

void CompareSession::setDevice(const std::string& id) {
    if (m_device == id) return;
    m_device = id;
    beginRun();
    m_limits.reset();
    m_left.clear();
    dropRuns();
    resetResults();
    emit deviceChanged();
    emit noticeChanged();
    refilter();
}

// --- what is asked ---------------------------------------------------------------------------------------------------

void CompareSession::setFamily(const gpu::Family& family) {
    if (m_parameters.family() == &family) return;
    beginRun();
    dropRuns();
    leaveFamily();
    Left left = std::move(m_left[&family]);
    m_left.erase(&family);
    const auto& ladder = family.variants();
    if (left.current.empty()) left.current = ladder.size() > 1 ? ladder[1].id : ladder.front().id;
    if (left.baseline.empty()) left.baseline = ladder.front().id;
    m_current = left.current;
    m_currentChosen = left.currentChosen;
    m_reference = "input";
    m_runs.setBaseline(left.baseline);
    // Lists before values: who hears of the values looks at the lists.
    m_variants.setFamily(family);
    m_parameters.setFamily(family);
    takeUp(std::move(left));
    setError({});
    emit currentChanged();
    emit referenceChanged();
    const gpu::RunRecord* there = result(m_current);
    if (m_compareAsked || there == nullptr || stale(m_current) || there->result.empty()) refilter();
}

void CompareSession::leaveFamily() {
    if (m_parameters.family() == nullptr) return;
    for (auto& [id, result] : m_results)
        if (result.record.result.picture != nullptr && result.record.result.picture->bytes() > m_keptBytes)
            result.record.result.picture.reset();
    m_left[m_parameters.family()] = {m_current, m_runs.baseline(), m_currentChosen,    std::move(m_results),
                                     m_work,    m_clocks,          std::move(m_report)};
    m_results.clear();
}

void CompareSession::takeUp(Left left) {
    m_work = left.work;
    m_clocks = left.clocks;
    resetResults();
    m_report = std::move(left.report);
    m_results = std::move(left.results);
    for (const auto& [id, result] : m_results)
        if (!result.stale) m_runs.setRecord(result.record);
    m_runs.setContext(m_limits, m_work, m_clocks);
    showRecorded();
    updateShown();
}

const gpu::Variant* CompareSession::variant(const std::string& id) const {
    return m_variants.variant(m_variants.rowOf(id));
}

void CompareSession::setCurrent(const std::string& id) {
    if (m_current == id || variant(id) == nullptr) return;
    m_current = id;
    m_currentChosen = true;
    endFrames();
    updateShown();
    emit currentChanged();
    if (lacks(id) && !m_comparing) refilter();
}

bool CompareSession::notKept(const std::string& id) const {
    const gpu::RunRecord* there = result(id);
    return there != nullptr && !stale(id) && there->status == gpu::Status::ok && there->result.empty();
}

bool CompareSession::lacks(const std::string& id) const {
    const gpu::RunRecord* there = result(id);
    return there == nullptr || stale(id) || notKept(id);
}

std::vector<std::string> CompareSession::wantedUnseen() const {
    std::vector<std::string> ids;
    if (variant(m_reference) != nullptr) ids.push_back(m_reference);
    if (m_baselineWanted && variant(m_runs.baseline()) != nullptr && m_runs.baseline() != m_reference)
        ids.push_back(m_runs.baseline());
    std::erase_if(ids, [this](const std::string& id) { return std::ranges::find(shown(), id) != shown().end(); });
    return ids;
}

void CompareSession::setBaselineWanted(bool wanted) {
    m_baselineWanted = wanted;
    if (wanted && variant(m_runs.baseline()) != nullptr && lacks(m_runs.baseline()) && !m_comparing) refilter();
}

void CompareSession::setReference(const std::string& key) {
    if (m_reference == key) return;
    m_reference = key;
    emit referenceChanged();
    if (variant(key) != nullptr && lacks(key) && !m_comparing) refilter();
}

void CompareSession::setBaseline(const std::string& id) {
    m_runs.setBaseline(id);
    updateShown();
    if (m_baselineWanted) setBaselineWanted(true);
}

void CompareSession::setPlaces(std::size_t places) {
    m_places = places;
    updateShown();
}

void CompareSession::updateShown() {
    std::vector<std::string> ladder = m_variants.checked();
    if (variant(m_current) != nullptr && std::ranges::find(ladder, m_current) == ladder.end())
        ladder.push_back(m_current);
    m_shown.update(m_places, ladder, m_runs.baseline(), m_current);
    m_fetch.start();
    emit resultsChanged();
}

void CompareSession::parametersChanged() {
    setError({});
    beginRun();
    const bool seen = !m_compareAsked && preview();
    // Without frames a live run may finish: its picture is shown until the next one.
    if (seen || !m_live.running()) discardRuns();
    for (auto& [id, result] : m_results) result.stale = true;
    m_report.reset();
    m_runs.clearResults();
    emit resultsChanged();
    if (seen)
        m_live.requestAtRest();
    else
        refilter();
}

void CompareSession::dropRuns() {
    endFrames();
    discardRuns();
}

void CompareSession::discardRuns() {
    m_computeJobs.discard();
    m_live.ended();
    m_comparing = false;
}

void CompareSession::resetResults() {
    m_report.reset();
    for (auto& [id, result] : m_results) result.stale = true;
    std::vector<const gpu::Variant*> rows;
    for (const std::string& id : m_variants.checked()) rows.push_back(variant(id));
    m_runs.expect(rows, ranking());
    updateShown();
}

gpu::Request CompareSession::request(const std::vector<std::string>& variants, bool live) const {
    gpu::Request request;
    request.input = m_document.grid();
    request.inputName = m_document.input().toStdString();
    request.family = m_parameters.family()->id();
    request.parameters = m_parameters.shaping();
    request.variants = variants;
    request.device = m_device;
    if (live) {
        request.timing = gpu::TimingPolicy::once();
        request.verify = false;
        request.measureLimits = false;
    }
    return request;
}

QString CompareSession::command() const {
    if (m_document.derived()) return {};
    return compareCommand(m_document.input(), m_document.choice(), m_parameters, m_variants.checked(), m_device);
}

// --- results and what is said about them -----------------------------------------------------------------------------

const gpu::RunRecord* CompareSession::result(const std::string& id) const {
    const auto at = m_results.find(id);
    return at == m_results.end() ? nullptr : &at->second.record;
}

bool CompareSession::stale(const std::string& id) const {
    const auto at = m_results.find(id);
    return at != m_results.end() && at->second.stale;
}

void CompareSession::take(const gpu::RunRecord& record, std::uint64_t run, bool stale) {
    Result& own = m_results[record.id()];
    const bool better = !own.stale && own.record.time && own.record.verification && record.time &&
                        own.record.time->samples > record.time->samples;
    if (better)
        own.record.result = record.result;  // a single run for its result does not replace a measured time
    else
        own = {record, stale, run};
    if (!stale && !better) m_runs.setRecord(record);
    // Large pictures nobody looks at are not kept; looking at the variant runs it again.
    const std::vector<std::string> unseen = wantedUnseen();
    const bool seen = std::ranges::find(unseen, record.id()) != unseen.end() ||
                      std::ranges::find(shown(), record.id()) != shown().end();
    auto& picture = own.record.result.picture;
    if (!seen && picture != nullptr && picture->bytes() > m_keptBytes) picture.reset();
    emit resultsChanged();
}

void CompareSession::fail(const JobFailure& failure) {
    if (failure.kind == JobFailure::Kind::cancelled)
        note(tr("Cancelled"), true);
    else
        setError(failure.message);
}

void CompareSession::setError(const QString& message) {
    if (m_error == message) return;
    m_error = message;
    emit noticeChanged();
}

void CompareSession::dismissNotice() {
    if (m_error.isEmpty())
        m_deviceNoticeDismissed = true;
    else
        m_error.clear();
    emit noticeChanged();
}

QString CompareSession::notice() const {
    if (!m_error.isEmpty()) return m_error.toHtmlEscaped();
    if (device() == nullptr || ranking() || m_deviceNoticeDismissed) return {};
    const QString why = QString::fromStdString(m_devices.whyNoCuda).trimmed().toHtmlEscaped();
    const QString consequence = tr("CPU times rank nothing, so <b>no winner is named</b>.");
    return why.isEmpty() ? consequence : why + ' ' + consequence;
}

void CompareSession::note(const QString& job, bool ofRun) {
    m_lastJob = job;
    m_lastJobOfRun = ofRun;
    emit lastJobChanged();
}

void CompareSession::beginRun() {
    ++m_run;
    if (!std::exchange(m_lastJobOfRun, false)) return;
    m_lastJob.clear();
    emit lastJobChanged();
}

std::optional<std::pair<double, double>> CompareSession::countedRange() const {
    const gpu::RunRecord* record = result(m_current);
    if (record == nullptr || stale(m_current)) return std::nullopt;
    const auto counts = gpu::countsOf(record->result.tables);
    if (counts == nullptr || counts->edges.empty()) return std::nullopt;
    return std::pair(counts->edges.front(), counts->edges.back());
}

QString CompareSession::rate() const {
    const gpu::RunRecord* record = result(m_current);
    if (record == nullptr || stale(m_current) || !record->time || stateOf(*record) != ResultState::verified ||
        record->time->medianMs <= 0 || m_document.empty())
        return {};
    const io::Shape& shape = m_document.grid()->shape();
    const double pixels = static_cast<double>(shape.pixels());
    if (const auto evolution = gpu::evolutionOf(record->result.tables)) {
        const bool alphaKept = shape.channels == 4 && gpu::format(m_parameters.value("alpha")) == "keep";
        const double steps = static_cast<double>(evolution->iterations) * (alphaKept ? 3 : shape.channels);
        return tr("%1 %2 ms, %3 Mcell/s")
            .arg(QString::fromStdString(m_current), format::milliseconds(record->time->medianMs),
                 format::significant(pixels * steps / record->time->medianMs / 1000));
    }
    return tr("%1 %2 ms, %3 Mpixel/s")
        .arg(QString::fromStdString(m_current), format::milliseconds(record->time->medianMs),
             format::significant(pixels / record->time->medianMs / 1000));
}

}  // namespace warplens::gui
