// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_file.hpp"

#include "io/write.hpp"

#include <QFile>
#include <QFileInfo>

namespace warplens::gui {

namespace {

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr int kSettleMs = 100;  // editors write a file in several steps

}  // namespace

KernelFile::KernelFile(Activity& activity, QObject* parent) : QObject(parent), m_activity(activity) {
    m_seen.setSingleShot(true);
    m_seen.setInterval(kSettleMs);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_seen, qOverload<>(&QTimer::start));
    connect(&m_seen, &QTimer::timeout, this, [this] {
        if (QFileInfo::exists(m_path)) read(m_path, true);
    });
}

KernelFile::~KernelFile() {
    const bool due = m_drafts->busy();
    m_drafts.reset();  // it is over then, and what it left out is made good
    try {
        if (due) gpu::user::KeptTexts::write(m_kept.draftFile(), draft());
    } catch (const std::exception&) {
        // Said when it was typed.
    }
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
    take({}, text, text, false);
}

void KernelFile::take(const QString& path, const QString& saved, const QString& text, bool again) {
    m_path = path;
    m_saved = saved;
    m_text = text;
    watch();
    writeDraft();
    emit replaced(again);
    emit fileChanged();
}

void KernelFile::watch() {
    if (const QStringList old = m_watcher.files(); !old.isEmpty()) m_watcher.removePaths(old);
    if (!m_path.isEmpty()) m_watcher.addPath(m_path);
}

void KernelFile::read(const QString& path, bool again) {
    m_files.start(
        this,
        [path](const JobContext&) { return QString::fromStdString(io::readText(path.toStdString(), kMostBytes)); },
        [this, path, again](JobResult<QString> result) {
            if (again) watch();  // a file that was put in the place of the one before
            if (again && (!result || path != m_path || result.value() == m_saved)) return;
            if (!result) return m_activity.fail(result.failure());
            if (changed()) keep(again ? tr("before it was changed elsewhere") : tr("left"));
            take(path, result.value(), result.value(), again);
            if (again) m_activity.note(tr("%1 was changed elsewhere and read again").arg(name()));
        });
}

void KernelFile::save(const QString& path) {
    m_files.start(
        this,
        [path, text = m_text](const JobContext&) {
            io::writeFileAtomically(path.toStdString(), text.toStdString());
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

gpu::user::KeptTexts::Draft KernelFile::draft() const {
    return {m_path.toStdString(), m_saved.toStdString(), m_text.toStdString()};
}

void KernelFile::writeDraft() {
    const auto file = m_kept.draftFile();
    if (file.empty()) return;
    m_drafts->start(
        this,
        [file, draft = draft()](const JobContext&) {
            gpu::user::KeptTexts::write(file, draft);
            return Done{};
        },
        [this](const JobResult<Done>& result) {
            if (!result && !result.cancelled()) m_activity.report(result.failure().message);
        });
}

bool KernelFile::restore() {
    const auto draft = m_kept.takeUp();
    if (!draft) return false;
    const auto words = [](const std::string& text) { return QString::fromStdString(text); };
    take(words(draft->path), words(draft->saved), words(draft->text), false);
    if (!m_path.isEmpty()) m_seen.start();  // it may have been changed since
    return true;
}

std::vector<KernelFile::Version> KernelFile::versions() const {
    std::vector<Version> all;
    for (const auto& [file, title] : m_kept.versions())
        all.push_back({QString::fromStdString(file.string()), QString::fromStdString(title)});
    return all;
}

void KernelFile::keep(const QString& state) {
    try {
        m_kept.keep(m_text.toStdString(), name().toStdString(), state.toStdString());
    } catch (const std::exception& error) {
        m_activity.report(QString::fromUtf8(error.what()));
    }
}

QString KernelFile::textOf(const Version& version) {
    QFile file(version.path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace warplens::gui
