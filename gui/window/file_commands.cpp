// SPDX-License-Identifier: Apache-2.0
#include "gui/window/file_commands.hpp"

#include "gui/document/format_form.hpp"
#include "gui/document/print_view.hpp"
#include "gui/document/raw_dialog.hpp"
#include "gui/filter/filter_page.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/clipboard_picture.hpp"
#include "gui/session/file_formats.hpp"
#include "gui/session/samples.hpp"
#include "gui/timeline/timeline_page.hpp"
#include "gui/window/page_stack.hpp"
#include "gui/window/session_keeper.hpp"
#include "io/write.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QIcon>
#include <QSettings>
#include <functional>
#include <memory>
#include <utility>

namespace warplens::gui {

namespace {

/// A picture that is to be saved.
struct PictureToSave {
    std::shared_ptr<const io::Grid> picture;
    std::shared_ptr<const io::Grid> original;  ///< of which it was made: its type says what is white
    QString name;                              ///< suggested, without ending
    QString folder;                            ///< empty: the usual one
};

const QString kFolder = QStringLiteral("save/folder");
constexpr Length kWidth{520}, kTitleWidth{FormatForm::kTitleWidth};

class SaveBox : public QDialog {
public:
    SaveBox(PictureToSave what, QSettings& settings, std::function<void(const QString&, const io::WriteOptions&)> take,
            QWidget* window)
        : QDialog(window),
          m_what(std::move(what)),
          m_settings(settings),
          m_take(std::move(take)),
          m_format(new FormatForm(FormatForm::For::one, settings, this)) {
        setUpDialog(this, "save-box", tr("Save as"));
        makeRows();
        connect(m_format, &FormatForm::changed, this, [this] { showPlace(); });
        connect(m_name, &QLineEdit::textChanged, this, [this] { showPlace(); });
        connect(m_save, &QPushButton::clicked, this, [this] { save(); });
        m_save->setDefault(true);
        m_where =
            QFileInfo(m_what.folder).isDir() ? m_what.folder : m_settings.value(kFolder, QDir::homePath()).toString();
        m_name->setText(m_what.name);
        m_format->setPicture(m_what.picture, m_what.original);
        resize(kWidth, sizeHint().height());
        m_format->setFocus();
    }

private:
    void makeRows() {
        const auto titled = [&](const QString& title, QWidget* of) {
            auto* label = made(new QLabel(title, this), {.look = "label", .of = of});
            label->setFixedWidth(kTitleWidth);
            return label;
        };
        auto* choose =
            made(new QPushButton(tr("Folder..."), this), {.id = "save-choose", .look = "flat", .does = [this] {
                                                              openFileDialog(this,
                                                                             {.title = tr("Save in"),
                                                                              .folder = m_where,
                                                                              .id = "save-folder-dialog",
                                                                              .mode = QFileDialog::Directory},
                                                                             this, [this](const QString& folder) {
                                                                                 m_where = folder;
                                                                                 showPlace();
                                                                             });
                                                          }});
        auto* cancel = made(new QPushButton(tr("Cancel"), this), {.id = "save-cancel", .does = [this] { reject(); }});
        for (QPushButton* button : {choose, cancel}) button->setAutoDefault(false);
        makeColumn(this, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap,
                   {m_format, makeRow(nullptr, {}, kGap, {titled(tr("Name"), m_name), {m_name, 1}}),
                    makeRow(nullptr, {}, kGap, {titled(tr("In"), choose), {m_folder, 1}, choose}), m_there,
                    makeRow(nullptr, {}, kGap, {spring(), cancel, m_save})});
    }

    QString path() const {
        const QString ending = '.' + m_format->ending(), name = m_name->text().trimmed();
        const QString own = QFileInfo(name).suffix().toLower();
        const bool named = !own.isEmpty() && io::writesAs(m_format->format(), own.toStdString());
        return QDir(m_where).filePath(named ? name : name + ending);
    }

    void showPlace() {
        const bool named = !m_name->text().trimmed().isEmpty();
        m_folder->setText(QDir::toNativeSeparators(m_where));
        m_save->setEnabled(named);
        m_there->setText(named && QFileInfo::exists(path())
                             ? tr("%1 exists already; saving replaces it.").arg(QFileInfo(path()).fileName())
                             : QString());
        m_there->setVisible(!m_there->text().isEmpty());
    }

    void save() {
        if (!m_save->isEnabled()) return;
        m_format->keep();
        m_settings.setValue(kFolder, m_where);
        m_take(path(), {.encode = m_format->encoding(), .fit = m_format->fit()});
        accept();
    }

    PictureToSave m_what;
    QSettings& m_settings;
    std::function<void(const QString&, const io::WriteOptions&)> m_take;
    FormatForm* m_format;
    QLineEdit* m_name = made(new QLineEdit(this), {.id = "save-name", .name = tr("Name of the file")});
    QLabel *m_folder = made(new QLabel(this), {.id = "save-folder", .look = "caption"}),
           *m_there = made(new QLabel(this), {.id = "save-there", .look = "hint", .wraps = true});
    QPushButton* m_save = made(new QPushButton(tr("Save"), this), {.id = "save-now", .look = "primary"});
    QString m_where;
};

/// Asks for format, quality and name, says beside each format how large the file will be (estimated) and what it loses
/// of the picture, and hands over the path with how it is to be written. It does not block, and goes away by itself.
QDialog* makeSaveBox(const PictureToSave& what, QSettings& settings,
                     std::function<void(const QString& path, const io::WriteOptions& how)> take, QWidget* window) {
    return new SaveBox(what, settings, std::move(take), window);
}

const QString kOpenFolder = QStringLiteral("folders/open"), kSaveFolder = QStringLiteral("folders/save");

}  // namespace

FileCommands::FileCommands(RequestState& request, InputFiles& inputs, ResultFiles& outputs, Activity& activity,
                           PageStack& pages, SessionKeeper& keeper, QSettings& settings, QWidget* window)
    : QObject(window),
      m_request(request),
      m_inputs(inputs),
      m_outputs(outputs),
      m_activity(activity),
      m_pages(pages),
      m_keeper(keeper),
      m_settings(settings),
      m_recent(settings),
      m_window(window) {
    connect(&inputs, &InputFiles::opened, this, [this](const QString& input) {
        m_recent.add(input, m_request.document().thumbnail());
        if (const QFileInfo file(input); file.exists() && !samplePictures().contains(input))
            setUsualFolder(file.absolutePath());
    });
    connect(&inputs, &InputFiles::refused, this, &FileCommands::inputRefused);
    connect(&keeper, &SessionKeeper::refused, this, &FileCommands::inputRefused);
    if (auto* timeline = qobject_cast<TimelinePage*>(pages.page(QStringLiteral("timeline"))))
        connect(timeline, &TimelinePage::refused, this, &FileCommands::inputRefused);
    connect(&keeper, &SessionKeeper::saved, this, [this](const QString& path) { m_recent.add(path); });
}

void FileCommands::ask(const FileDialogOptions& wish, const FileTaken& taken) {
    openFileDialog(m_window, wish, this, m_settings, wish.suffix.isEmpty() ? kOpenFolder : kSaveFolder, taken);
}

void FileCommands::open() {
    ask({.title = tr("Open a picture"),
         .filters = {tr("Pictures and volumes (%1)")
                         .arg((namePatterns(Readable::everything) + QStringList{"*.raw", "*.bin"}).join(' ')),
                     tr("Warplens sessions (*.warplens)"), tr("Timelines (*.json)"), tr("All files (*)")}},
        [this](const QString& path) { openInput(path); });
}

void FileCommands::openFolder() {
    ask({.title = tr("Open a folder of DICOM files"), .mode = QFileDialog::Directory},
        [this](const QString& path) { m_inputs.open(path); });
}

void FileCommands::openSeries() {
    ask({.title = tr("Open numbered pictures as a volume: choose one of them"), .id = "open-series-dialog"},
        [this](const QString& path) {
            const QString input = seriesOf(path);
            if (input.isEmpty())
                m_activity.report(tr("%1: no number in the name, so it belongs to no series; open it alone.")
                                      .arg(QFileInfo(path).fileName()));
            else
                m_inputs.open(input);
        });
}

void FileCommands::openRaw() {
    ask({.title = tr("Open a file of plain values")}, [this](const QString& path) { askRaw(path); });
}

void FileCommands::openInput(const QString& input) {
    if (isSession(input)) {
        m_keeper.open(input);
        m_recent.add(input);
    } else if (auto* timeline = qobject_cast<TimelinePage*>(m_pages.page(QStringLiteral("timeline")));
               isTimeline(input)) {
        timeline->open(input);
        m_pages.setCurrent(timeline);
    } else if (looksRaw(input) && QFileInfo(input).isFile()) {
        askRaw(input);
    } else {
        m_inputs.open(input);
    }
}

void FileCommands::askRaw(const QString& path) {
    auto* dialog = made(new RawDialog(path, m_window), {.id = "raw-dialog"});
    connect(dialog, &RawDialog::chosen, &m_inputs, &InputFiles::open);
    dialog->open();
}

void FileCommands::openValues(const Lens::ValuesFile& file) {
    openFileDialog(m_window,
                   {.title = file.title, .filters = file.filters, .folder = m_settings.value(kOpenFolder).toString()},
                   &m_inputs, [this, read = file.read](const QString& path) { m_inputs.openValues(path, read); });
}

void FileCommands::saveResult() {
    if (const auto* page = qobject_cast<FilterPage*>(m_pages.current())) return saveSteps(*page);
    askToSave(tr("Save the result in full depth"), baseName() + '-' + QString::fromStdString(m_request.current()),
              [this](const QString& path) { m_outputs.save(path); });
}

void FileCommands::saveSteps(const FilterPage& page) {
    if (!m_outputs.ready()) return;
    const auto picture = page.result();
    if (picture == nullptr) return m_activity.report(tr("The result is still being computed; save it in a moment."));
    if (m_request.document().empty()) return m_activity.report(tr("Open a picture first."));
    const QFileInfo input(page.origin().input);
    makeSaveBox(
        {picture, page.origin().picture.grid, page.resultName(), input.isFile() ? input.absolutePath() : QString()},
        m_settings,
        [this, picture](const QString& path, const io::WriteOptions& how) { m_outputs.write(picture, path, how); },
        m_window)
        ->show();
}

void FileCommands::savePicture() {
    askToSave(tr("Save the open picture in full depth"), baseName(),
              [this](const QString& path) { m_outputs.savePicture(path); });
}

void FileCommands::askToSave(const QString& title, const QString& name, const FileTaken& taken) {
    if (!m_outputs.ready()) return;
    const bool volume = !m_request.document().empty() && m_request.document().grid()->shape().depth > 1;
    const QString usual = volume ? QStringLiteral("nrrd") : QStringLiteral("tif");
    ask({.title = title, .filters = saveFilters(volume, usual), .suffix = usual, .name = name}, taken);
}

void FileCommands::copyPicture() {
    if (const ViewState* view = m_pages.current()->currentView()) m_outputs.copy(*view);
}

void FileCommands::pastePicture() {
    const auto picture = pictureOf(QGuiApplication::clipboard()->image());
    if (picture == nullptr) return m_activity.report(tr("The clipboard holds no picture; copy one first."));
    m_inputs.use(tr("pasted picture"), tr("Pasted a picture"), picture);
}

void FileCommands::saveSession() {
    ask({.title = tr("Save the session"),
         .filters = {tr("Warplens sessions (*.warplens)")},
         .suffix = QStringLiteral("warplens"),
         .name = baseName()},
        [this](const QString& path) { m_keeper.save(path); });
}

void FileCommands::exportView() {
    if (!m_outputs.ready()) return;
    const QImage view = m_pages.current()->view();  // as it is now, not as it is when a name was found
    ask({.title = tr("Export the view as shown"),
         .filters = {tr("PNG (*.png)")},
         .suffix = QStringLiteral("png"),
         .name = baseName() + QStringLiteral("-view")},
        [this, view](const QString& path) { m_outputs.exportView(view, path); });
}

QString FileCommands::baseName() const { return QFileInfo(m_request.document().name()).baseName(); }

void FileCommands::printView() {
    const QString line = tr("%1, %2").arg(m_request.document().name(), QString::fromStdString(m_request.current()));
    askToPrint(m_window, m_pages.current()->view(), line);
}

void FileCommands::fillSamples(QMenu* menu) {
    menu->clear();
    const auto add = [this, menu](const QString& input, const QString& name) {
        connect(menu->addAction(name), &QAction::triggered, this, [this, input] { m_inputs.open(input); });
    };
    const QStringList pictures = samplePictures();
    for (const QString& path : pictures) add(path, QFileInfo(path).fileName());
    if (!pictures.isEmpty()) menu->addSeparator();
    for (const QString& input : generatedSamples()) add(input, input);
}

void FileCommands::fillRecent(QMenu* menu) {
    menu->clear();
    const QStringList files = m_recent.list();
    menu->setStyleSheet(QStringLiteral("QMenu { icon-size: %1px; }").arg(Length{kThumbnailSide / 2}));
    for (const QString& path : files) {
        QAction* action = menu->addAction(QDir::toNativeSeparators(path));
        if (const QImage small = m_recent.thumbnail(path); !small.isNull())
            action->setIcon(QIcon(QPixmap::fromImage(small)));
        connect(action, &QAction::triggered, this, [this, path] { openInput(path); });
    }
    if (files.isEmpty()) menu->addAction(tr("Nothing yet"))->setEnabled(false);
}

}  // namespace warplens::gui
