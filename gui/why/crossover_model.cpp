// SPDX-License-Identifier: Apache-2.0
#include "gui/why/crossover_model.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/rates.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QDir>
#include <QStandardPaths>
#include <algorithm>

namespace warplens::gui {

using AxisKind = gpu::SweepAxis::Kind;

CrossoverModel::CrossoverModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent)
    : QObject(parent), m_request(request), m_control(control), m_activity(activity) {
    for (const gpu::StoredSweep& stored : recordedSweeps())
        m_entries.push_back({stored.sweep, Origin::recorded, QString::fromStdString(stored.path.string())});
    connect(&m_jobs, &JobRunner::busyChanged, this, &CrossoverModel::busyChanged);
    connect(&m_jobs, &JobRunner::progress, this, &CrossoverModel::progress);
    connect(&request.parameters(), &ParameterState::familyChanged, this, [this] {
        m_chosen = nullptr;
        m_out.clear();
        m_shown.clear();
        emit changed();
    });
    connect(&request.devices(), &DeviceChoice::changed, this, &CrossoverModel::changed);
    setFolder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sweeps"));
}

void CrossoverModel::setFolder(const QString& folder) {
    std::erase_if(m_entries,
                  [this](const Entry& entry) { return entry.origin == Origin::measured && &entry != m_running; });
    m_chosen = nullptr;
    m_folder = folder;
    std::vector<std::string> problems;
    for (gpu::StoredSweep& stored : gpu::loadSweeps(folder.toStdString(), problems))
        m_entries.push_back({std::move(stored.sweep), Origin::measured, QString::fromStdString(stored.path.string())});
    if (!problems.empty()) m_problem = QString::fromStdString(problems.front());
    emit changed();
}

std::vector<const CrossoverModel::Entry*> CrossoverModel::entries() const {
    std::vector<const Entry*> list;
    const gpu::Family* family = m_request.parameters().family();
    for (const Entry& entry : m_entries)
        if (family != nullptr && entry.sweep.family == family->id()) list.push_back(&entry);
    std::ranges::stable_sort(list, std::greater{}, [](const Entry* entry) { return entry->sweep.environment.date; });
    return list;
}

const CrossoverModel::Entry* CrossoverModel::current() const {
    const auto list = entries();
    if (std::ranges::find(list, m_chosen) != list.end()) return m_chosen;
    // Of what was not chosen by hand only a GPU's tells anything.
    const auto gpus = std::ranges::find_if(list, [](const Entry* entry) { return entry->sweep.device.ranks(); });
    return gpus != list.end() ? *gpus : nullptr;
}

void CrossoverModel::choose(const Entry* entry) {
    m_chosen = entry;
    emit changed();
}

QString CrossoverModel::titleOf(const Entry& entry) {
    const gpu::Sweep& sweep = entry.sweep;
    QStringList over, parts{QString::fromStdString(sweep.device.name), format::date(sweep.environment.date)};
    for (const gpu::SweepAxis& axis : sweep.axes) over << QString::fromStdString(axis.id);
    parts.prepend(over.join(QStringLiteral(" × ")));
    if (const auto* filter = gpu::givenFor(gpu::Parameter::Role::filter, sweep.family, sweep.parameters))
        parts << QString::fromStdString(gpu::format(*filter));
    parts << QString::fromStdString(sweep.input + " " + sweep.type);
    if (sweep.interrupted) parts << tr("stopped early");
    return parts.join(QStringLiteral(", "));
}

void CrossoverModel::setCompetes(const std::string& variant, bool competes) {
    if (competes)
        m_out.erase(variant);
    else
        m_out.insert(variant);
    emit changed();
}

std::set<std::string> CrossoverModel::among() const {
    std::set<std::string> all;
    if (const Entry* entry = current())
        for (const std::string& variant : entry->sweep.variants)
            if (competes(variant)) all.insert(variant);
    return all;
}

std::optional<gpu::SweepWinner> CrossoverModel::winner(const gpu::SweepCell& cell) const {
    const auto competing = among();
    return competing.empty() ? std::nullopt : gpu::winnerOf(cell, competing);
}

const gpu::SweepCell* CrossoverModel::cell(std::size_t first, std::size_t second) const {
    return current() == nullptr ? nullptr : current()->sweep.cell(first, second);
}

void CrossoverModel::setShown(const std::string& variant) {
    m_shown = variant;
    emit changed();
}

std::optional<gpu::SweepBest> CrossoverModel::best(const gpu::SweepCell& cell) const {
    const auto competing = m_shown.empty() ? among() : std::set{m_shown};
    return current() == nullptr || competing.empty() ? std::nullopt : gpu::bestOf(current()->sweep, cell, competing);
}

void CrossoverModel::use(const gpu::SweepCell& cell, const std::string& id) {
    const gpu::Sweep& sweep = current()->sweep;
    // Both are taken before anything changes what they lie in.
    const std::string run = gpu::runAt(sweep, cell, id);
    std::vector<std::pair<std::string, QString>> values;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
        if (sweep.axes[i].kind == AxisKind::parameter)
            values.emplace_back(sweep.axes[i].id, QString::fromStdString(cell.at[i]));
    QString why;
    for (const auto& [parameter, value] : values)
        if (!m_request.parameters().setText(parameter, value, &why)) return fail(why);
    try {
        m_request.variants().add(run);
    } catch (const gpu::Error& error) {  // of another version
        return fail(QString::fromUtf8(error.what()));
    }
    m_request.setCurrent(run);
    m_activity.note(tr("%1 is the current variant").arg(QString::fromStdString(run)));
}

bool CrossoverModel::onGpu() const {
    return m_request.devices().chosen() != nullptr && m_request.devices().chosen()->ranks();
}

std::vector<gpu::SweepAxis> CrossoverModel::axes() const {
    const gpu::Family* family = m_request.parameters().family();
    return family == nullptr ? std::vector<gpu::SweepAxis>() : gpu::sweepAxes(*family);
}

std::vector<gpu::SweepAxis> CrossoverModel::usualAxes() const {
    const gpu::Family* family = m_request.parameters().family();
    if (family == nullptr) return {};
    const std::string& swept = family->info().swept;
    if (!swept.empty())
        return {gpu::parseSweepAxis(*family, swept + (onGpu() ? "=1,2,3,4,5,7" : "=1,2,3")),
                gpu::parseSweepAxis(*family, onGpu() ? "size=256,512,1024,2048,4096,8192" : "size=64,128,256")};
    std::vector<gpu::SweepAxis> usual;
    for (const char* id : {"block_width", "block_height", "size"})
        for (const gpu::SweepAxis& axis : axes())
            if (axis.id == id && usual.size() < 2) usual.push_back(axis);
    return usual;
}

QString CrossoverModel::refusal() const {
    return m_request.parameters().family() == nullptr ? tr("Choose a family first.") : QString();
}

/// The checked kernels that have all tunables varied; not those that were added with a value for one.
std::vector<std::string> CrossoverModel::competitors(const std::vector<gpu::SweepAxis>& axes) const {
    std::vector<std::string> ids;
    for (const std::string& id : m_request.variants().checked()) {
        if (m_request.variants().kernel(id) != nullptr) continue;
        const gpu::RunSpec run = gpu::parseRunSpec(*m_request.parameters().family(), id);
        const bool takesPart = std::ranges::all_of(axes, [&](const gpu::SweepAxis& axis) {
            return axis.kind != AxisKind::tunable ||
                   (!run.chosen.contains(axis.id) &&
                    std::ranges::find(run.variant->tunables, axis.id, &gpu::Tunable::id) !=
                        run.variant->tunables.end());
        });
        if (run.variant->kind == gpu::Variant::Kind::kernel && takesPart) ids.push_back(id);
    }
    return ids;
}

QString CrossoverModel::command(const QStringList& axes) const {
    const gpu::Family* family = m_request.parameters().family();
    if (family == nullptr) return {};
    std::vector<gpu::SweepAxis> read;
    try {
        for (const QString& axis : axes) read.push_back(gpu::parseSweepAxis(*family, axis.toStdString()));
    } catch (const gpu::Error&) {  // still being typed
        return {};
    }
    return sweepCommand(m_request.document(), m_request.parameters(), read, competitors(read),
                        m_request.devices().id());
}

void CrossoverModel::fail(const QString& problem) {
    m_problem = problem;
    emit changed();
}

void CrossoverModel::start(const QStringList& axes) {
    if (busy() || m_request.devices().chosen() == nullptr || !refusal().isEmpty()) return;
    m_problem.clear();
    const gpu::Family& family = *m_request.parameters().family();
    gpu::SweepRequest request;
    request.family = family.id();
    request.parameters = m_request.parameters().shaping();
    request.device = m_request.devices().chosen()->id;
    try {
        for (const QString& axis : axes) request.axes.push_back(gpu::parseSweepAxis(family, axis.toStdString()));
        for (const gpu::SweepAxis& axis : request.axes) request.parameters.erase(axis.id);
        request.variants = competitors(request.axes);
        if (request.variants.empty()) return fail(tr("None of the checked variants has what is varied: check one."));
        if (variesPicture(request.axes) || m_request.document().empty()) {
            request.input = "noise";
            request.type = "f32";
            request.size = {2048, 2048};
            request.picture = gpu::noisePicture;
        } else {
            gpu::sweepOn(request, m_request.document().grid(), m_request.document().input().toStdString());
        }
    } catch (const gpu::Error& error) {
        return fail(QString::fromStdString(error.what()));
    }
    m_shown.clear();
    m_running = nullptr;
    // Nothing else may keep the device from its work, or be in the times.
    m_control.cancelLive();
    m_jobs.start(
        this,
        [this, request](const JobContext& context) {
            const gpu::Observer observer{.progress =
                                             [&context](double fraction, const std::string& what) {
                                                 context.progress(fraction, QString::fromStdString(what));
                                             },
                                         .record = {}};
            return gpu::runSweep(
                m_control.runner(), request, context.stop(), observer,
                [this, &context](const gpu::Sweep& sweep) { context.deliver([this, sweep] { show(sweep); }); });
        },
        [this](JobResult<gpu::Sweep> result) {
            if (!result) {
                m_running = nullptr;
                return fail(result.failure().message);
            }
            const bool stopped = result.value().interrupted;
            const std::size_t all = result.value().wanted(), done = result.value().cells.size();
            if (stopped) m_problem = tr("Stopped after %1 of %2 cells; they are kept.").arg(done).arg(all);
            m_activity.note(stopped ? tr("Stopped the sweep after %1 of %2 cells").arg(done).arg(all)
                                    : tr("Swept %1 cells").arg(done));
            if (done > 0) {
                show(std::move(result.value()));
                keep();
            }
            m_running = nullptr;
            emit changed();
        });
    emit changed();
}

void CrossoverModel::show(gpu::Sweep sweep) {
    if (m_running == nullptr) {
        m_entries.push_back({});
        m_running = &m_entries.back();
        m_chosen = m_running;
    }
    m_running->sweep = std::move(sweep);
    emit changed();
}

void CrossoverModel::keep() {
    const gpu::Sweep& sweep = m_running->sweep;
    QString date = QString::fromStdString(sweep.environment.date);
    const QString name = QStringLiteral("%1-%2%3").arg(QString::fromStdString(sweep.family), date.remove(u':'),
                                                       QLatin1String(gpu::kSweepEnding));
    try {
        if (!QDir().mkpath(m_folder))
            throw io::Error(io::Error::Kind::unwritable,
                            (m_folder + ": cannot be made; check the permissions").toStdString());
        const QString path = QDir(m_folder).filePath(name);
        io::writeFileAtomically(path.toStdString(), gpu::toJson(sweep));
        m_running->path = path;
    } catch (const io::Error& error) {
        m_problem = QString::fromStdString(error.what());
    }
}

void CrossoverModel::save(const QString& path) {
    if (current() == nullptr) return;
    m_problem.clear();
    try {
        if (!gpu::isSweepName(path.toStdString()))
            return fail(tr("%1: the name must end in %2").arg(path, QString::fromUtf8(gpu::kSweepEndings)));
        io::writeFileAtomically(path.toStdString(), gpu::sweepFile(current()->sweep, path.toStdString()));
        m_activity.note(tr("Exported %1").arg(path));
        emit changed();
    } catch (const io::Error& error) {
        fail(QString::fromStdString(error.what()));
    }
}

void CrossoverModel::open(const QString& path) {
    m_problem.clear();
    try {
        gpu::Sweep sweep = gpu::loadSweep(path.toStdString());
        const bool here = m_request.devices().chosen() != nullptr &&
                          sweep.device.uuid == m_request.devices().chosen()->uuid &&
                          sweep.device.name == m_request.devices().chosen()->name;
        const gpu::Family* family = m_request.parameters().family();
        if (family == nullptr || sweep.family != family->id())
            return fail(tr("%1 is a sweep of %2; choose that first.").arg(path, QString::fromStdString(sweep.family)));
        m_entries.push_back({std::move(sweep), here ? Origin::measured : Origin::recorded, path});
        choose(&m_entries.back());
    } catch (const io::Error& error) {
        fail(QString::fromStdString(error.what()));
    }
}

}  // namespace warplens::gui
