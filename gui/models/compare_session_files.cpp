// SPDX-License-Identifier: Apache-2.0
// The part of CompareSession that reads and writes files.
#include "gui/models/compare_session.hpp"
#include "gui/theme/format.hpp"

namespace warplens::gui {

void CompareSession::open(const QString& input) { read(input, {}); }

void CompareSession::readAgain(const ReadChoice& choice) {
    if (!m_document.empty() && !m_document.derived() && choice != m_document.choice()) read(m_document.input(), choice);
}

void CompareSession::read(const QString& input, const ReadChoice& choice) {
    QElapsedTimer clock;
    clock.start();
    m_openJobs.start(
        this, [input, choice](const JobContext& context) { return readPicture(input, choice, context); },
        [this, input, choice, clock](JobResult<OpenedPicture> result) {
            if (!result) {
                fail(result.failure());
                return emit m_document.choiceRefused();
            }
            takePicture([&] { m_document.set(input, result.value(), choice); });
            note(tr("Read %1 in %2 s").arg(m_document.name(), format::significant(double(clock.elapsed()) / 1000, 2)));
            emit opened(input);
        });
}

void CompareSession::openAs(const QString& input, const ReadChoice& choice, const QString& name,
                            std::function<void()> then) {
    m_openJobs.start(
        this, [input, choice](const JobContext& context) { return readPicture(input, choice, context); },
        [this, input, choice, name, then = std::move(then)](JobResult<OpenedPicture> result) {
            if (!result) return fail(result.failure());
            takePicture([&] {
                m_document.restore({name.isEmpty() ? input : name, result.value(), choice, !name.isEmpty(), nullptr});
            });
            note(tr("Read %1").arg(m_document.name()));
            then();
        });
}

void CompareSession::takePicture(const std::function<void()>& change) {
    setError({});
    beginRun();
    dropRuns();
    m_results.clear();
    for (auto& [family, left] : m_left) left.results.clear();
    change();
    resetResults();
    refilter();
}

void CompareSession::derive(const QString& name, const QString& what,
                            std::function<io::Grid(const std::stop_token&)> work) {
    m_openJobs.start(
        this,
        [work = std::move(work)](const JobContext& context) {
            OpenedPicture made;
            made.grid = std::make_shared<const io::Grid>(work(context.stop()));
            made.thumbnail = thumbnailOf(*made.grid);
            return made;
        },
        [this, name, what](JobResult<OpenedPicture> result) {
            if (!result) return fail(result.failure());
            takePicture([&] { m_document.derive(name, result.value()); });
            note(what);
        });
}

void CompareSession::undoPicture() {
    if (m_document.state().source == nullptr) return;
    restorePicture(*m_document.state().source);
    note(tr("Back to %1").arg(m_document.name()));
}

void CompareSession::restorePicture(const Document::State& state) {
    const Document::State kept = state;  // it may belong to what is replaced
    m_openJobs.discard();
    takePicture([&] { m_document.restore(kept); });
}

const gpu::RunRecord* CompareSession::presentPicture() {
    const gpu::RunRecord* record = result(m_current);
    if (record != nullptr && record->result.picture != nullptr && !stale(m_current)) return record;
    setError(tr("There is no picture of %1 yet; run it first.").arg(QString::fromStdString(m_current)));
    return nullptr;
}

void CompareSession::useResult() {
    const gpu::RunRecord* record = presentPicture();
    if (record == nullptr) return;
    const QString name = tr("%1, %2").arg(m_document.name(), QString::fromStdString(m_current));
    m_openJobs.start(
        this,
        [grid = record->result.picture](const JobContext&) {
            return OpenedPicture{grid, thumbnailOf(*grid)};
        },
        [this, name](JobResult<OpenedPicture> made) {
            if (!made) return fail(made.failure());
            takePicture([&] { m_document.derive(name, made.value()); });
            note(tr("The input is now %1").arg(name));
        });
}

void CompareSession::takeSnapshot() {
    const gpu::RunRecord* record = presentPicture();
    if (record == nullptr) return;
    QStringList words{m_document.name()};
    for (const gpu::Parameter& parameter : m_parameters.parameters())
        if (!m_parameters.isDefault(parameter.id) && m_parameters.visible(parameter))
            words << QStringLiteral("%1 %2").arg(
                QString::fromStdString(parameter.title).toLower(),
                QString::fromStdString(gpu::format(m_parameters.value(parameter.id))).left(24));
    const Snapshot& kept = m_snapshots.add(*record, *variant(m_current), words.join(QStringLiteral(", ")), m_reference);
    note(tr("Kept %1").arg(kept.title));
}

void CompareSession::replaceSnapshots(std::vector<Snapshot> snapshots) {
    m_snapshots.replace(std::move(snapshots));
    if (Snapshots::numberOf(QString::fromStdString(m_reference)) > 0 && m_snapshots.find(m_reference) == nullptr)
        setReference("input");
}

void CompareSession::openValues(const QString& path, ReadValues read) {
    m_openJobs.start(
        this, [path, read = std::move(read)](const JobContext&) { return read(path); },
        [this](JobResult<NewValues> result) {
            if (!result) return fail(result.failure());
            QString why;
            for (const auto& [id, value] : result.value())
                if (!m_parameters.set(id, value, &why)) return setError(why);
        });
}

void CompareSession::openParameter(const std::string& id, const QString& path) {
    const gpu::Family* family = m_parameters.family();
    m_parameterJobs.start(
        this, [path](const JobContext& context) { return readPicture(path, {}, context); },
        [this, family, id, path](JobResult<OpenedPicture> result) {
            if (!result) return fail(result.failure());
            if (m_parameters.family() != family) return;  // the form it was chosen in is gone
            QString why;
            const auto named =
                std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{path.toStdString(), result.value().grid});
            if (!m_parameters.set(id, named, &why)) setError(why);
        });
}

void CompareSession::saveResult(const QString& path) {
    const gpu::RunRecord* record = result(m_current);
    const bool none = record == nullptr || record->result.empty() || stale(m_current);
    if (none && !m_document.derived())
        return setError(
            tr("There is no result of %1 to save yet; run it first.").arg(QString::fromStdString(m_current)));
    const auto picture = none || record->result.picture == nullptr ? m_document.grid() : record->result.picture;
    if (m_saveJobs.busy()) return setError(tr("A file is still being saved; try again when it is done."));
    m_saveJobs.start(
        this, [grid = picture, path](const JobContext&) { return writePicture(*grid, path); },
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

}  // namespace warplens::gui
