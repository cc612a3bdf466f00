// SPDX-License-Identifier: Apache-2.0
#include "gui/request/fields.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/value_spin.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kPositions = 1000;
constexpr int kFieldWidth = 96, kLeastDecimals = 2, kMostDecimals = 9;
constexpr double kEcho = 1e-9;  // digits that a field in another unit cannot show
constexpr double kWide = 1e5, kLeastOfWide = 1e-6;

double numberOf(const gpu::Parameter::Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return 0;
}

constexpr int kEndWidth = 56, kPadding = 24;
enum Choice { kWhole, kRectangle };

/// Two decimals, and as many more as the value has; none where it is set to none.
class RealSpin : public QDoubleSpinBox {
public:
    explicit RealSpin(QWidget* parent) : QDoubleSpinBox(parent) { setDecimals(kMostDecimals); }
    QString textFromValue(double value) const override {
        QString text = QString::number(value, 'f', decimals());
        while (text.endsWith('0') && text.section('.', 1).size() > kLeastDecimals) text.chop(1);
        return text;
    }
};

/// To a hundredth of a pixel, where one is so long.
int decimalsOf(double aPixel) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(aPixel))) + 2, kLeastDecimals, kMostDecimals);
}

QString exactly(double value) { return QString::number(value, 'g', QLocale::FloatingPointShortest); }

}  // namespace

NumberField::NumberField(const gpu::Parameter& parameter, QWidget* parent)
    : QWidget(parent),
      m_parameter(parameter),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_field(makeField()),
      m_other(new QPushButton(this)) {
    const QString title = QString::fromStdString(m_parameter.title);
    const QString help = QString::fromStdString(m_parameter.help);

    setWidgetText(m_slider, {.id = QString::fromStdString(m_parameter.id) + QStringLiteral("-slider"),
                             .name = tr("%1, slider").arg(title),
                             .tip = help});
    m_slider->setPageStep(everyValue() ? 4 : kPositions / 20);

    setWidgetText(m_field, {.id = QString::fromStdString(m_parameter.id), .name = title, .tip = help});
    setRanges();
    m_field->setFixedWidth(kFieldWidth);
    m_slider->setMinimumWidth(40);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setLocale(QLocale::c());
    m_field->setKeyboardTracking(true);

    setWidgetText(m_other, {.id = QString::fromStdString(m_parameter.id) + QStringLiteral("-unit"), .look = "flat"});
    m_other->hide();
    makeColumn(this, {}, 0, {makeRow(nullptr, {}, kGap, {{m_slider, 1}, m_field}), {m_other, 0, Qt::AlignRight}});

    connect(m_other, &QPushButton::clicked, this, [this] { emit unitChosen(!m_length->inUnit); });
    // Whole pixels stand for what was typed.
    connect(m_field, &QDoubleSpinBox::editingFinished, this, [this] { show(current()); });
    connect(m_slider, &QSlider::valueChanged, this, &NumberField::fromSlider);
    connect(m_slider, &QSlider::actionTriggered, this, &NumberField::stepped);
    connect(m_field, &QDoubleSpinBox::valueChanged, this, &NumberField::fromField);
    setValue(m_parameter.fallback);
}

QDoubleSpinBox* NumberField::makeField() {
    if (wide()) return new ValueSpin(this);
    auto* field = new RealSpin(this);
    if (m_parameter.type == gpu::Parameter::Type::integer) field->setDecimals(0);
    return field;
}

void NumberField::setRanges() {
    m_field->setRange(m_parameter.minimum * scale(), m_parameter.maximum * scale());
    m_field->setSingleStep(m_parameter.step * scale());
    if (everyValue())
        m_slider->setRange(static_cast<int>(m_parameter.minimum), static_cast<int>(m_parameter.maximum));
    else
        m_slider->setRange(0, kPositions);
}

void NumberField::setValue(const gpu::Parameter::Value& value, double reach) {
    m_updating = true;
    m_parameter.maximum = std::max(reach, numberOf(value));
    setRanges();
    m_updating = false;
    setValue(value);
}

QAbstractSpinBox* NumberField::field() const { return m_field; }

double NumberField::current() const {
    const double number = m_field->value() / scale();
    return m_parameter.type == gpu::Parameter::Type::integer ? std::round(number) : number;
}

void NumberField::show(double number) {
    const QScopedValueRollback updating(m_updating, true);
    m_field->setValue(number * scale());
    tellLength();
}

void NumberField::setLength(const std::optional<FieldLength>& length) {
    if (m_length == length) return;
    const double number = current();
    m_length = length;
    {
        const QScopedValueRollback updating(m_updating, true);
        const bool whole = m_parameter.type == gpu::Parameter::Type::integer;
        m_field->setDecimals(length && length->inUnit ? decimalsOf(length->aPixel) : whole ? 0 : kMostDecimals);
        m_field->setSuffix(length && length->inUnit ? ' ' + length->unit : QString());
        setRanges();
    }
    m_other->setVisible(length.has_value());
    show(number);
}

void NumberField::tellLength() {
    if (!m_length) return;
    const double number = m_followed && current() <= m_parameter.minimum ? *m_followed : current();
    const QString pixels = tr("%1 px").arg(format::compact(number)),
                  there = format::compact(number * m_length->aPixel) + ' ' + m_length->unit;
    m_other->setText(QStringLiteral("= ") + (m_length->inUnit ? pixels : there));
    const QString title = QString::fromStdString(m_parameter.title);
    setWidgetText(m_other, {.name = tr("%1: %2, %3").arg(title, pixels, there),
                            .tip = m_length->inUnit ? tr("Give lengths in pixels")
                                                    : tr("Give lengths in %1").arg(m_length->unit)});
}

bool NumberField::everyValue() const {
    return m_parameter.type == gpu::Parameter::Type::integer && m_parameter.maximum - m_parameter.minimum <= kPositions;
}

bool NumberField::wide() const {
    return m_parameter.type == gpu::Parameter::Type::real && m_parameter.minimum >= 0 && m_parameter.maximum >= kWide;
}

int NumberField::positionOf(double value) const {
    const double low = m_parameter.minimum, high = m_parameter.maximum;
    if (everyValue()) return static_cast<int>(std::lround(value));
    if (m_parameter.type == gpu::Parameter::Type::integer)
        return static_cast<int>(std::lround(kPositions * std::log1p(value - low) / std::log1p(high - low)));
    if (wide()) {
        const double least = std::max(low, kLeastOfWide);
        if (value < least) return 0;
        return static_cast<int>(std::lround(kPositions * std::log(value / least) / std::log(high / least)));
    }
    const double share = std::clamp((value - low) / (high - low), 0.0, 1.0);
    return static_cast<int>(std::lround(kPositions * (low >= 0 ? std::sqrt(share) : share)));
}

double NumberField::valueAt(int position) const {
    const double low = m_parameter.minimum, high = m_parameter.maximum;
    if (everyValue()) return position;
    double share = static_cast<double>(position) / kPositions;
    if (m_parameter.type == gpu::Parameter::Type::integer)
        return std::round(low + std::expm1(share * std::log1p(high - low)));
    if (wide()) {
        if (position == 0) return low;
        const double least = std::max(low, kLeastOfWide);
        // Two digits: nobody means 0.10715193.
        const double value = least * std::pow(high / least, share);
        const double digit = std::pow(10.0, std::floor(std::log10(value)) - 1);
        return std::clamp(std::round(value / digit) * digit, low, high);
    }
    if (low >= 0) share *= share;
    const double step = m_parameter.step > 0 ? m_parameter.step : 1;
    return std::clamp(std::round((low + share * (high - low)) / step) * step, low, high);
}

void NumberField::setValue(const gpu::Parameter::Value& value) {
    m_updating = true;
    const double number = numberOf(value);
    // Typing must not be overwritten by its own echo.
    const double echo = scale() == 1 ? 0 : kEcho * std::max(1.0, std::abs(number));
    if (std::abs(current() - number) > echo) m_field->setValue(number * scale());
    tellLength();
    if (!m_slider->isSliderDown()) m_slider->setValue(positionOf(number));
    m_updating = false;
}

void NumberField::setFollowed(std::optional<double> value) {
    m_followed = value;
    const QString text = value ? tr("auto %1").arg(format::significant(*value * scale())) : QString();
    if (m_field->specialValueText() != text) m_field->setSpecialValueText(text);
}

void NumberField::stepped(int action) {
    if (everyValue()) return;
    const bool up = action == QAbstractSlider::SliderSingleStepAdd;
    if (!up && action != QAbstractSlider::SliderSingleStepSub) return;
    // An arrow is one step of the value, wherever the slider stands.
    const double next =
        std::clamp(current() + (up ? 1 : -1) * m_parameter.step, m_parameter.minimum, m_parameter.maximum);
    m_updating = true;
    m_slider->setSliderPosition(positionOf(next));
    m_updating = false;
    m_field->setValue(next * scale());
}

void NumberField::fromSlider(int position) {
    if (!m_updating) m_field->setValue(valueAt(position) * scale());
}

void NumberField::fromField() {
    if (m_updating) return;
    const double value = std::clamp(current(), m_parameter.minimum, m_parameter.maximum);
    m_updating = true;
    if (!m_slider->isSliderDown()) m_slider->setValue(positionOf(value));
    m_updating = false;
    if (m_parameter.type == gpu::Parameter::Type::integer)
        emit edited(static_cast<std::int64_t>(std::llround(value)));
    else
        emit edited(value);
    tellLength();
}

OpenNumberField::OpenNumberField(const gpu::Parameter& parameter, QWidget* parent)
    : QWidget(parent), m_field(new ValueSpin(this)) {
    const QString id = QString::fromStdString(parameter.id), title = QString::fromStdString(parameter.title);
    setWidgetText(m_field, {.id = id, .name = title, .tip = QString::fromStdString(parameter.help)});
    m_field->setRange(parameter.minimum, parameter.maximum);
    connect(m_field, &QDoubleSpinBox::valueChanged, this, [this](double value) { emit edited(value); });
    auto* row = makeRow(this, {}, kGap, {{m_field, 1}});
    for (const std::string& choice : parameter.choices) {
        const QString word = QString::fromStdString(choice);
        auto* button =
            made(new QPushButton(word.left(1).toUpper() + word.mid(1), this),
                 {.id = id + '-' + word, .look = "flat", .name = tr("%1: %2").arg(title, word), .checkable = true});
        connect(button, &QPushButton::clicked, this, [this, button, choice] {
            button->setChecked(true);  // it stays down, whatever the click did
            emit edited(choice);
        });
        m_words.push_back(button);
        row->addWidget(button);
    }
}

void OpenNumberField::setValue(const gpu::Parameter::Value& value) {
    const auto* word = std::get_if<std::string>(&value);
    for (QPushButton* button : m_words)
        button->setChecked(word != nullptr && button->objectName().endsWith('-' + QString::fromStdString(*word)));
    const QSignalBlocker quiet(m_field);
    if (word == nullptr)
        m_field->setValue(numberOf(value));
    else if (m_found)
        m_field->setValue(*m_found);
}

QWidget* OpenNumberField::field() const { return m_field; }

RangeField::RangeField(const gpu::Parameter& parameter, QWidget* parent)
    : TextField(parent),
      m_low(new ValueSpin(this)),
      m_high(new ValueSpin(this)),
      m_auto(new QPushButton(tr("Auto"), this)) {
    const QString id = QString::fromStdString(parameter.id), title = QString::fromStdString(parameter.title);
    m_low->setObjectName(id + QStringLiteral("-low"));
    m_high->setObjectName(id + QStringLiteral("-high"));
    m_low->setAccessibleName(tr("%1 from").arg(title));
    m_high->setAccessibleName(tr("%1 up to, without it").arg(title));
    const auto send = [this] { emit edited(exactly(m_low->value()) + ',' + exactly(m_high->value())); };
    for (ValueSpin* spin : {m_low, m_high}) {
        spin->setMinimumWidth(kEndWidth);
        spin->setButtonSymbols(
            QAbstractSpinBox::NoButtons);  // two stand in a narrow row; the keys step them all the same
        spin->setToolTip(QString::fromStdString(parameter.help));
        connect(spin, &QDoubleSpinBox::valueChanged, this, send);
    }
    auto* to = made(new QLabel(tr("to"), this), {.look = "label"});
    auto* fields = makeRow(nullptr, {}, 6, {{m_low, 1}, to, {m_high, 1}});
    setWidgetText(m_auto, {.id = id + QStringLiteral("-auto"),
                           .look = "flat",
                           .name = tr("%1: as the picture has it").arg(title),
                           .tip = tr("The whole range of the type; of a float picture, what is there.")});
    connect(m_auto, &QPushButton::clicked, this, [this] { emit edited({}); });
    makeColumn(this, {}, 2, {fields, {m_auto, 0, Qt::AlignRight}});
    m_auto->hide();
}

void RangeField::show(double low, double high) {
    const QSignalBlocker quietLow(m_low), quietHigh(m_high);
    m_low->setValue(low);
    m_high->setValue(high);
}

void RangeField::setText(const QString& text) {
    m_text = text;
    m_auto->setVisible(!text.isEmpty());
    if (!text.isEmpty())
        show(text.section(',', 0, 0).toDouble(), text.section(',', 1).toDouble());
    else if (m_followed)
        show(m_followed->first, m_followed->second);
}

void RangeField::setFollowed(std::optional<std::pair<double, double>> range) {
    m_followed = range;
    if (m_text.isEmpty()) setText(m_text);
}

QWidget* RangeField::first() const { return m_low; }

RegionField::RegionField(const gpu::Parameter& parameter, QWidget* parent)
    : TextField(parent), m_choice(new QComboBox(this)), m_rectangle(new QLineEdit(this)) {
    const QString id = QString::fromStdString(parameter.id), title = QString::fromStdString(parameter.title);
    setWidgetText(m_choice,
                  {.id = id + QStringLiteral("-choice"), .name = title, .tip = QString::fromStdString(parameter.help)});
    m_choice->addItems({tr("whole picture"), tr("rectangle")});
    setWidgetText(m_rectangle,
                  {.id = id + QStringLiteral("-rectangle"),
                   .name = tr("%1 as x, y, width, height").arg(title),
                   .tip = tr("Type x, y, width, height, or draw it with Select region on the Histogram page.")});
    m_rectangle->setPlaceholderText(tr("x, y, width, height"));
    makeColumn(this, {}, 4, {m_choice, m_rectangle});
    m_rectangle->hide();
    connect(m_choice, &QComboBox::activated, this, [this](int choice) {
        m_rectangle->setVisible(choice == kRectangle);
        if (choice == kRectangle) m_rectangle->setFocus();
        // A rectangle typed before is taken up again.
        emit edited(choice == kRectangle ? m_rectangle->text().remove(' ') : QString());
    });
    connect(m_rectangle, &QLineEdit::editingFinished, this, [this] {
        if (m_choice->currentIndex() == kRectangle) emit edited(m_rectangle->text().remove(' '));
    });
}

void RegionField::setText(const QString& text) {
    if (text.isEmpty()) {
        // While a rectangle is being typed there is none yet.
        if (m_rectangle->hasFocus()) return;
        m_choice->setCurrentIndex(kWhole);
        m_rectangle->hide();
        return;
    }
    m_choice->setCurrentIndex(kRectangle);
    if (!m_rectangle->hasFocus() || !m_rectangle->isModified()) m_rectangle->setText(text);
    m_rectangle->show();
}

QWidget* RegionField::first() const { return m_choice; }

PictureField::PictureField(const gpu::Parameter& parameter, QWidget* parent)
    : TextField(parent),
      m_choose(new QPushButton(this)),
      m_clear(new QPushButton(tr("Clear"), this)),
      m_title(QString::fromStdString(parameter.title)) {
    const QString id = QString::fromStdString(parameter.id);
    m_choose->setObjectName(id + QStringLiteral("-choose"));
    m_choose->setMinimumWidth(60);
    setWidgetText(m_clear, {.id = id + QStringLiteral("-clear"), .look = "flat", .name = tr("Clear %1").arg(m_title)});
    makeRow(this, {}, 4, {{m_choose, 1}, m_clear});
    connect(m_choose, &QPushButton::clicked, this, &PictureField::choose);
    connect(m_clear, &QPushButton::clicked, this, [this] { emit edited({}); });
    setToolTip(QString::fromStdString(parameter.help));
    PictureField::setText({});
    on(this, {QEvent::Resize}, [this] { elide(); });
}

void PictureField::setText(const QString& name) {
    m_name = name;
    m_clear->setVisible(!name.isEmpty());
    setWidgetText(m_choose, {.name = name.isEmpty() ? tr("%1: choose a file").arg(m_title)
                                                    : tr("%1: %2").arg(m_title, QFileInfo(name).fileName()),
                             .tip = name.isEmpty() ? toolTip() : name});
    elide();
}

QWidget* PictureField::first() const { return m_choose; }

void PictureField::elide() {
    const QString text = m_name.isEmpty() ? tr("Choose...") : QFileInfo(m_name).fileName();
    m_choose->setText(
        m_choose->fontMetrics().elidedText(text, Qt::ElideMiddle, std::max(40, m_choose->width() - kPadding)));
}

void PictureField::choose() {
    openFileDialog(window(),
                   {.title = tr("Choose a picture for %1").arg(m_title),
                    .folder = m_name.isEmpty() ? QString() : QFileInfo(m_name).absolutePath()},
                   this, [this](const QString& path) { emit edited(path); });
}

}  // namespace warplens::gui
