// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/files.hpp"

#include <QDir>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QRegularExpression>
#include <QSettings>
#include <QUrl>
#include <utility>

namespace warplens::gui {

namespace {

QString& usualFolder() {
    static QString folder;
    return folder;
}

/// The first that is there: that of a stick may be gone.
QString firstThere(const QStringList& folders) {
    for (const QString& folder : folders)
        if (!folder.isEmpty() && QFileInfo(folder).isDir()) return folder;
    return QDir::homePath();
}

QStringList filesIn(const QDropEvent& event) {
    QStringList paths;
    for (const QUrl& url : event.mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    // What is dragged out of this program comes from no file.
    return event.source() == nullptr ? paths : QStringList();
}

class Drops : public QObject {
public:
    Drops(QWidget* widget, FilesTaken taken) : QObject(widget), m_taken(std::move(taken)) {
        widget->setAcceptDrops(true);
        widget->installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop) return false;
        auto* drop = static_cast<QDropEvent*>(event);
        const QStringList paths = filesIn(*drop);
        if (paths.isEmpty()) return false;
        drop->acceptProposedAction();
        if (event->type() == QEvent::Drop) m_taken(paths);
        return true;
    }

private:
    FilesTaken m_taken;
};

}  // namespace

void setUsualFolder(const QString& folder) { usualFolder() = folder; }

void openFileDialog(QWidget* window, const FileDialogOptions& wish, QObject* receiver, FileTaken taken) {
    auto* dialog = new QFileDialog(window, wish.title, firstThere({wish.folder, usualFolder()}));
    dialog->setObjectName(QString::fromUtf8(wish.id));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(wish.suffix.isEmpty() ? wish.mode : QFileDialog::AnyFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, wish.mode == QFileDialog::Directory);
    if (!wish.filters.isEmpty()) dialog->setNameFilters(wish.filters);
    if (!wish.suffix.isEmpty()) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(wish.suffix);
        QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
            dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1, 1).section(' ', 0, 0).section(')', 0, 0));
        });
    }
    // What other systems take for a drive, a stream or a pattern, as in "gen:noise".
    static const QRegularExpression kNoName(QStringLiteral("[:*?\"<>|]"));
    if (!wish.name.isEmpty()) dialog->selectFile(QString(wish.name).replace(kNoName, QStringLiteral("-")));
    QObject::connect(dialog, &QFileDialog::fileSelected, receiver, std::move(taken));
    dialog->open();
}

void openFileDialog(QWidget* window, FileDialogOptions wish, QObject* receiver, QSettings& settings, const QString& key,
                    const FileTaken& taken) {
    wish.folder = settings.value(key).toString();
    const bool itself = wish.mode == QFileDialog::Directory;
    openFileDialog(window, wish, receiver, [&settings, key, itself, taken](const QString& path) {
        settings.setValue(key, itself ? path : QFileInfo(path).absolutePath());
        taken(path);
    });
}

void openFilesDialog(QWidget* window, const QString& title, const QStringList& filters, FilesTaken taken) {
    auto* dialog = new QFileDialog(window, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters(filters);
    QObject::connect(dialog, &QFileDialog::filesSelected, window, std::move(taken));
    dialog->open();
}

void takeDroppedFiles(QWidget* widget, FilesTaken taken) { new Drops(widget, std::move(taken)); }

}  // namespace warplens::gui
