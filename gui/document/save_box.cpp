// SPDX-License-Identifier: Apache-2.0
#include "gui/document/save_box.hpp"

#include "gui/kit/derived.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "io/crop.hpp"
#include "io/fit_format.hpp"

#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QStringList>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::gui {

namespace {

const QString kFormat = QStringLiteral("save/format"), kQuality = QStringLiteral("save/quality"),
              kFolder = QStringLiteral("save/folder");
constexpr Length kWidth{520}, kTitleWidth{70};
constexpr std::int64_t kTile = 256;

/// What is found of one choice, on another thread.
struct Choice {
    std::string format;
    std::optional<io::PixelType> type;
    int quality = io::EncodeOptions::kUsualQuality;
    bool operator==(const Choice&) const = default;
};
struct Outlook {
    QStringList lost;
    double bytes = 0;
};

/// A piece of the middle, which stands for the whole when its size is estimated.
io::Grid tileOf(const io::Grid& picture) {
    const auto& shape = picture.shape();
    const auto from = [](std::int64_t extent) { return std::max<std::int64_t>(0, (extent - kTile) / 2); };
    return io::crop(picture, from(shape.width), from(shape.height), std::min(shape.width, kTile),
                    std::min(shape.height, kTile));
}

Outlook outlookOf(const io::Grid& picture, const io::Format& format, const io::FitOptions& fit,
                  const io::EncodeOptions& encode, const std::stop_token& stop) {
    Outlook outlook;
    const auto fits = io::fitFor(format, picture, fit);
    if (!fits) return outlook;
    for (const std::string& phrase : io::lostBy(format, picture, *fits, encode))
        outlook.lost << QString::fromStdString(phrase);
    const io::Grid tile = tileOf(picture);
    const auto bytes = io::encode(tile, format.id, {.encode = encode, .fit = fit, .stop = stop}).size();
    outlook.bytes = static_cast<double>(bytes) * static_cast<double>(picture.shape().pixels()) /
                    static_cast<double>(tile.shape().pixels());
    return outlook;
}

class SaveBox : public QDialog {
public:
    SaveBox(PictureToSave what, QSettings& settings, std::function<void(const QString&, const io::WriteOptions&)> take,
            QWidget* window)
        : QDialog(window),
          m_what(std::move(what)),
          m_settings(settings),
          m_take(std::move(take)),
          m_formats(made(new QComboBox(this), {.id = "save-format", .name = tr("Format")})),
          m_types(made(new QComboBox(this), {.id = "save-type", .name = tr("Values")})),
          m_quality(made(new QSlider(Qt::Horizontal, this), {.id = "save-quality-slider", .name = tr("Quality")})),
          m_number(made(new QSpinBox(this), {.id = "save-quality", .name = tr("Quality, 1 to 100")})),
          m_size(made(new QLabel(this), {.id = "save-size"})),
          m_lost(made(new QLabel(this), {.id = "save-lost", .wraps = true})),
          m_name(made(new QLineEdit(this), {.id = "save-name", .name = tr("Name of the file")})),
          m_folder(made(new QLabel(this), {.id = "save-folder", .look = "caption"})),
          m_there(made(new QLabel(this), {.id = "save-there", .look = "hint", .wraps = true})),
          m_save(made(new QPushButton(tr("Save"), this), {.id = "save-now", .look = "primary"})),
          m_outlook([this] { showOutlook(); }) {
        setObjectName(QStringLiteral("save-box"));
        setWindowTitle(tr("Save as"));
        setAttribute(Qt::WA_DeleteOnClose);
        for (const io::Format& format : io::formats())
            if (!format.table && io::fitFor(format, *m_what.picture, {}))
                m_formats->addItem(QStringLiteral("%1, .%2").arg(format.title, format.extensions.front()),
                                   QString::fromLatin1(format.id));
        m_quality->setRange(io::EncodeOptions::kLeastQuality, io::EncodeOptions::kMostQuality);
        m_number->setRange(io::EncodeOptions::kLeastQuality, io::EncodeOptions::kMostQuality);
        makeRows();
        connect(m_quality, &QSlider::valueChanged, m_number, &QSpinBox::setValue);
        connect(m_number, &QSpinBox::valueChanged, m_quality, &QSlider::setValue);
        connect(m_number, &QSpinBox::valueChanged, this, [this] { ask(); });
        connect(m_formats, &QComboBox::currentIndexChanged, this, [this] { takeFormat(); });
        connect(m_types, &QComboBox::currentIndexChanged, this, [this] { ask(); });
        connect(m_name, &QLineEdit::textChanged, this, [this] { showPlace(); });
        connect(m_save, &QPushButton::clicked, this, [this] { save(); });
        m_save->setDefault(true);
        m_number->setValue(m_settings.value(kQuality, io::EncodeOptions::kUsualQuality).toInt());
        m_where =
            QFileInfo(m_what.folder).isDir() ? m_what.folder : m_settings.value(kFolder, QDir::homePath()).toString();
        m_name->setText(m_what.name);
        const int last = m_formats->findData(m_settings.value(kFormat, QStringLiteral("png")));
        m_formats->setCurrentIndex(std::max(last, 0));
        takeFormat();
        resize(kWidth, sizeHint().height());
        m_formats->setFocus();
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
        m_qualityTitle = titled(tr("Quality"), m_number);
        m_typeTitle = titled(tr("Values"), m_types);
        makeColumn(this, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap,
                   {makeRow(nullptr, {}, kGap, {titled(tr("Format"), m_formats), {m_formats, 1}}),
                    makeRow(nullptr, {}, kGap, {m_typeTitle, {m_types, 1}}),
                    makeRow(nullptr, {}, kGap, {m_qualityTitle, {m_quality, 1}, m_number}),
                    makeRow(nullptr, {}, kGap,
                            {titled(tr("Size"), nullptr), m_size, new OriginMark(Origin::modelled, this), spring()}),
                    makeRow(nullptr, {}, kGap, {titled(tr("Lost"), nullptr), {m_lost, 1}}),
                    makeRow(nullptr, {}, kGap, {titled(tr("Name"), m_name), {m_name, 1}}),
                    makeRow(nullptr, {}, kGap, {titled(tr("In"), choose), {m_folder, 1}, choose}), m_there,
                    makeRow(nullptr, {}, kGap, {spring(), cancel, m_save})});
    }

    const io::Format& format() const { return *io::formatNamed(m_formats->currentData().toString().toStdString()); }
    io::FitOptions fit() const {
        return {m_range, m_types->count() > 0
                             ? std::optional(static_cast<io::PixelType>(m_types->currentData().toInt()))
                             : std::nullopt};
    }
    io::EncodeOptions encoding() const { return {.quality = m_number->value()}; }

    void takeFormat() {
        const io::Format& now = format();
        const QSignalBlocker quiet(m_types);
        m_types->clear();
        if (m_what.original != nullptr && m_range == io::FitOptions::Range{})
            m_range = io::usualRange(*m_what.picture, *m_what.original);
        const auto usual = io::fitFor(now, *m_what.picture, {m_range});
        const bool colours = now.coloursInBytes && m_what.picture->shape().channels > 1;
        for (const auto& [type, title] : {std::pair{io::PixelType::u8, tr("8 bit")},
                                          {io::PixelType::u16, tr("16 bit")},
                                          {io::PixelType::f32, tr("32-bit float")},
                                          {io::PixelType::u32, tr("32 bit")},
                                          {io::PixelType::i32, tr("32 bit, signed")}}) {
            const bool wide = io::isWideInteger(type) && type != m_what.picture->type();
            if (std::ranges::find(now.writes, type) == now.writes.end() || wide) continue;
            if (!colours || type == io::PixelType::u8) m_types->addItem(title, static_cast<int>(type));
        }
        m_types->setCurrentIndex(std::max(0, m_types->findData(static_cast<int>(usual->type))));
        for (QWidget* part : {static_cast<QWidget*>(m_types), static_cast<QWidget*>(m_typeTitle)})
            part->setVisible(m_types->count() > 1);
        for (QWidget* part :
             {static_cast<QWidget*>(m_quality), static_cast<QWidget*>(m_number), static_cast<QWidget*>(m_qualityTitle)})
            part->setVisible(now.quality);
        ask();
        showPlace();
    }

    void ask() {
        const io::Format& now = format();
        const Choice choice{now.id, fit().type, now.quality ? m_number->value() : 0};
        m_outlook.ask(choice,
                      [picture = m_what.picture, &now, fit = fit(), encode = encoding()](const JobContext& context) {
                          return outlookOf(*picture, now, fit, encode, context.stop());
                      });
        showOutlook();
    }

    void showOutlook() {
        const Outlook* known = m_outlook.value();
        m_size->setText(known != nullptr ? tr("about %1").arg(format::bytes(static_cast<std::int64_t>(known->bytes)))
                                         : QStringLiteral("..."));
        if (!m_outlook.problem().isEmpty()) m_size->setText(tr("unknown"));
        m_lost->setText(known == nullptr        ? m_outlook.problem()
                        : known->lost.isEmpty() ? tr("nothing is lost")
                                                : known->lost.join(QStringLiteral("; ")));
    }

    QString path() const {
        const QString ending = '.' + QString::fromLatin1(format().extensions.front()), name = m_name->text().trimmed();
        const QString own = QFileInfo(name).suffix().toLower();
        const bool named = !own.isEmpty() && io::writesAs(format(), own.toStdString());
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
        m_settings.setValue(kFormat, m_formats->currentData());
        m_settings.setValue(kQuality, m_number->value());
        m_settings.setValue(kFolder, m_where);
        m_take(path(), {.encode = encoding(), .fit = fit()});
        accept();
    }

    PictureToSave m_what;
    QSettings& m_settings;
    std::function<void(const QString&, const io::WriteOptions&)> m_take;
    QComboBox *m_formats, *m_types;
    QSlider* m_quality;
    QSpinBox* m_number;
    QLabel *m_size, *m_lost;
    QLineEdit* m_name;
    QLabel *m_folder, *m_there;
    QPushButton* m_save;
    QLabel *m_qualityTitle = nullptr, *m_typeTitle = nullptr;
    QString m_where;
    io::FitOptions::Range m_range{};
    Derived<Choice, Outlook> m_outlook;
};

}  // namespace

QDialog* makeSaveBox(const PictureToSave& what, QSettings& settings,
                     std::function<void(const QString& path, const io::WriteOptions& how)> take, QWidget* window) {
    return new SaveBox(what, settings, std::move(take), window);
}

}  // namespace warplens::gui
