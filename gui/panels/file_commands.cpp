// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/file_commands.hpp"

#include "gui/models/raw_guess.hpp"
#include "gui/models/samples.hpp"
#include "gui/models/series_guess.hpp"
#include "gui/panels/page_stack.hpp"
#include "gui/panels/raw_dialog.hpp"
#include "gui/panels/session_keeper.hpp"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QUrl>

namespace warplens::gui {

namespace {

const QString kOpenFolder = QStringLiteral("folders/open"), kSaveFolder = QStringLiteral("folders/save");

/// Shown, not executed: the window goes on.
QFileDialog* makeDialog(QWidget* window, const QString& title, const QString& folder) {
    auto* dialog = new QFileDialog(window, title, folder.isEmpty() ? QDir::homePath() : folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

}  // namespace

FileCommands::FileCommands(CompareSession& session, PageStack& pages, SessionKeeper& keeper, QSettings& settings,
                           QWidget* window)
    : QObject(window),
      m_session(session),
      m_pages(pages),
      m_keeper(keeper),
      m_settings(settings),
      m_recent(settings),
      m_window(window) {
    connect(&session, &CompareSession::opened, &m_recent, &RecentFiles::add);
    connect(&keeper, &SessionKeeper::saved, &m_recent, &RecentFiles::add);
}

void FileCommands::open() {
    QFileDialog* dialog = makeDialog(m_window, tr("Open a picture"), m_settings.value(kOpenFolder).toString());
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Pictures and volumes (*.png *.jpg *.jpeg *.tif *.tiff *.exr *.hdr *.bmp *.tga *.pgm *.ppm *.pnm *.npy "
            "*.nrrd *.nhdr *.mha *.mhd *.nii *.nii.gz *.dcm *.raw *.bin)"),
         tr("Warplens sessions (*.warplens)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings.setValue(kOpenFolder, QFileInfo(path).absolutePath());
        openInput(path);
    });
    dialog->open();
}

void FileCommands::openFolder() {
    QFileDialog* dialog =
        makeDialog(m_window, tr("Open a folder of DICOM files"), m_settings.value(kOpenFolder).toString());
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings.setValue(kOpenFolder, path);
        m_session.open(path);
    });
    dialog->open();
}

void FileCommands::openSeries() {
    QFileDialog* dialog = makeDialog(m_window, tr("Open numbered pictures as a volume: choose one of them"),
                                     m_settings.value(kOpenFolder).toString());
    dialog->setObjectName(QStringLiteral("open-series-dialog"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings.setValue(kOpenFolder, QFileInfo(path).absolutePath());
        const QString input = seriesOf(path);
        if (input.isEmpty())
            m_session.report(tr("%1: no number in the name, so it belongs to no series; open it alone.")
                                 .arg(QFileInfo(path).fileName()));
        else
            m_session.open(input);
    });
    dialog->open();
}

void FileCommands::openRaw() {
    QFileDialog* dialog =
        makeDialog(m_window, tr("Open a file of plain values"), m_settings.value(kOpenFolder).toString());
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings.setValue(kOpenFolder, QFileInfo(path).absolutePath());
        askRaw(path);
    });
    dialog->open();
}

void FileCommands::openInput(const QString& input) {
    if (isSession(input)) {
        m_keeper.open(input);
        m_recent.add(input);
    } else if (looksRaw(input) && QFileInfo(input).isFile()) {
        askRaw(input);
    } else {
        m_session.open(input);
    }
}

void FileCommands::askRaw(const QString& path) {
    auto* dialog = new RawDialog(path, m_window);
    dialog->setObjectName(QStringLiteral("raw-dialog"));
    connect(dialog, &RawDialog::chosen, &m_session, &CompareSession::open);
    dialog->open();
}

void FileCommands::openValues(const Lens::ValuesFile& file) {
    QFileDialog* dialog = makeDialog(m_window, file.title, m_settings.value(kOpenFolder).toString());
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(file.filters);
    connect(dialog, &QFileDialog::fileSelected, &m_session,
            [this, read = file.read](const QString& path) { m_session.openValues(path, read); });
    dialog->open();
}

void FileCommands::saveResult() {
    QFileDialog* dialog =
        makeDialog(m_window, tr("Save the result in full depth"), m_settings.value(kSaveFolder).toString());
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const bool volume = !m_session.document().empty() && m_session.document().grid()->shape().depth > 1;
    const QStringList forVolumes{tr("NRRD, with geometry (*.nrrd)"), tr("MetaImage, with geometry (*.mha)"),
                                 tr("TIFF stack (*.tif *.tiff)"), tr("NumPy, exact (*.npy)")};
    const QStringList forPictures{tr("TIFF, any type (*.tif *.tiff)"), tr("PNG, 8 and 16 bit (*.png)"),
                                  tr("OpenEXR, float (*.exr)"), tr("NumPy, exact (*.npy)")};
    dialog->setNameFilters(volume ? forVolumes : forPictures);
    dialog->setDefaultSuffix(volume ? QStringLiteral("nrrd") : QStringLiteral("tif"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1, 1).section(' ', 0, 0).section(')', 0, 0));
    });
    dialog->selectFile(QFileInfo(m_session.document().name()).baseName() + '-' +
                       QString::fromStdString(m_session.current()));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings.setValue(kSaveFolder, QFileInfo(path).absolutePath());
        m_session.saveResult(path);
    });
    dialog->open();
}

void FileCommands::saveSession() {
    QFileDialog* dialog = makeDialog(m_window, tr("Save the session"), m_settings.value(kSaveFolder).toString());
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Warplens sessions (*.warplens)")});
    dialog->setDefaultSuffix(QStringLiteral("warplens"));
    dialog->selectFile(QFileInfo(m_session.document().name()).baseName());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings.setValue(kSaveFolder, QFileInfo(path).absolutePath());
        m_keeper.save(path);
    });
    dialog->open();
}

void FileCommands::exportView() {
    const QImage view = m_pages.current()->view();  // as it is now, not as it is when a name was found
    QFileDialog* dialog =
        makeDialog(m_window, tr("Export the view as shown"), m_settings.value(kSaveFolder).toString());
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG (*.png)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(QFileInfo(m_session.document().name()).baseName() + QStringLiteral("-view"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, view](const QString& path) {
        m_settings.setValue(kSaveFolder, QFileInfo(path).absolutePath());
        m_session.exportView(view, path);
    });
    dialog->open();
}

void FileCommands::fillSamples(QMenu* menu) {
    menu->clear();
    const auto add = [this, menu](const QString& input, const QString& name) {
        connect(menu->addAction(name), &QAction::triggered, this, [this, input] { m_session.open(input); });
    };
    const QStringList pictures = samplePictures();
    for (const QString& path : pictures) add(path, QFileInfo(path).fileName());
    if (!pictures.isEmpty()) menu->addSeparator();
    for (const QString& input : generatedSamples()) add(input, input);
}

void FileCommands::fillRecent(QMenu* menu) {
    menu->clear();
    const QStringList files = m_recent.list();
    for (const QString& path : files)
        connect(menu->addAction(QDir::toNativeSeparators(path)), &QAction::triggered, this,
                [this, path] { openInput(path); });
    if (files.isEmpty()) menu->addAction(tr("Nothing yet"))->setEnabled(false);
}

QString FileCommands::droppedFile(const QMimeData* data) {
    if (data == nullptr) return {};
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) return url.toLocalFile();
    return {};
}

}  // namespace warplens::gui
