// SPDX-License-Identifier: Apache-2.0
#include "gui/document/format_form.hpp"

#include "gui/kit/panel.hpp"
#include "gui/session/file_formats.hpp"
#include "io/crop.hpp"
#include "io/write.hpp"

#include <QSettings>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

const QString kFormat = QStringLiteral("save/format"), kQuality = QStringLiteral("save/quality");
constexpr std::int64_t kTile = 256;
constexpr int kAsNeeded = -1;

/// A piece of the middle, which stands for the whole when its size is estimated.
io::Grid tileOf(const io::Grid& picture) {
    const auto& shape = picture.shape();
    const auto from = [](std::int64_t extent) { return std::max<std::int64_t>(0, (extent - kTile) / 2); };
    return io::crop(picture, from(shape.width), from(shape.height), std::min(shape.width, kTile),
                    std::min(shape.height, kTile));
}

}  // namespace

FormatForm::Outlook FormatForm::outlookOf(const io::Grid& picture, const io::Format& format, const io::FitOptions& fit,
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

FormatForm::FormatForm(For many, QSettings& settings, QWidget* parent)
    : QWidget(parent),
      m_for(many),
      m_settings(settings),
      m_formats(
          made(new QComboBox(this), {.id = many == For::one ? "save-format" : "batch-ending", .name = tr("Format")})),
      m_types(made(new QComboBox(this), {.id = id("type"), .name = tr("Values")})),
      m_ways(made(new QComboBox(this), {.id = id("way"), .name = tr("Stored as")})),
      m_quality(made(new QSlider(Qt::Horizontal, this), {.id = id("quality-slider"), .name = tr("Quality")})),
      m_number(made(new QSpinBox(this), {.id = id("quality"), .name = tr("Quality, 1 to 100")})),
      m_size(made(new QLabel(this), {.id = id("size")})),
      m_lost(made(new QLabel(this), {.id = id("lost"), .wraps = true})),
      m_outlook([this] { showOutlook(); }) {
    m_quality->setRange(io::EncodeOptions::kLeastQuality, io::EncodeOptions::kMostQuality);
    m_number->setRange(io::EncodeOptions::kLeastQuality, io::EncodeOptions::kMostQuality);
    makeRows();
    connect(m_quality, &QSlider::valueChanged, m_number, &QSpinBox::setValue);
    connect(m_number, &QSpinBox::valueChanged, m_quality, &QSlider::setValue);
    connect(m_number, &QSpinBox::valueChanged, this, &FormatForm::ask);
    for (QComboBox* choice : {m_types, m_ways})
        connect(choice, &QComboBox::currentIndexChanged, this, &FormatForm::ask);
    m_number->setValue(m_settings.value(kQuality, io::EncodeOptions::kUsualQuality).toInt());
    setFocusProxy(m_formats);
    listFormats();
    connect(m_formats, &QComboBox::currentIndexChanged, this, &FormatForm::takeFormat);
    takeFormat();
}

QString FormatForm::id(const char* name) const {
    return (m_for == For::one ? QStringLiteral("save-") : QStringLiteral("batch-")) + QLatin1String(name);
}

void FormatForm::makeRows() {
    const auto row = [&](const QString& title, QWidget* of, std::initializer_list<Part> parts) {
        auto* whole = new QWidget(this);
        auto* label = made(new QLabel(title, whole), {.look = "label", .of = of});
        label->setFixedWidth(Length{kTitleWidth});
        fill(makeRow(whole, {}, kGap, {label}), parts);
        return whole;
    };
    m_outlookRows = new QWidget(this);
    makeColumn(m_outlookRows, {}, kGap,
               {row(tr("Size"), nullptr, {m_size, new OriginMark(Origin::modelled, this), spring()}),
                row(tr("Lost"), nullptr, {{m_lost, 1}})});
    makeColumn(this, {}, kGap,
               {row(tr("Format"), m_formats, {{m_formats, 1}}), m_typeRow = row(tr("Values"), m_types, {{m_types, 1}}),
                m_wayRow = row(tr("Stored as"), m_ways, {{m_ways, 1}}),
                m_qualityRow = row(tr("Quality"), m_number, {{m_quality, 1}, m_number}), m_outlookRows});
}

void FormatForm::listFormats() {
    const QSignalBlocker quiet(m_formats);
    m_formats->clear();
    if (m_for == For::many)
        for (const QString& ending : writtenExtensions(QStringLiteral("tif")))
            m_formats->addItem(ending, QString::fromLatin1(io::formatNamed(ending.toStdString())->id));
    else
        for (const io::Format& format : io::formats())
            if (!format.table && (m_picture == nullptr || io::fitFor(format, *m_picture, {})))
                m_formats->addItem(QStringLiteral("%1, .%2").arg(format.title, format.extensions.front()),
                                   QString::fromLatin1(format.id));
    choose(nullptr);
}

void FormatForm::choose(const io::Grid* original) {
    const QSignalBlocker quiet(m_formats);
    const QString usual = m_for == For::one ? QStringLiteral("png") : QStringLiteral("tiff");
    QString id = m_settings.value(kFormat, usual).toString();
    const io::Format* own = original == nullptr ? nullptr : io::formatNamed(original->metadata.format);
    // Pictures of a folder are saved as one of them was.
    if (own != nullptr && m_picture != nullptr && (m_for == For::one || !m_settings.contains(kFormat)))
        if (const auto fits = io::fitFor(*own, *m_picture, {m_range}); fits && !fits->changes)
            id = QLatin1String(own->id);
    m_formats->setCurrentIndex(std::max(m_formats->findData(id), 0));
}

void FormatForm::setPicture(std::shared_ptr<const io::Grid> picture, std::shared_ptr<const io::Grid> original) {
    m_picture = std::move(picture);
    m_range = {};
    if (m_picture != nullptr && original != nullptr) m_range = io::usualRange(*m_picture, *original);
    if (m_for == For::one) listFormats();
    choose(original.get());
    takeFormat();
}

const io::Format& FormatForm::format() const {
    return *io::formatNamed(m_formats->currentData().toString().toStdString());
}

io::FitOptions FormatForm::fit() const {
    const int type = m_types->count() > 0 ? m_types->currentData().toInt() : kAsNeeded;
    return {m_range, type == kAsNeeded ? std::nullopt : std::optional(static_cast<io::PixelType>(type))};
}

io::EncodeOptions FormatForm::encoding() const {
    return {.quality = m_number->value(), .way = m_ways->currentData().toString().toStdString()};
}

void FormatForm::keep() {
    m_settings.setValue(kFormat, m_formats->currentData());
    m_settings.setValue(kQuality, m_number->value());
}

void FormatForm::takeFormat() {
    const io::Format& now = format();
    {
        const QSignalBlocker quiet(m_types);
        m_types->clear();
        if (m_for == For::many) m_types->addItem(tr("as each picture needs"), kAsNeeded);
        const bool colours = now.coloursInBytes && m_picture != nullptr && m_picture->shape().channels > 1;
        for (const auto& [type, title] : {std::pair{io::PixelType::u8, tr("8 bit")},
                                          {io::PixelType::u16, tr("16 bit")},
                                          {io::PixelType::f32, tr("32-bit float")},
                                          {io::PixelType::u32, tr("32 bit")},
                                          {io::PixelType::i32, tr("32 bit, signed")}}) {
            const bool wide = io::isWideInteger(type) && (m_picture == nullptr || type != m_picture->type());
            if (std::ranges::find(now.writes, type) == now.writes.end() || wide) continue;
            if (!colours || type == io::PixelType::u8) m_types->addItem(title, static_cast<int>(type));
        }
        if (m_for == For::one && m_picture != nullptr)
            if (const auto usual = io::fitFor(now, *m_picture, {m_range}))
                m_types->setCurrentIndex(std::max(0, m_types->findData(static_cast<int>(usual->type))));
    }
    m_typeRow->setVisible(m_types->count() > (m_for == For::one ? 1 : 2));
    {
        // Floats of 16 bits stay what they were.
        const bool half = m_picture != nullptr && m_picture->metadata.sourceType == "f16";
        const QSignalBlocker quiet(m_ways);
        m_ways->clear();
        for (const io::StorageWay& way : now.ways)
            m_ways->addItem(QString::fromUtf8(way.title), QString::fromLatin1(way.id));
        const auto same = [half](const io::StorageWay& way) { return way.halfPrecision == half; };
        const auto usual = std::ranges::find_if(now.ways, same);
        if (usual != now.ways.end()) m_ways->setCurrentIndex(static_cast<int>(usual - now.ways.begin()));
    }
    m_wayRow->setVisible(!now.ways.empty());
    m_qualityRow->setVisible(now.quality);
    ask();
    emit changed();
}

void FormatForm::ask() {
    m_outlookRows->setVisible(m_picture != nullptr);
    if (m_picture == nullptr) return;
    const io::Format& now = format();
    const Choice choice{m_picture, now.id, fit().type, now.quality ? m_number->value() : 0, encoding().way};
    m_outlook.ask(choice, [picture = m_picture, &now, fit = fit(), encode = encoding()](const JobContext& context) {
        return outlookOf(*picture, now, fit, encode, context.stop());
    });
    showOutlook();
}

void FormatForm::showOutlook() {
    const Outlook* known = m_outlook.value();
    m_size->setText(known != nullptr ? tr("about %1").arg(format::bytes(static_cast<std::int64_t>(known->bytes)))
                                     : QStringLiteral("..."));
    if (!m_outlook.problem().isEmpty()) m_size->setText(tr("unknown"));
    m_lost->setText(known == nullptr        ? m_outlook.problem()
                    : known->lost.isEmpty() ? tr("nothing is lost")
                                            : known->lost.join(QStringLiteral("; ")));
}

}  // namespace warplens::gui
