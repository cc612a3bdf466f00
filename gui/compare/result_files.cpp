// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/result_files.hpp"

#include "gui/document/file_jobs.hpp"
#include "gui/document/input_files.hpp"
#include "gui/kit/activity.hpp"

#include <utility>

namespace warplens::gui {

ResultFiles::ResultFiles(RequestState& request, LookedAt& lookedAt, Results& results, Snapshots& snapshots,
                         InputFiles& inputs, Activity& activity, QObject* parent)
    : QObject(parent),
      m_request(request),
      m_lookedAt(lookedAt),
      m_results(results),
      m_snapshots(snapshots),
      m_inputs(inputs),
      m_activity(activity) {
    activity.watch(m_jobs);
}

const gpu::RunRecord* ResultFiles::presentPicture() {
    const gpu::RunRecord* record = m_results.present(m_request.current());
    if (record != nullptr && record->result.picture != nullptr) return record;
    m_activity.report(
        tr("There is no picture of %1 yet; run it first.").arg(QString::fromStdString(m_request.current())));
    return nullptr;
}

void ResultFiles::useResult() {
    const gpu::RunRecord* record = presentPicture();
    if (record == nullptr) return;
    const QString name = tr("%1, %2").arg(m_request.document().name(), QString::fromStdString(m_request.current()));
    m_inputs.use(name, tr("The input is now %1").arg(name), record->result.picture);
}

void ResultFiles::takeSnapshot() {
    const gpu::RunRecord* record = presentPicture();
    const gpu::Variant* variant = m_request.currentVariant();
    if (record == nullptr || variant == nullptr) return;
    const ParameterState& parameters = m_request.parameters();
    QStringList words{m_request.document().name()};
    for (const gpu::Parameter& parameter : parameters.parameters())
        if (!parameters.isDefault(parameter.id) && parameters.visible(parameter))
            words << QStringLiteral("%1 %2").arg(
                QString::fromStdString(parameter.title).toLower(),
                QString::fromStdString(gpu::format(parameters.value(parameter.id))).left(24));
    const Snapshot& kept = m_snapshots.add(*record, *variant, words.join(QStringLiteral(", ")), m_lookedAt.reference());
    m_activity.note(tr("Kept %1").arg(kept.title));
}

void ResultFiles::replaceSnapshots(std::vector<Snapshot> snapshots) {
    m_snapshots.replace(std::move(snapshots));
    const std::string& reference = m_lookedAt.reference();
    if (Snapshots::numberOf(QString::fromStdString(reference)) > 0 && m_snapshots.find(reference) == nullptr)
        m_lookedAt.setReference("input");
}

void ResultFiles::save(const QString& path) {
    const gpu::RunRecord* record = m_results.present(m_request.current());
    const bool none = record == nullptr || record->result.empty() || m_results.notKept(m_request.current());
    if (none && !m_request.document().derived())
        return m_activity.report(
            tr("There is no result of %1 to save yet; run it first.").arg(QString::fromStdString(m_request.current())));
    write(none || record->result.picture == nullptr ? m_request.document().grid() : record->result.picture, path);
}

void ResultFiles::write(const std::shared_ptr<const io::Grid>& picture, const QString& path) {
    start([picture, path] { return writePicture(*picture, path); }, tr("Saved %1"), path);
}

void ResultFiles::exportView(const QImage& view, const QString& path) {
    start([view, path] { return writeView(view, path); }, tr("Exported %1"), path);
}

void ResultFiles::start(std::function<Done()> work, const QString& what, const QString& path) {
    if (m_jobs.busy()) return m_activity.report(tr("A file is still being saved; try again when it is done."));
    m_jobs.start(
        this, [work = std::move(work)](const JobContext&) { return work(); },
        [this, what, path](JobResult<Done> result) {
            if (!result) return m_activity.fail(result.failure());
            m_activity.note(what.arg(path.section('/', -1)));
            emit saved(path);
        });
}

}  // namespace warplens::gui
