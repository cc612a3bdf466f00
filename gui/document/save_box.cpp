// SPDX-License-Identifier: Apache-2.0
#include "gui/document/save_box.hpp"

#include "gui/document/format_form.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QDialog>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <utility>

namespace warplens::gui {

namespace {

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
          m_format(new FormatForm(FormatForm::For::one, settings, this)),
          m_name(made(new QLineEdit(this), {.id = "save-name", .name = tr("Name of the file")})),
          m_folder(made(new QLabel(this), {.id = "save-folder", .look = "caption"})),
          m_there(made(new QLabel(this), {.id = "save-there", .look = "hint", .wraps = true})),
          m_save(made(new QPushButton(tr("Save"), this), {.id = "save-now", .look = "primary"})) {
        setObjectName(QStringLiteral("save-box"));
        setWindowTitle(tr("Save as"));
        setAttribute(Qt::WA_DeleteOnClose);
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
    QLineEdit* m_name;
    QLabel *m_folder, *m_there;
    QPushButton* m_save;
    QString m_where;
};

}  // namespace

QDialog* makeSaveBox(const PictureToSave& what, QSettings& settings,
                     std::function<void(const QString& path, const io::WriteOptions& how)> take, QWidget* window) {
    return new SaveBox(what, settings, std::move(take), window);
}

}  // namespace warplens::gui
