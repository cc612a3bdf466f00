// SPDX-License-Identifier: Apache-2.0
#include "gui/session/result_files.hpp"

#include "gui/kit/activity.hpp"
#include "gui/picture/clipboard_picture.hpp"
#include "gui/picture/value_colours.hpp"
#include "gui/session/file_jobs.hpp"
#include "gui/session/pane_contents.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <optional>
#include <utility>

namespace warplens::gui {

ResultFiles::ResultFiles(RequestState& request, VisibleVariants& lookedAt, Results& results, Snapshots& snapshots,
                         Activity& activity, QObject* parent)
    : QObject(parent),
      m_request(request),
      m_lookedAt(lookedAt),
      m_results(results),
      m_snapshots(snapshots),
      m_activity(activity) {
    activity.watch(m_jobs);
    activity.watch(m_copyJobs);
    connect(&results, &Results::changed, this, &ResultFiles::presentChanged);
}

const gpu::RunRecord* ResultFiles::present() const {
    const gpu::RunRecord* record = m_results.present(m_request.current());
    return record != nullptr && record->result.picture != nullptr ? record : nullptr;
}

const gpu::RunRecord* ResultFiles::presentPicture() {
    if (const gpu::RunRecord* record = present()) return record;
    m_activity.report(
        tr("There is no picture of %1 yet; run it first.").arg(QString::fromStdString(m_request.current())));
    return nullptr;
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

bool ResultFiles::ready() {
    if (m_jobs.busy()) m_activity.report(tr("A file is still being saved; try again when it is done."));
    return !m_jobs.busy();
}

void ResultFiles::copy(const ViewState& view) {
    const gpu::RunRecord* record = m_results.present(m_request.current());
    const bool result = record != nullptr && record->result.picture != nullptr;
    if (!result && m_request.document().empty()) return m_activity.report(tr("There is no picture to copy yet."));
    const auto picture = result ? record->result.picture : m_request.document().grid();
    const QString name = result ? QString::fromStdString(m_request.current()) : m_request.document().name();
    const gpu::Family* family = m_request.parameters().family();
    const auto kind = result && family != nullptr ? resultKindOf(*family, m_request.parameters().values())
                                                  : std::optional<ResultKind>();
    OwnDisplay display{view.range(), mapFor(*picture, view.colourMap(), view.labelColours())};
    m_copyJobs.start(
        this,
        [picture, kind, display, slice = view.slice()](const JobContext&) {
            return clipboardImage(*picture, kind ? ownDisplayOf(*kind, *picture) : display, slice);
        },
        [this, name](JobResult<QImage> image) {
            if (!image) return m_activity.fail(image.failure());
            QGuiApplication::clipboard()->setImage(image.value());
            m_activity.note(tr("Copied %1 as it is shown").arg(name));
        });
}

void ResultFiles::save(const QString& path) {
    const gpu::RunRecord* record = m_results.present(m_request.current());
    const bool none = record == nullptr || record->result.empty() || m_results.notKept(m_request.current());
    if (none && !m_request.document().derived())
        return m_activity.report(
            tr("There is no result of %1 to save yet; run it first.").arg(QString::fromStdString(m_request.current())));
    write(none || record->result.picture == nullptr ? m_request.document().grid() : record->result.picture, path);
}

void ResultFiles::write(const std::shared_ptr<const io::Grid>& picture, const QString& path,
                        const io::WriteOptions& how) {
    start([picture, path, how](const std::stop_token& stop) { return writePicture(*picture, path, how, stop); },
          tr("Saved %1"), path);
}

void ResultFiles::exportView(const QImage& view, const QString& path) {
    start([view, path](const std::stop_token&) { return writeView(view, path); }, tr("Exported %1"), path);
}

void ResultFiles::start(std::function<Done(const std::stop_token&)> work, const QString& what, const QString& path) {
    if (!ready()) return;
    m_jobs.start(
        this,
        [work = std::move(work), doing = tr("Saving %1").arg(path.section('/', -1))](const JobContext& context) {
            context.progress(0, doing);
            return work(context.stop());
        },
        [this, what, path](JobResult<Done> result) {
            if (!result) return m_activity.fail(result.failure());
            m_activity.note(what.arg(path.section('/', -1)));
            emit saved(path);
        });
}

}  // namespace warplens::gui
