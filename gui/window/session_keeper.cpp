// SPDX-License-Identifier: Apache-2.0
#include "gui/window/session_keeper.hpp"

#include "gpu/report/report.hpp"
#include "gui/window/page_stack.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QStringList>
#include <filesystem>
#include <span>

namespace warplens::gui {

namespace {

constexpr qint64 kMostBytes = 1 << 22;

/// Where a picture that was computed lies beside its session. A volume lies in space, of which NPY knows nothing.
QString pictureBeside(const QString& path, bool volume) {
    return path + (volume ? QStringLiteral(".input.nrrd") : QStringLiteral(".input.npy"));
}

QString maskBeside(const QString& path) { return path + QStringLiteral(".mask.npy"); }

QString lockOf(const QString& copy) { return copy + QStringLiteral(".lock"); }

/// All but its lock.
void removeCopy(const QString& path) {
    const QFileInfo file(path);
    for (const QString& one : {path, pictureBeside(path, false), pictureBeside(path, true), maskBeside(path)})
        QFile::remove(one);
    removeSnapshots(path, {});
    // What a killed program had begun to write.
    for (const QString& rest :
         QDir(file.absolutePath())
             .entryList({'.' + file.fileName() + QStringLiteral(".*")}, QDir::Files | QDir::Hidden))
        QFile::remove(file.absoluteDir().filePath(rest));
}

SessionDocument readSession(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw io::Error(io::Error::Kind::unreadable,
                        (path + ": " + file.errorString() + "; check the name.").toStdString());
    if (file.size() > kMostBytes)
        throw io::Error(io::Error::Kind::limit, (path + ": too large for a session; open another file.").toStdString());
    return parseSession(file.readAll(), path);
}

}  // namespace

SessionKeeper::SessionKeeper(CompareSession& session, PageStack& pages, const QString& folder, QObject* parent)
    : QObject(parent), m_session(session), m_pages(pages), m_folder(folder) {
    QDir().mkpath(folder);
    // One program may hold several windows, as tests do.
    static int windows = 0;
    m_copy =
        QDir(folder).filePath(QStringLiteral("%1-%2.warplens").arg(QCoreApplication::applicationPid()).arg(++windows));
    m_lock = std::make_unique<QLockFile>(lockOf(m_copy));
    m_lock->setStaleLockTime(0);
    m_lock->tryLock(0);
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &SessionKeeper::keep);
    m_timer.start();
    connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &SessionKeeper::rest, Qt::DirectConnection);
}

SessionKeeper::~SessionKeeper() = default;

SessionKeeper::End::~End() { keeper.discard(keeper.m_copy); }

SessionDocument SessionKeeper::present() const {
    SessionDocument document = capture(m_session);
    document.page = m_pages.current()->id();
    document.view = m_pages.current()->sessionView();
    return document;
}

void SessionKeeper::keep() {
    if (m_session.document().empty() || m_jobs.busy()) return;
    const SessionDocument now = present();
    if (m_kept && *m_kept == now) return;
    write(m_copy, [this, now] { m_kept = now; });
}

void SessionKeeper::save(const QString& path) {
    if (m_session.document().empty())
        return m_session.activity().report(tr("There is nothing to save yet; open a picture first."));
    write(path, [this, path] { emit saved(path); });
}

void SessionKeeper::write(const QString& path, std::function<void()> done) {
    SessionDocument document = present();
    const auto grid = keptPicture(m_session).picture.grid;
    const bool computed = !document.name.isEmpty();
    const bool there = computed && path == m_copy && m_beside == grid;
    if (computed) document.input = pictureBeside(path, grid->shape().depth > 1);
    if (m_hashed == grid) document.hash = m_hash;
    const auto mask = m_session.mask().picture();
    document.mask = mask == nullptr ? QString() : maskBeside(path);
    const std::vector<Snapshot> snapshots = m_session.snapshots().all();
    const bool copy = path == m_copy;
    struct Written {
        QString hash;
        SnapshotHashes snapshots;
    };
    m_jobs.start(
        this,
        [document, grid, mask, path, computed, there, copy, snapshots,
         hashes = m_snapshotHashes](const JobContext&) mutable {
            // The pictures first: a session never names one that is not whole.
            if (computed && !there) io::write(*grid, std::filesystem::path(document.input.toStdString()));
            if (mask != nullptr)
                io::write(*mask, std::filesystem::path(document.mask.toStdString()));
            else
                QFile::remove(maskBeside(path));
            document.snapshots = writeSnapshots(snapshots, path, hashes, copy);
            if (document.hash.isEmpty()) document.hash = QString::fromStdString(gpu::contentHash(*grid));
            const QByteArray text = toJson(document, QFileInfo(path).absolutePath());
            io::writeFileAtomically(std::filesystem::path(path.toStdString()),
                                    std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size()))));
            removeSnapshots(path, document.snapshots);
            return Written{document.hash, std::move(hashes)};
        },
        [this, grid, path, computed, done](JobResult<Written> result) {
            if (!result) return m_session.activity().report(result.failure().message);
            m_hashed = grid;
            m_hash = result.value().hash;
            m_snapshotHashes = result.value().snapshots;
            if (computed && path == m_copy) m_beside = grid;
            done();
        });
}

void SessionKeeper::open(const QString& path) {
    try {
        const SessionDocument document = readSession(path);
        if (document.snapshots.empty()) {
            m_openJobs.discard();
            return open(document, path, {});
        }
        m_openJobs.start(
            this, [kept = document.snapshots](const JobContext&) { return readSnapshots(kept); },
            [this, document, path](JobResult<ReadSnapshots> result) {
                if (!result) return refuse(result.failure());
                open(document, path, result.value());
            });
    } catch (const io::Error& error) {
        refuse({JobFailure::Kind::file, QString::fromUtf8(error.what())});
    }
}

void SessionKeeper::refuse(const JobFailure& failure) {
    m_session.activity().report(failure.message);
    emit refused(failure);
}

void SessionKeeper::open(const SessionDocument& document, const QString& path, const ReadSnapshots& snapshots) {
    m_session.inputs().openAs(document.input, document.choice, document.name,
                              [this, document, path, snapshots] { take(document, path, snapshots); });
}

void SessionKeeper::take(const SessionDocument& document, const QString& path, const ReadSnapshots& snapshots) {
    m_session.outputs().replaceSnapshots(snapshots.snapshots);
    m_snapshotHashes = snapshots.hashes;
    const QStringList missing = apply(document, m_session) + snapshots.missing;
    if (!document.mask.isEmpty())
        m_session.inputs().readAside(document.mask, [this](const io::Grid& mask) { takeMask(mask); });
    else if (!m_session.mask().empty())
        m_session.mask().forget();
    if (Page* page = m_pages.page(document.page)) {
        m_pages.setCurrent(page);
        page->setSessionView(document.view);
    }
    if (!missing.isEmpty()) m_session.activity().report(missing.join(' '));
    checkHash(document);
    emit opened(path);
}

void SessionKeeper::takeMask(const io::Grid& mask) {
    const QString why = m_session.mask().take(mask);
    if (!why.isEmpty()) m_session.activity().report(why);
}

void SessionKeeper::checkHash(const SessionDocument& document) {
    const auto grid = m_session.document().grid();
    m_hashJobs.start(
        this, [grid](const JobContext&) { return QString::fromStdString(gpu::contentHash(*grid)); },
        [this, grid, document](JobResult<QString> result) {
            if (!result) return;
            m_hashed = grid;
            m_hash = result.value();
            if (!document.hash.isEmpty() && document.hash != m_hash)
                m_session.activity().report(
                    tr("%1 has changed since the session was saved; results will differ from those seen then.")
                        .arg(m_session.document().name()));
        });
}

QString SessionKeeper::lost() const {
    const QDir folder(m_folder);
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.warplens")}, QDir::Files, QDir::Time)) {
        if (file.absoluteFilePath() == QFileInfo(m_copy).absoluteFilePath()) continue;
        // A lock that can be had belongs to nobody who lives.
        QLockFile lock(lockOf(file.absoluteFilePath()));
        lock.setStaleLockTime(0);
        if (lock.tryLock(0)) return file.absoluteFilePath();
    }
    return {};
}

void SessionKeeper::recover(const QString& path) {
    connect(
        this, &SessionKeeper::opened, this,
        [this, path] {
            // The present copy takes over before the lost one goes.
            write(m_copy, [this, path] { discard(path); });
        },
        Qt::SingleShotConnection);
    open(path);
}

void SessionKeeper::discard(const QString& path) {
    if (path == m_copy) m_lock->unlock();
    removeCopy(path);
    QFile::remove(lockOf(path));
}

void SessionKeeper::rest() {
    m_kept.reset();
    m_beside.reset();
    m_snapshotHashes = {};
    // On the lane that writes: not while a copy is being written.
    m_jobs.start(
        this,
        [copy = m_copy](const JobContext&) {
            removeCopy(copy);
            return Done{};
        },
        [](const JobResult<Done>&) {});
}

UnsavedWork::UnsavedWork(CompareSession& session, SessionKeeper& keeper, QObject* parent)
    : QObject(parent), m_session(session) {
    connect(&keeper, &SessionKeeper::saved, this, &UnsavedWork::giveUp);
    connect(&session.outputs(), &ResultFiles::saved, this, &UnsavedWork::giveUp);
    connect(&keeper, &SessionKeeper::opened, this, [this] { m_opening = true; });
    connect(&session.activity(), &Activity::busyChanged, this, [this] {
        if (m_opening && !m_session.activity().busy()) {
            m_opening = false;
            giveUp();
        }
    });
}

UnsavedWork::State UnsavedWork::now() const {
    State state;
    const RecipePlace* place = m_session.recipe().place();
    // What a recipe makes is computed again; without one the picture itself is what was made.
    if (place != nullptr && m_session.recipe().storable()) state.recipe = place->recipe;
    const Document::State& picture = place != nullptr ? place->origin : m_session.document().state();
    if (picture.derived) state.picture = picture.picture.grid;
    if (!m_session.mask().empty()) state.mask = m_session.mask().revision();
    state.snapshots = m_session.snapshots().all().size();
    return state;
}

bool UnsavedWork::same(const State& a, const State& b) {
    return a.picture.lock() == b.picture.lock() && a.recipe == b.recipe && a.mask == b.mask &&
           a.snapshots == b.snapshots;
}

QString UnsavedWork::what(Before before) const {
    const State state = now();
    if (m_opening || same(state, m_saved)) return {};
    QStringList parts;
    const RecipePlace* place = m_session.recipe().place();
    const bool inFile = place != nullptr && !place->file.isEmpty();
    if (const auto steps = state.recipe.steps.size(); steps > 0 && !inFile)
        parts << (steps == 1 ? tr("a step") : tr("%1 steps").arg(steps));
    if (state.picture.lock() != nullptr && state.picture.lock() != m_saved.picture.lock())
        parts << tr("the picture %1").arg(m_session.document().name());
    if (state.mask != 0 && state.mask != m_saved.mask) parts << tr("what is painted");
    if (before == Before::quit && state.snapshots > 0 && state.snapshots != m_saved.snapshots)
        parts << (state.snapshots == 1 ? tr("a result that is kept")
                                       : tr("%1 results that are kept").arg(state.snapshots));
    return parts.join(QStringLiteral(", "));
}

}  // namespace warplens::gui
