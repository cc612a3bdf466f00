// SPDX-License-Identifier: Apache-2.0
#include "gui/why/crossover_model.hpp"

#include "gpu/core/error.hpp"
#include "gui/compare/run_control.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/reports/rates.hpp"
#include "gui/request/request_state.hpp"
#include "io/error.hpp"
#include "io/generate.hpp"
#include "io/write.hpp"

#include <QDir>
#include <QStandardPaths>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr const char* kInput = "noise";
constexpr const char* kType = "f32";

std::shared_ptr<const io::Grid> picture(std::int64_t width, std::int64_t height) {
    const QString description =
        QStringLiteral("gen:%1:%2x%3:%4").arg(QLatin1String(kInput)).arg(width).arg(height).arg(QLatin1String(kType));
    return std::make_shared<const io::Grid>(io::generate(description.toStdString()));
}

}  // namespace

CrossoverModel::CrossoverModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent)
    : QObject(parent), m_request(request), m_control(control), m_activity(activity) {
    for (const gpu::StoredSweep& stored : recordedSweeps())
        m_entries.push_back({stored.sweep, Origin::recorded, QString::fromStdString(stored.path.string())});
    connect(&m_jobs, &JobRunner::busyChanged, this, &CrossoverModel::busyChanged);
    connect(&m_jobs, &JobRunner::progress, this, &CrossoverModel::progress);
    connect(&request.parameters(), &ParameterState::familyChanged, this, [this] {
        m_chosen = nullptr;
        m_out.clear();
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
    QStringList parts{QString::fromStdString(sweep.device.name), format::date(sweep.environment.date)};
    if (const auto filter = sweep.parameters.find("filter"); filter != sweep.parameters.end())
        parts << QString::fromStdString(gpu::format(filter->second));
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

const gpu::SweepCell* CrossoverModel::cell(std::size_t value, std::size_t size) const {
    const Entry* entry = current();
    if (entry == nullptr || value >= entry->sweep.values.size() || size >= entry->sweep.sizes.size()) return nullptr;
    const auto& [width, height] = entry->sweep.sizes[size];
    const auto found = std::ranges::find_if(entry->sweep.cells, [&, w = width, h = height](const gpu::SweepCell& cell) {
        return cell.value == entry->sweep.values[value] && cell.width == w && cell.height == h;
    });
    return found == entry->sweep.cells.end() ? nullptr : &*found;
}

bool CrossoverModel::onGpu() const {
    return m_request.devices().chosen() != nullptr && m_request.devices().chosen()->ranks();
}

QString CrossoverModel::usualValues() const {
    return onGpu() ? QStringLiteral("1,2,3,4,5,7") : QStringLiteral("1,2,3");
}

QString CrossoverModel::usualSizes() const {
    return onGpu() ? QStringLiteral("256,512,1024,2048,4096,8192") : QStringLiteral("64,128,256");
}

QString CrossoverModel::refusal() const {
    const gpu::Family* family = m_request.parameters().family();
    if (family == nullptr) return tr("Choose a kind of work first.");
    return family->info().swept.empty() ? tr("%1 has no radius to sweep over; the map is one of convolutions.")
                                              .arg(QString::fromStdString(family->title()))
                                        : QString();
}

void CrossoverModel::fail(const QString& problem) {
    m_problem = problem;
    emit changed();
}

void CrossoverModel::start(const QString& values, const QString& sizes) {
    if (busy() || m_request.devices().chosen() == nullptr || !refusal().isEmpty()) return;
    m_problem.clear();
    const gpu::Family& family = *m_request.parameters().family();
    gpu::SweepRequest request;
    try {
        request.values = gpu::parseWholeNumbers(tr("Radii").toStdString(), values.toStdString());
        request.sizes = gpu::parseSizes(tr("Sizes").toStdString(), sizes.toStdString());
    } catch (const gpu::Error& error) {
        return fail(QString::fromStdString(error.what()));
    }
    request.family = family.id();
    request.parameter = family.info().swept;
    request.parameters = m_request.parameters().values();
    request.device = m_request.devices().chosen()->id;
    request.input = kInput;
    request.type = kType;
    request.picture = picture;
    m_running = nullptr;
    // Nothing else may keep the device from its work, or be in the times.
    m_control.dropLive();
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
            const std::size_t all = result.value().values.size() * result.value().sizes.size(),
                              done = result.value().cells.size();
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

void CrossoverModel::cancel() { m_jobs.cancel(); }

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
