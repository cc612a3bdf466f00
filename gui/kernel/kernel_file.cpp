// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_file.hpp"

#include "io/file.hpp"
#include "io/write.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <filesystem>

namespace warplens::gui {

namespace {

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr int kMostVersions = 100;
constexpr int kSettleMs = 100;  // editors write a file in several steps

const QString kDraft = QStringLiteral("*.draft"), kVersions = QStringLiteral("versions");
const QString kStamp = QStringLiteral("yyyyMMdd-HHmmss-zzz");

std::filesystem::path fileOf(const QString& path) { return {path.toStdString()}; }

QString read(const QString& path) { return QString::fromStdString(io::readText(path.toStdString(), kMostBytes)); }

}  // namespace

KernelFile::KernelFile(Activity& activity, QObject* parent) : QObject(parent), m_activity(activity) {
    m_seen.setSingleShot(true);
    m_seen.setInterval(kSettleMs);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_seen, qOverload<>(&QTimer::start));
    connect(&m_seen, &QTimer::timeout, this, [this] {
        if (!QFileInfo::exists(m_path)) return;
        m_files.start(
            this, [path = m_path](const JobContext&) { return read(path); },
            [this, path = m_path](JobResult<QString> result) {
                watch();  // a file that was put in the place of the one before
                if (!result || path != m_path || result.value() == m_saved) return;
                if (changed()) keep(tr("before it was changed elsewhere"));
                take(path, result.value(), true);
                m_activity.note(tr("%1 was changed elsewhere and read again").arg(name()));
            });
    });
}

QString KernelFile::name() const {
    return m_path.isEmpty() ? QStringLiteral("my_kernel.cuh") : QFileInfo(m_path).fileName();
}

void KernelFile::type(const QString& text) {
    if (text == m_text) return;
    m_text = text;
    writeDraft();
    emit fileChanged();
}

void KernelFile::begin(const QString& text) {
    if (!m_text.isEmpty()) keep(tr("left"));
    take({}, text, false);
}

void KernelFile::take(const QString& path, const QString& text, bool again) {
    m_path = path;
    m_text = m_saved = text;
    watch();
    writeDraft();
    emit replaced(again);
    emit fileChanged();
}

void KernelFile::watch() {
    if (const QStringList old = m_watcher.files(); !old.isEmpty()) m_watcher.removePaths(old);
    if (!m_path.isEmpty()) m_watcher.addPath(m_path);
}

void KernelFile::open(const QString& path) {
    m_files.start(
        this, [path](const JobContext&) { return read(path); },
        [this, path](JobResult<QString> result) {
            if (!result) return m_activity.fail(result.failure());
            if (changed()) keep(tr("left"));
            take(path, result.value(), false);
        });
}

void KernelFile::save(const QString& path) {
    m_files.start(
        this,
        [path, text = m_text](const JobContext&) {
            io::writeFileAtomically(fileOf(path), text.toStdString());
            return text;
        },
        [this, path](JobResult<QString> result) {
            if (!result) return m_activity.fail(result.failure());
            m_path = path;
            m_saved = result.value();
            watch();
            writeDraft();
            m_activity.note(tr("Saved %1").arg(name()));
            emit fileChanged();
        });
}

KernelFile::Last::~Last() {
    if (file.m_draft.isEmpty()) return;
    try {
        io::writeFileAtomically(fileOf(file.m_draft), file.draft().toStdString());
    } catch (const std::exception&) {
        // Said when it was typed.
    }
}

QByteArray KernelFile::draft() const {
    return QJsonDocument(QJsonObject{{QStringLiteral("path"), m_path},
                                     {QStringLiteral("saved"), m_saved},
                                     {QStringLiteral("text"), m_text}})
        .toJson(QJsonDocument::Compact);
}

void KernelFile::writeDraft() {
    if (m_folder.isEmpty()) return;
    if (m_draft.isEmpty()) {
        QDir().mkpath(m_folder);
        // One program may hold several windows, as tests do.
        static int windows = 0;
        m_draft = QDir(m_folder).filePath(
            QStringLiteral("%1-%2.draft").arg(QCoreApplication::applicationPid()).arg(++windows));
    }
    if (!m_lock) {
        m_lock = std::make_unique<QLockFile>(m_draft + QStringLiteral(".lock"));
        m_lock->setStaleLockTime(0);
        m_lock->tryLock(0);
    }
    m_drafts.start(
        this,
        [path = m_draft, json = draft()](const JobContext&) {
            io::writeFileAtomically(fileOf(path), json.toStdString());
            return Done{};
        },
        [this](const JobResult<Done>& result) {
            if (!result && !result.cancelled()) m_activity.report(result.failure().message);
        });
}

bool KernelFile::restore() {
    const QDir folder(m_folder);
    if (m_folder.isEmpty()) return false;
    for (const QFileInfo& file : folder.entryInfoList({kDraft}, QDir::Files, QDir::Time)) {
        // A lock that can be had belongs to nobody who lives.
        auto lock = std::make_unique<QLockFile>(file.absoluteFilePath() + QStringLiteral(".lock"));
        lock->setStaleLockTime(0);
        if (!lock->tryLock(0)) continue;
        QFile draft(file.absoluteFilePath());
        if (!draft.open(QIODevice::ReadOnly) || draft.size() > 8 * kMostBytes) continue;
        const QJsonObject json = QJsonDocument::fromJson(draft.readAll()).object();
        if (!json.contains(QStringLiteral("text"))) continue;
        m_draft = draft.fileName();
        m_lock = std::move(lock);
        m_path = json.value(QStringLiteral("path")).toString();
        m_saved = json.value(QStringLiteral("saved")).toString();
        m_text = json.value(QStringLiteral("text")).toString();
        watch();
        if (!m_path.isEmpty()) m_seen.start();  // it may have been changed since
        emit replaced(false);
        emit fileChanged();
        return true;
    }
    return false;
}

std::vector<KernelFile::Version> KernelFile::versions() const {
    std::vector<Version> all;
    if (m_folder.isEmpty()) return all;
    // "20261130-014740-123 my_kernel verified.cuh"
    for (const QFileInfo& file :
         QDir(QDir(m_folder).filePath(kVersions))
             .entryInfoList({QStringLiteral("*.cuh")}, QDir::Files, QDir::Name | QDir::Reversed)) {
        const QString stem = file.completeBaseName();
        const QDateTime when = QDateTime::fromString(stem.section(u' ', 0, 0), kStamp);
        if (when.isValid())
            all.push_back({file.absoluteFilePath(), when.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) +
                                                        QStringLiteral("  ") + stem.section(u' ', 1)});
    }
    return all;
}

void KernelFile::keep(const QString& state) {
    if (m_folder.isEmpty() || m_text == m_kept) return;
    m_kept = m_text;
    const QDir folder(QDir(m_folder).filePath(kVersions));
    QDir().mkpath(folder.path());
    const QString name = QDateTime::currentDateTime().toString(kStamp) + u' ' +
                         QFileInfo(this->name()).completeBaseName() + u' ' + state + QStringLiteral(".cuh");
    try {
        io::writeFileAtomically(fileOf(folder.filePath(name)), m_text.toStdString());
    } catch (const std::exception& error) {
        return m_activity.report(QString::fromUtf8(error.what()));
    }
    const auto all = versions();
    for (std::size_t i = kMostVersions; i < all.size(); ++i) QFile::remove(all[i].path);
}

QString KernelFile::textOf(const Version& version) {
    QFile file(version.path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace warplens::gui
