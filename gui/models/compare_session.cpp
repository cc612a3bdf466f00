// SPDX-License-Identifier: Apache-2.0
#include "gui/models/compare_session.hpp"

#include "gpu/registry.hpp"
#include "gui/models/equivalent_command.hpp"
#include "gui/theme/format.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {
constexpr std::size_t kKeptBytes = std::size_t{64} << 20;  // of a result that has no pane
}

CompareSession::CompareSession(QObject* parent) : QObject(parent) {
    connect(&m_parameters, &ParameterState::changed, this, &CompareSession::parametersChanged);
    connect(&m_variants, &VariantListModel::checkedChanged, this, &CompareSession::updateShown);
    connect(&m_live, &LivePolicy::due, this, &CompareSession::startLive);
    for (JobRunner* jobs : {&m_openJobs, &m_saveJobs, &m_computeJobs}) {
        connect(jobs, &JobRunner::busyChanged, this, &CompareSession::busyChanged);
        connect(jobs, &JobRunner::progress, this, &CompareSession::progress);
    }
    if (!gpu::families().empty()) setFamily(*gpu::families().front());
}

CompareSession::~CompareSession() = default;

bool CompareSession::busy() const {
    return m_openJobs.busy() || m_saveJobs.busy() || m_computeJobs.busy();
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
            const auto at = std::ranges::find_if(list, [&](const gpu::DeviceInfo& d) {
                return d.id == wanted || (!d.uuid.empty() && d.uuid == wanted) ||
                       (wanted == "cuda" && d.kind == "cuda");
            });
            if (!wanted.empty() && at == list.end())
                setError(tr("There is no device %1 here; %2 is used.")
                             .arg(QString::fromStdString(wanted),
                                  list.empty() ? tr("none") : QString::fromStdString(list.front().id)));
            emit devicesChanged();
            if (!list.empty()) setDevice(at != list.end() ? at->id : list.front().id);
        });
}

const gpu::DeviceInfo* CompareSession::device() const {
    const auto at = std::ranges::find(m_devices.devices, m_device, &gpu::DeviceInfo::id);
    return at == m_devices.devices.end() ? nullptr : &*at;
}

bool CompareSession::ranking() const {
    const gpu::DeviceInfo* info = device();
    return info != nullptr && info->kind == "cuda";
}

void CompareSession::setDevice(const std::string& id) {
    if (m_device == id) return;
    m_device = id;
    m_limits.reset();
    dropRuns();
    resetResults();
    emit deviceChanged();
    emit noticeChanged();
    refilter();
}

// --- what is asked ---------------------------------------------------------------------------------------------------

void CompareSession::setFamily(const gpu::Family& family) {
    if (m_parameters.family() == &family) return;
    dropRuns();
    m_results.clear();
    const auto& ladder = family.variants();
    m_currentChosen = false;
    m_current = ladder.size() > 1 ? ladder[1].id : ladder.front().id;
    m_runs.setBaseline(ladder.front().id);
    m_parameters.setFamily(family);
    m_variants.setFamily(family);
    resetResults();
    emit currentChanged();
    refilter();
}

const gpu::Variant* CompareSession::variant(const std::string& id) const {
    return m_variants.variant(m_variants.rowOf(id));
}

void CompareSession::setCurrent(const std::string& id) {
    if (m_current == id || variant(id) == nullptr) return;
    m_current = id;
    m_currentChosen = true;
    updateShown();
    emit currentChanged();
    const gpu::RunRecord* there = result(id);
    const bool lacking =
        there == nullptr || stale(id) || (there->status == gpu::Status::ok && there->output == nullptr);
    if (lacking && !m_comparing) refilter();
}

void CompareSession::setBaseline(const std::string& id) {
    m_runs.setBaseline(id);
    updateShown();
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
    emit resultsChanged();
}

void CompareSession::parametersChanged() {
    setError({});
    if (!m_live.running()) dropRuns();  // a live run may finish: its picture is shown until the next one
    for (auto& [id, result] : m_results) result.stale = true;
    m_runs.clearResults();
    emit resultsChanged();
    refilter();
}

void CompareSession::dropRuns() {
    m_computeJobs.discard();
    m_live.ended();
    m_comparing = false;
}

void CompareSession::resetResults() {
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
    request.parameters = m_parameters.values();
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
    return compareCommand(m_document.input(), m_parameters, m_variants.checked(), m_device);
}

// --- files -----------------------------------------------------------------------------------------------------------

void CompareSession::open(const QString& input) {
    QElapsedTimer clock;
    clock.start();
    m_openJobs.start(
        this, [input](const JobContext& context) { return readPicture(input, context); },
        [this, input, clock](JobResult<OpenedPicture> result) {
            if (!result) return fail(result.failure());
            setError({});
            dropRuns();
            m_results.clear();
            m_document.set(input, result.value());
            note(tr("Read %1 in %2 s").arg(m_document.name(), format::significant(double(clock.elapsed()) / 1000, 2)));
            resetResults();
            emit opened(input);
            refilter();
        });
}

void CompareSession::openMatrix(const QString& path) {
    m_openJobs.start(
        this, [path](const JobContext&) { return readMatrix(path); },
        [this](JobResult<QString> result) {
            if (!result) return fail(result.failure());
            QString why;
            if (!m_parameters.set("matrix", result.value().toStdString(), &why)) return setError(why);
            m_parameters.set("filter", std::string("custom"));
        });
}

void CompareSession::saveResult(const QString& path) {
    const gpu::RunRecord* record = result(m_current);
    if (record == nullptr || record->output == nullptr || stale(m_current))
        return setError(
            tr("There is no result of %1 to save yet; run it first.").arg(QString::fromStdString(m_current)));
    if (m_saveJobs.busy()) return setError(tr("A file is still being saved; try again when it is done."));
    m_saveJobs.start(
        this, [grid = record->output, path](const JobContext&) { return writePicture(*grid, path); },
        [this, path](JobResult<Done> result) {
            if (!result) return fail(result.failure());
            note(tr("Saved %1").arg(path.section('/', -1)));
            emit saved(path);
        });
}

void CompareSession::exportView(const QImage& view, const QString& path) {
    if (m_saveJobs.busy()) return setError(tr("A file is still being saved; try again when it is done."));
    m_saveJobs.start(
        this, [view, path](const JobContext&) { return writeView(view, path); },
        [this, path](JobResult<Done> result) {
            if (!result) return fail(result.failure());
            note(tr("Exported %1").arg(path.section('/', -1)));
            emit saved(path);
        });
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

void CompareSession::take(const gpu::RunRecord& record, bool stale) {
    Result& own = m_results[record.variant];
    const bool better = !own.stale && own.record.time && own.record.verification && record.time &&
                        own.record.time->samples > record.time->samples;
    if (better)
        own.record.output = record.output;  // a single run for its picture does not replace a measured time
    else
        own = {record, stale};
    if (!stale && !better) m_runs.setRecord(record);
    // Large pictures nobody looks at are not kept; choosing the variant runs it again.
    const bool seen = std::ranges::find(shown(), record.variant) != shown().end();
    if (!seen && own.record.output != nullptr && own.record.output->bytes() > kKeptBytes) own.record.output.reset();
    emit resultsChanged();
}

void CompareSession::fail(const JobFailure& failure) {
    if (failure.kind == JobFailure::Kind::cancelled)
        note(tr("Cancelled"));
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

void CompareSession::note(const QString& job) {
    m_lastJob = job;
    emit lastJobChanged();
}

QString CompareSession::rate() const {
    const gpu::RunRecord* record = result(m_current);
    if (record == nullptr || stale(m_current) || !record->time || stateOf(*record) != ResultState::verified ||
        record->time->medianMs <= 0 || m_document.empty())
        return {};
    const double pixels = static_cast<double>(m_document.grid()->shape().pixels());
    return tr("%1 %2 ms, %3 Mpixel/s")
        .arg(QString::fromStdString(m_current), format::milliseconds(record->time->medianMs),
             format::significant(pixels / record->time->medianMs / 1000));
}

}  // namespace warplens::gui
