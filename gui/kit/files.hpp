// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileDialog>
#include <QString>
#include <QStringList>
#include <functional>

class QSettings;

namespace warplens::gui {

/// What a file is asked for.
struct FileDialogOptions {
    QString title;
    QStringList filters{};  ///< none: all files
    QString suffix{};       ///< of a file to be written, unless the filter chosen names another; empty: one to be read
    QString name{};         ///< suggested
    QString folder{};       ///< to begin in; empty: the usual one
    const char* id = "";    ///< object name
    QFileDialog::FileMode mode = QFileDialog::ExistingFile;
};
using FileTaken = std::function<void(const QString& path)>;
using FilesTaken = std::function<void(const QStringList& paths)>;

/// Where dialogs begin that are told no folder, or one that is gone: beside the picture that was opened last. Until it
/// is said: the user's own folder.
void setUsualFolder(const QString& folder);

/// Shows a dialog, which goes away by itself, and returns at once; `taken` hears the path for as long as `receiver`
/// lives.
void openFileDialog(QWidget* window, const FileDialogOptions& wish, QObject* receiver, FileTaken taken);
/// Begins in the folder that the settings hold as `key`, and keeps there the one of the file taken.
void openFileDialog(QWidget* window, FileDialogOptions wish, QObject* receiver, QSettings& settings, const QString& key,
                    const FileTaken& taken);

/// The same for several files to be read.
void openFilesDialog(QWidget* window, const QString& title, const QStringList& filters, FilesTaken taken);
/// Hands over the files that are dropped on `widget`; never none, and none that this program drags.
void takeDroppedFiles(QWidget* widget, FilesTaken taken);

}  // namespace warplens::gui
