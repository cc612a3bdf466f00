// SPDX-License-Identifier: Apache-2.0
#include "gui/document/raw_dialog.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/file_formats.hpp"
#include "gui/session/file_jobs.hpp"

#include <QClipboard>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>

namespace warplens::gui {

namespace {

constexpr Length kPreview{256};
constexpr std::array kTypes{io::RawType::u8,  io::RawType::u16, io::RawType::i16,
                            io::RawType::u32, io::RawType::i32, io::RawType::f32};
constexpr std::array kChannels{1, 3, 4};
const char* const kAxes[] = {"x", "y", "z"};

}  // namespace

RawDialog::RawDialog(const QString& path, QWidget* parent)
    : QDialog(parent), m_path(path), m_bytes(QFileInfo(path).size()) {
    setWindowTitle(tr("Import raw data"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* about = made(new QLabel(tr("%1, %2 bytes, does not say how its values are laid out.")
                                      .arg(QFileInfo(path).fileName(), format::integer(m_bytes)),
                                  this),
                       {.wraps = true});
    auto* sides = makeRow(nullptr, {}, 2 * kGap, {{makeForm(), 1}, makePreview()});
    m_mark = new StatusMark(this);
    m_verdict = made(new QLabel(this), {.id = "raw-verdict", .wraps = true});
    m_command = made(new QLineEdit(this), {.id = "raw-command", .name = tr("The same input on the command line")});
    m_command->setToolTip(m_command->accessibleName());
    m_command->setReadOnly(true);
    m_command->setFont(sourceFont());
    auto* copy =
        made(new QPushButton(tr("Copy"), this), {.id = "raw-copy", .name = tr("Copy the input"), .does = [this] {
                                                     QGuiApplication::clipboard()->setText(m_command->text());
                                                 }});
    auto* cancel = made(new QPushButton(tr("Cancel"), this), {.id = "raw-cancel", .does = [this] { reject(); }});
    m_open =
        made(new QPushButton(tr("Open"), this), {.id = "raw-open", .look = "primary", .does = [this] {
                                                     emit chosen(QString::fromStdString(io::formatRaw(description())));
                                                     accept();
                                                 }});
    m_open->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(kGap);
    fill(column,
         {about, sides, makeRow(nullptr, {}, 6, {m_mark, {m_verdict, 1}}),
          makeRow(nullptr, {}, -1, {{m_command, 1}, copy}), makeRow(nullptr, {}, -1, {spring(), cancel, m_open})});
    refresh();
}

QWidget* RawDialog::makeForm() {
    const io::RawDescription guess = guessRaw(m_path, m_bytes);
    auto* form = new QWidget(this);
    auto* rows = new QFormLayout(form);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setVerticalSpacing(4);
    const auto add = [&](const QString& name, QWidget* field, const QString& id) {
        setWidgetText(field, {.id = id, .name = name});
        rows->addRow(name, field);
    };
    const std::array sides{guess.shape.width, guess.shape.height, guess.shape.depth};
    const std::array names{tr("Width"), tr("Height"), tr("Slices")};
    for (std::size_t i = 0; i < 3; ++i) {
        m_extent[i] = new QSpinBox(form);
        m_extent[i]->setAlignment(Qt::AlignRight);
        m_extent[i]->setRange(1, std::numeric_limits<int>::max());
        m_extent[i]->setValue(static_cast<int>(std::min<std::int64_t>(sides[i], std::numeric_limits<int>::max())));
        connect(m_extent[i], &QSpinBox::valueChanged, this, &RawDialog::refresh);
        add(names[i], m_extent[i], QStringLiteral("raw-extent-%1").arg(i));
    }
    const auto choice = [&](const QString& name, const QString& id) {
        auto* combo = new QComboBox(form);
        add(name, combo, id);
        return combo;
    };
    m_channels = choice(tr("Channels"), QStringLiteral("raw-channels"));
    for (const int channels : kChannels) m_channels->addItem(QString::number(channels));
    m_type = choice(tr("Type"), QStringLiteral("raw-type"));
    for (const io::RawType type : kTypes) m_type->addItem(QString::fromUtf8(io::nameOf(type)));
    m_type->setCurrentText(QString::fromUtf8(io::nameOf(guess.type)));
    m_order = choice(tr("Byte order"), QStringLiteral("raw-order"));
    m_order->addItems({tr("little endian"), tr("big endian")});
    for (QComboBox* combo : {m_channels, m_type, m_order})
        connect(combo, &QComboBox::currentIndexChanged, this, &RawDialog::refresh);
    m_skip = made(new QDoubleSpinBox(form), {.tip = tr("Bytes of a header before the first value")});
    m_skip->setDecimals(0);
    m_skip->setRange(0, 1e15);
    m_skip->setSuffix(tr(" bytes"));
    m_skip->setAlignment(Qt::AlignRight);
    m_skip->setValue(static_cast<double>(guess.skip));
    connect(m_skip, &QDoubleSpinBox::valueChanged, this, &RawDialog::refresh);
    add(tr("Skip"), m_skip, QStringLiteral("raw-skip"));
    for (std::size_t i = 0; i < 3; ++i) {
        m_spacing[i] = new ValueSpin(form);
        m_spacing[i]->setRange(1e-6, 1e6);
        m_spacing[i]->setValue(1);
        m_spacing[i]->setSuffix(tr(" mm"));
        connect(m_spacing[i], &QDoubleSpinBox::valueChanged, this, &RawDialog::refresh);
        add(tr("Spacing %1").arg(QString::fromUtf8(kAxes[i])), m_spacing[i], QStringLiteral("raw-spacing-%1").arg(i));
    }
    return form;
}

QWidget* RawDialog::makePreview() {
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    m_picture = made(new QLabel(side), {.id = "raw-picture", .look = "hint", .wraps = true});
    m_picture->setFixedSize(kPreview, kPreview);
    m_picture->setAlignment(Qt::AlignCenter);
    m_slice = made(new QSlider(Qt::Horizontal, side), {.id = "raw-slice", .name = tr("Slice shown")});
    m_sliceText = made(new QLabel(side), {.look = "caption"});
    connect(m_slice, &QSlider::valueChanged, this, &RawDialog::preview);
    fill(column, {m_picture, m_slice, m_sliceText, spring()});
    return side;
}

io::RawDescription RawDialog::description() const {
    io::RawDescription raw;
    raw.file = m_path.toStdString();
    raw.shape = {m_extent[0]->value(), m_extent[1]->value(), m_extent[2]->value(),
                 kChannels[static_cast<std::size_t>(m_channels->currentIndex())]};
    raw.type = kTypes[static_cast<std::size_t>(m_type->currentIndex())];
    raw.bigEndian = m_order->currentIndex() == 1 && io::sizeOf(raw.type) > 1;
    raw.skip = std::llround(m_skip->value());
    raw.spacing = {m_spacing[0]->value(), m_spacing[1]->value(), m_spacing[2]->value()};
    return raw;
}

void RawDialog::refresh() {
    const io::RawDescription raw = description();
    m_order->setEnabled(io::sizeOf(raw.type) > 1);
    const RawFit fit = rawFit(raw, m_bytes);
    m_mark->setState(fit.fits ? ResultState::verified : ResultState::wrong);
    m_verdict->setText(fit.sentence);
    m_open->setEnabled(fit.fits);
    m_command->setText(shellQuoted(QString::fromStdString(io::formatRaw(raw))));
    m_command->setCursorPosition(0);
    constexpr Length kLongest{560};
    m_command->setMinimumWidth(
        std::min<int>(kLongest, m_command->fontMetrics().horizontalAdvance(m_command->text()) + 3 * kGap));
    const QSignalBlocker quiet(m_slice);
    m_slice->setRange(0, m_extent[2]->value() - 1);
    m_slice->setVisible(m_extent[2]->value() > 1);
    preview();
}

void RawDialog::showSlice(const QImage& slice) {
    // Whole multiples, nearest neighbour: a small slice is seen as it is stored.
    const double ratio = devicePixelRatioF();
    const int times = std::max(1, kPreview / std::max({1, slice.width(), slice.height()}));
    QImage image = slice.scaled(slice.size() * times * ratio, Qt::KeepAspectRatio, Qt::FastTransformation);
    image.setDevicePixelRatio(ratio);
    m_picture->setPixmap(QPixmap::fromImage(image));
}

void RawDialog::preview() {
    m_sliceText->setText(
        tr("slice %1 of %2").arg(format::integer(m_slice->value()), format::integer(m_extent[2]->value())));
    m_jobs.start(
        this,
        [raw = description(), z = m_slice->value(), side = int(kPreview)](const JobContext& context) {
            io::ReadOptions options;
            options.stop = context.stop();
            return thumbnailOf(io::readRawSlice(raw, z, options), side);
        },
        [this](JobResult<QImage> result) {
            if (result)
                showSlice(result.value());
            else if (!result.cancelled())
                m_picture->setText(result.failure().message.section(QStringLiteral(": "), 1));
        });
}

}  // namespace warplens::gui
