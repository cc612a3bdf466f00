// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/exercise_model.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gui/session/samples.hpp"
#include "io/write.hpp"

#include <QSettings>
#include <algorithm>

namespace warplens::gui {

namespace exercise = gpu::exercise;

ExerciseModel::ExerciseModel(RequestState& request, InputFiles& inputs, RunControl& control, KernelFile& file,
                             KernelModel& kernel, Activity& activity, QObject* parent)
    : QObject(parent),
      m_request(request),
      m_inputs(inputs),
      m_control(control),
      m_file(file),
      m_kernel(kernel),
      m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    connect(&kernel, &KernelModel::changed, this, &ExerciseModel::kernelChanged);
    connect(&m_jobs, &JobRunner::busyChanged, this, &ExerciseModel::changed);
}

const std::vector<exercise::Exercise>& ExerciseModel::all() {
    if (m_loaded) return m_all;
    m_loaded = true;
    QStringList folders{resourceFolder(QStringLiteral("exercises"))};
    for (const QString& folder : folders << m_folders) {
        exercise::Exercises found = exercise::loadAll(folder.toStdString());
        for (const std::string& problem : found.problems) m_activity.note(QString::fromStdString(problem));
        std::ranges::move(found.list, std::back_inserter(m_all));
    }
    return m_all;
}

void ExerciseModel::addFolder(const QString& folder) {
    const std::string present = exercise() == nullptr ? std::string() : exercise()->name;
    const std::size_t before = all().size();
    if (!m_folders.contains(folder)) m_folders << folder;
    m_loaded = false;
    m_all.clear();
    if (all().size() > before) m_activity.note(tr("Exercises added: %1").arg(all().size() - before));
    const auto found = std::ranges::find(all(), present, &exercise::Exercise::name);
    m_index = present.empty() || found == m_all.end() ? -1 : static_cast<int>(found - m_all.begin());
    emit changed();
}

const exercise::Exercise* ExerciseModel::exercise() const {
    return m_index < 0 ? nullptr : &m_all[static_cast<std::size_t>(m_index)];
}

const ExerciseModel::Progress& ExerciseModel::progress(int index) const {
    static const Progress none;
    if (index < 0) return none;
    const auto found = m_progress.find(m_all[static_cast<std::size_t>(index)].name);
    return found == m_progress.end() ? none : found->second;
}

void ExerciseModel::choose(int index) {
    if (exercise() != nullptr) m_progress[exercise()->name].text = m_file.text();
    if (all().empty()) return;
    m_index = std::clamp(index, 0, static_cast<int>(all().size()) - 1);
    m_before.reset();
    m_now.reset();
    m_judged.clear();
    const exercise::Case& first = exercise()->cases.front();
    const gpu::Family& family = gpu::familyOf(exercise()->family);
    m_request.setFamily(family);
    for (const gpu::Parameter& parameter : family.parameters()) {
        const auto given = first.parameters.find(parameter.id);
        m_request.parameters().set(parameter.id, given == first.parameters.end() ? parameter.fallback : given->second);
    }
    m_inputs.open(QString::fromStdString(first.input));
    const QString text = progress(m_index).text;
    m_file.begin(text.isEmpty() ? QString::fromStdString(exercise()->start) : text);
    m_starts.start(this, judging(exercise()->start), [this](JobResult<exercise::Judgement> result) {
        if (result) m_before = std::move(result.value());
        emit changed();
    });
    emit chosen();
    emit changed();
}

void ExerciseModel::choose(const QString& name) {
    const auto found = std::ranges::find(all(), name.toStdString(), &exercise::Exercise::name);
    if (found != m_all.end()) choose(static_cast<int>(found - m_all.begin()));
}

void ExerciseModel::leave() {
    if (exercise() == nullptr) return;
    m_progress[exercise()->name].text = m_file.text();
    m_index = -1;
    m_jobs.discard();
    m_starts.discard();
    emit chosen();
    emit changed();
}

void ExerciseModel::beginAgain() {
    if (exercise() != nullptr) m_file.begin(QString::fromStdString(exercise()->start));
}

void ExerciseModel::openHint() {
    if (exercise() == nullptr) return;
    int& hints = m_progress[exercise()->name].hints;
    hints = std::min(hints + 1, static_cast<int>(exercise()->hints.size()));
    emit changed();
}

void ExerciseModel::giveUp() {
    if (exercise() == nullptr) return;
    m_progress[exercise()->name].gaveUp = true;
    emit changed();
}

std::function<exercise::Judgement(const JobContext&)> ExerciseModel::judging(const std::string& text) const {
    return [task = *exercise(), maker = m_request.variants().maker(), &runner = m_control.runner(),
            text](const JobContext& context) {
        if (!maker) throw gpu::Error(gpu::Error::Kind::unsupported, "This build runs no kernels of yours.");
        return exercise::judge(task, maker(exercise::fileOf(task), text), runner, context.stop());
    };
}

void ExerciseModel::kernelChanged() {
    if (exercise() == nullptr) return;
    if (m_judged != m_file.text() && m_now) {
        m_now.reset();  // it was another text's
        emit changed();
    }
    // A text that does not compile has nothing to judge; the page says what is wrong with it.
    const bool compiles = m_kernel.problems().empty() || !m_kernel.problems().front().error;
    const bool tried = m_kernel.record() || !m_kernel.problems().empty();
    if (!m_kernel.busy() && tried && compiles && m_kernel.refusal().isEmpty() && m_judged != m_file.text()) judge();
}

void ExerciseModel::judge() {
    m_judged = m_file.text();
    m_jobs.start(this, judging(m_judged.toStdString()), [this](JobResult<exercise::Judgement> result) {
        if (exercise() == nullptr || m_judged != m_file.text()) return;
        if (result) {
            m_now = std::move(result.value());
            Progress& progress = m_progress[exercise()->name];
            progress.reached = std::max(progress.reached, m_now->reached());
            progress.solved = progress.solved || m_now->allReached();
        } else if (!result.cancelled()) {
            m_activity.report(result.failure().message);
        }
        emit changed();
    });
}

std::optional<gpu::user::KernelProblem> ExerciseModel::problem() const {
    if (exercise() == nullptr || !m_now || m_now->first.status != gpu::Status::ok || m_now->reason.empty()) return {};
    return gpu::user::problemOf(m_now->reason, exercise::fileOf(*exercise()), false);
}

void ExerciseModel::handIn(const QString& path) {
    if (exercise() == nullptr || !m_now) return;
    const Progress& done = progress(m_index);
    try {
        io::writeFileAtomically(path.toStdString(),
                                exercise::toJson(exercise::makeHandIn(*exercise(), *m_now, m_judged.toStdString(),
                                                                      done.hints, done.gaveUp)));
        m_activity.note(tr("Written to %1: hand that file in.").arg(path.section(u'/', -1)));
    } catch (const std::exception& error) {
        m_activity.report(QString::fromUtf8(error.what()));
    }
}

void ExerciseModel::restore(const QSettings& settings) {
    m_folders = settings.value(QStringLiteral("exercises/folders")).toStringList();
    for (const QString& key : settings.allKeys()) {
        const QStringList parts = key.split(u'/');
        if (parts.size() != 3 || parts[0] != QStringLiteral("exercises")) continue;
        Progress& progress = m_progress[parts[1].toStdString()];
        const QVariant value = settings.value(key);
        if (parts[2] == QStringLiteral("hints")) progress.hints = value.toInt();
        if (parts[2] == QStringLiteral("reached")) progress.reached = value.toInt();
        if (parts[2] == QStringLiteral("solved")) progress.solved = value.toBool();
        if (parts[2] == QStringLiteral("gave-up")) progress.gaveUp = value.toBool();
        if (parts[2] == QStringLiteral("text")) progress.text = value.toString();
    }
}

void ExerciseModel::save(QSettings& settings) const {
    settings.setValue(QStringLiteral("exercises/folders"), m_folders);
    for (const auto& [name, progress] : m_progress) {
        const QString group = QStringLiteral("exercises/%1/").arg(QString::fromStdString(name));
        const bool present = exercise() != nullptr && exercise()->name == name;
        settings.setValue(group + QStringLiteral("hints"), progress.hints);
        settings.setValue(group + QStringLiteral("reached"), progress.reached);
        settings.setValue(group + QStringLiteral("solved"), progress.solved);
        settings.setValue(group + QStringLiteral("gave-up"), progress.gaveUp);
        settings.setValue(group + QStringLiteral("text"), present ? m_file.text() : progress.text);
    }
}

}  // namespace warplens::gui
