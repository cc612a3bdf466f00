// SPDX-License-Identifier: Apache-2.0
#include "gui/session/request_state.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"
#include "gpu/device/device_names.hpp"
#include "gui/kit/activity.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/task_step.hpp"

#include <QScopedValueRollback>
#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace warplens::gui {

RequestState::RequestState(Document& document, ParameterState& parameters, VariantListModel& variants,
                           DeviceChoice& devices, QObject* parent)
    : QObject(parent), m_document(document), m_parameters(parameters), m_variants(variants), m_devices(devices) {
    connect(&document, &Document::changed, this, &RequestState::announce);
    connect(&parameters, &ParameterState::changed, this, &RequestState::announce);
    connect(&devices, &DeviceChoice::changed, this, [this] {
        if (m_devices.names() != m_task.devices) m_left.clear();
        announce();
    });
    // A session that is opened takes added rows away.
    connect(&variants, &QAbstractItemModel::modelReset, this, [this] {
        for (std::string* id : {&m_baseline, &m_chosen, &m_current})
            if (!id->empty() && m_variants.variant(*id) == nullptr) *id = gpu::variantIn(*id);
        // Nor is a kernel of the user's a row of the ladder when it is gone.
        for (std::string* id : {&m_baseline, &m_current})
            if (!id->empty() && m_variants.variant(*id) == nullptr) *id = m_variants.variant(0)->id;
        if (m_variants.variant(m_chosen) == nullptr) m_chosen.clear();
    });
    connect(&variants, &VariantListModel::checkedChanged, this, &RequestState::announce);
}

Task RequestState::gather() const {
    const gpu::Family* family = m_parameters.family();
    std::map<std::string, std::shared_ptr<const gpu::UserKernel>> kernels;
    if (family != nullptr)
        for (const OwnKernel& own : m_variants.kernelsOf(*family)) kernels[own.kernel->variant().id] = own.kernel;
    return {.picture = m_document.state(),
            .family = family,
            .values = m_parameters.values(),
            .added = family == nullptr ? std::vector<std::string>() : m_variants.addedTo(*family),
            .kernels = std::move(kernels),
            .checked = family == nullptr ? std::set<std::string>() : m_variants.checkedOf(*family),
            .current = m_current,
            .baseline = m_baseline,
            .chosen = m_chosen,
            .devices = m_devices.names(),
            .halos = m_devices.halos(),
            .memoryCap = m_memoryCap};
}

void RequestState::announce() {
    if (m_changing) return;
    const Task now = gather();
    if (now == m_task) return;
    const Task before = std::exchange(m_task, now);
    emit taskChanged(before, now);
}

void RequestState::change(const std::function<void()>& changes) {
    {
        const QScopedValueRollback changing(m_changing, true);
        changes();
    }
    announce();
}

void RequestState::setFamily(const gpu::Family& family) {
    if (m_parameters.family() == &family) return;
    if (m_parameters.family() != nullptr) m_left[m_parameters.family()] = {m_current, m_baseline, m_chosen};
    const Left left = std::exchange(m_left[&family], {});
    const auto& ladder = family.variants();
    m_current = !left.current.empty() ? left.current : ladder.size() > 1 ? ladder[1].id : ladder.front().id;
    m_baseline = !left.baseline.empty() ? left.baseline : ladder.front().id;
    m_chosen = left.chosen;
    change([&] {
        // Lists before values: who shows the values looks at the lists.
        m_variants.setFamily(family);
        m_parameters.setFamily(family);
    });
}

void RequestState::setCurrent(const std::string& id) {
    if (m_current == id || m_variants.variant(id) == nullptr) return;
    m_current = id;
    m_chosen = id;
    announce();
}

void RequestState::followChoice(const std::string& id) {
    if (m_current == id) return;
    m_current = id;
    announce();
}

void RequestState::setBaseline(const std::string& id) {
    if (m_variants.variant(id) == nullptr) return;
    m_baseline = id;
    announce();
}

void RequestState::setMemoryCap(std::int64_t bytes) {
    m_memoryCap = bytes;
    announce();
}

bool RequestState::ready() const {
    return !m_document.empty() && m_devices.chosen() != nullptr && m_parameters.family() != nullptr;
}

gpu::Request RequestState::make(const std::vector<std::string>& variants, bool live) const {
    gpu::Request request;
    request.input = m_document.grid();
    request.inputName = m_document.input().toStdString();
    request.family = m_parameters.family()->id();
    request.parameters = m_parameters.shaping();
    choose(request, variants);
    request.device = m_devices.id();
    request.memoryCap = m_memoryCap;
    if (!live) {
        request.beside = m_devices.beside();
        request.halos = m_devices.halos();
    }
    if (live) {
        request.timing = gpu::TimingPolicy::once();
        request.verify = false;
        request.measureLimits = false;
        request.autotune = false;  // the picture first; RunControl has them race once it is shown
        const gpu::FamilyInfo& info = m_parameters.family()->info();
        request.hostLibraries = m_filtering && (info.makesPicture || info.makesOtherPicture);
    }
    return request;
}

void RequestState::choose(gpu::Request& request, const std::vector<std::string>& variants) const {
    request.variants.clear();
    request.kernels.clear();
    for (const std::string& id : variants) {
        if (const OwnKernel* own = m_variants.kernel(id))
            request.kernels.push_back(own->kernel);
        else
            request.variants.push_back(id);
    }
    request.kernelsAlone = request.variants.empty() && !request.kernels.empty();
}

bool RequestState::exchangesHalos() const {
    return !m_devices.beside().empty() && m_parameters.family() != nullptr && m_parameters.family()->info().iterates;
}

QString RequestState::command() const {
    const auto limited = [this](const QString& line) {
        return line.isEmpty() || m_memoryCap == 0
                   ? line
                   : line + QStringLiteral(" --memory-limit ") + QString::number(m_memoryCap);
    };
    if (const auto& place = m_document.state().place; place != nullptr && m_document.derived())
        return limited(recipeCommand(*this, *place));
    if (m_document.derived()) return {};
    // Nor a file with what is painted.
    for (const auto& [id, value] : m_parameters.shaping())
        if (const auto* named = std::get_if<std::shared_ptr<const gpu::NamedGrid>>(&value))
            if (*named != nullptr && (*named)->name == kPaintedMask) return {};
    const QString exchange = exchangesHalos() && m_devices.halos() != gpu::HaloExchangeMode::overlapped
                                 ? QStringLiteral(" --exchange ") + QString::fromLatin1(gpu::nameOf(m_devices.halos()))
                                 : QString();
    const QString line = commandOf(QStringLiteral("compare"), contextOf(*this));
    return limited(line.isEmpty() ? line : line + exchange);
}

bool Task::samePicture(const Task& other) const {
    return picture.picture.grid == other.picture.picture.grid && picture.input == other.picture.input &&
           picture.derived == other.picture.derived && picture.place == other.picture.place;
}

bool Task::sameValue(const Task& other, const std::string& id) const {
    if (family != other.family) return false;
    return family == nullptr ||
           gpu::valueOf(family->parameters(), values, id) == gpu::valueOf(family->parameters(), other.values, id);
}

bool Task::sameValue(const Task& other, gpu::Parameter::Role role) const {
    const gpu::Parameter* parameter = family == nullptr ? nullptr : gpu::findRole(family->parameters(), role);
    return parameter == nullptr || sameValue(other, parameter->id);
}

bool Task::sameDevices(const Task& other) const {
    const bool shared = devices.find(',') != std::string::npos;
    return devices == other.devices && (!shared || halos == other.halos);
}

bool Task::operator==(const Task& other) const {
    return samePicture(other) && sameValues(other) && sameRows(other) && kernels == other.kernels &&
           checked == other.checked && current == other.current && baseline == other.baseline &&
           chosen == other.chosen && devices == other.devices && halos == other.halos && memoryCap == other.memoryCap;
}

void DeviceChoice::fetch(const std::string& wanted) {
    m_jobs.start(
        this, [](const JobContext&) { return gpu::listDevices(); },
        [this, wanted](JobResult<gpu::DeviceList> result) {
            if (!result) return m_activity.fail(result.failure());
            m_list = std::move(result.value());
            const auto& list = m_list.devices;
            const bool here = there(wanted);
            if (!wanted.empty() && !here)
                m_activity.report(tr("There is no device %1 here; %2 is used.")
                                      .arg(QString::fromStdString(wanted),
                                           list.empty() ? tr("none") : QString::fromStdString(list.front().id)));
            emit listChanged();
            if (!list.empty()) choose(here ? wanted : list.front().id);
        });
}

std::vector<std::string> DeviceChoice::found(const std::string& names) const {
    if (names.empty()) return {};
    try {
        return gpu::deviceIds(names, m_list);
    } catch (const gpu::Error&) {
        return {};
    }
}

std::string DeviceChoice::names() const {
    std::string names = m_id;
    for (const std::string& id : m_beside) names += ',' + id;
    return names;
}

std::string DeviceChoice::several() const {
    std::vector<std::string> ids;
    for (const gpu::DeviceInfo& device : m_list.devices)
        if (device.kind == gpu::DeviceKind::cuda) ids.push_back(device.id);
    if (ids.empty() && m_list.find("cpu") != nullptr) ids = {"cpu", "cpu"};
    if (ids.size() < 2) return {};
    return std::accumulate(std::next(ids.begin()), ids.end(), ids.front(),
                           [](const std::string& names, const std::string& id) { return names + ',' + id; });
}

const gpu::DeviceInfo* DeviceChoice::chosen() const {
    const auto at = std::ranges::find(m_list.devices, m_id, &gpu::DeviceInfo::id);
    return at == m_list.devices.end() ? nullptr : &*at;
}

bool DeviceChoice::ranking() const {
    const gpu::DeviceInfo* info = chosen();
    return info != nullptr && info->ranks();
}

void DeviceChoice::choose(const std::string& named) {
    std::vector<std::string> ids = found(named);
    if (ids.empty()) ids = {named};
    std::vector<std::string> beside(std::next(ids.begin()), ids.end());
    if (m_id == ids.front() && m_beside == beside) return;
    m_id = ids.front();
    m_beside = std::move(beside);
    m_limits.reset();
    emit changed();
    m_activity.setPersistentNotice(consequence());
}

void DeviceChoice::setHalos(gpu::HaloExchangeMode way) {
    if (way == m_halos) return;
    m_halos = way;
    emit changed();
}

void DeviceChoice::setLimits(const std::optional<gpu::Limits>& limits) {
    m_limits = limits;
    emit changed();
}

QString DeviceChoice::consequence() const {
    if (chosen() == nullptr || ranking()) return {};
    const QString why = QString::fromStdString(m_list.whyNoCuda).trimmed().toHtmlEscaped();
    const QString consequence = tr("CPU times don't predict GPU speed, so <b>no winner is shown</b>.");
    return why.isEmpty() ? consequence : why + ' ' + consequence;
}

}  // namespace warplens::gui
