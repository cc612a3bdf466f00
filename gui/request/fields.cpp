// SPDX-License-Identifier: Apache-2.0
#include "gui/request/fields.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/value_spin.hpp"

#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLocale>
#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kMostOnASlider = 1e6;  // beyond that a slider finds nothing
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

/// A number as a slider with an exact field beside it. Dragging, arrows and typing all give the same signal.
class NumberField : public ParameterField {
public:
    NumberField(const gpu::Parameter& parameter, QWidget* parent) : ParameterField(parent), m_parameter(parameter) {
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

        setWidgetText(m_other,
                      {.id = QString::fromStdString(m_parameter.id) + QStringLiteral("-unit"), .look = "flat"});
        m_other->hide();
        makeColumn(this, {}, 0, {makeRow(nullptr, {}, kGap, {{m_slider, 1}, m_field}), {m_other, 0, Qt::AlignRight}});

        connect(m_other, &QPushButton::clicked, this, [this] { emit unitChosen(!m_length->inUnit); });
        // Whole pixels stand for what was typed.
        connect(m_field, &QDoubleSpinBox::editingFinished, this, [this] { showNumber(current()); });
        connect(m_slider, &QSlider::valueChanged, this, &NumberField::fromSlider);
        connect(m_slider, &QSlider::actionTriggered, this, &NumberField::stepped);
        connect(m_field, &QDoubleSpinBox::valueChanged, this, &NumberField::fromField);
        setValue(m_parameter.fallback);
    }

    void showValue(const Shown& shown) override {
        setLength(shown.length);
        setFollowed(shown.followed);
        if (shown.reach) {
            const QScopedValueRollback updating(m_updating, true);
            m_parameter.maximum = std::max(*shown.reach, numberOf(shown.value));
            setRanges();
        }
        setValue(shown.value);
    }
    QWidget* first() const override { return m_field; }

private:
    /// Of what the field shows to the number.
    double scale() const { return m_length && m_length->inUnit ? m_length->aPixel : 1; }

    QDoubleSpinBox* makeSpin() {
        if (wide()) return new ValueSpin(this);
        auto* field = new RealSpin(this);
        if (m_parameter.type == gpu::Parameter::Type::integer) field->setDecimals(0);
        return field;
    }

    void setRanges() {
        m_field->setRange(m_parameter.minimum * scale(), m_parameter.maximum * scale());
        m_field->setSingleStep(m_parameter.step * scale());
        if (everyValue())
            m_slider->setRange(static_cast<int>(m_parameter.minimum), static_cast<int>(m_parameter.maximum));
        else
            m_slider->setRange(0, kPositions);
    }

    double current() const {
        const double number = m_field->value() / scale();
        return m_parameter.type == gpu::Parameter::Type::integer ? std::round(number) : number;
    }

    void showNumber(double number) {
        const QScopedValueRollback updating(m_updating, true);
        m_field->setValue(number * scale());
        tellLength();
    }

    /// Of a number in pixels: the field takes either. Nothing: pixels alone.
    void setLength(const std::optional<FieldLength>& length) {
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
        showNumber(number);
    }

    void tellLength() {
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

    /// Whether each slider position is one value: integers of a moderate range. Others are spread, so that small values
    /// have room: reals by the square root, integers by the logarithm.
    bool everyValue() const {
        return m_parameter.type == gpu::Parameter::Type::integer &&
               m_parameter.maximum - m_parameter.minimum <= kPositions;
    }

    /// Reals over many powers of ten: the slider is spread by the logarithm, the field shows significant digits.
    bool wide() const {
        return m_parameter.type == gpu::Parameter::Type::real && m_parameter.minimum >= 0 &&
               m_parameter.maximum >= kWide;
    }

    int positionOf(double value) const {
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

    double valueAt(int position) const {
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

    void setValue(const gpu::Parameter::Value& value) {
        m_updating = true;
        const double number = numberOf(value);
        // Typing must not be overwritten by its own echo.
        const double echo = scale() == 1 ? 0 : kEcho * std::max(1.0, std::abs(number));
        if (std::abs(current() - number) > echo) m_field->setValue(number * scale());
        tellLength();
        if (!m_slider->isSliderDown()) m_slider->setValue(positionOf(number));
        m_updating = false;
    }

    void setFollowed(std::optional<double> value) {
        m_followed = value;
        const QString text = value ? tr("auto %1").arg(format::significant(*value * scale())) : QString();
        if (m_field->specialValueText() != text) m_field->setSpecialValueText(text);
    }

    void stepped(int action) {
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

    void fromSlider(int position) {
        if (!m_updating) m_field->setValue(valueAt(position) * scale());
    }

    void fromField() {
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

    gpu::Parameter m_parameter;
    QSlider* m_slider = new QSlider(Qt::Horizontal, this);
    QDoubleSpinBox* m_field = makeSpin();
    QPushButton* m_other =
        new QPushButton(this);  ///< the length in what the field does not take, which it takes after a click
    std::optional<FieldLength> m_length;
    std::optional<double> m_followed;
    bool m_updating = false;
};

/// A number without ends that a slider could have. Words that it may be instead ("auto") are buttons beside it, held
/// down while one stands for it.
class OpenNumberField : public ParameterField {
public:
    OpenNumberField(const gpu::Parameter& parameter, QWidget* parent) : ParameterField(parent) {
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

    void showValue(const Shown& shown) override {
        const auto* word = std::get_if<std::string>(&shown.value);
        for (QPushButton* button : m_words)
            button->setChecked(word != nullptr && button->objectName().endsWith('-' + QString::fromStdString(*word)));
        const QSignalBlocker quiet(m_field);
        if (word == nullptr)
            m_field->setValue(numberOf(shown.value));
        else if (shown.found)
            m_field->setValue(*shown.found);
    }
    QWidget* first() const override { return m_field; }

private:
    ValueSpin* m_field = new ValueSpin(this);
    std::vector<QPushButton*> m_words;
};

/// "LO,HI" as two fields. While it is empty the fields show what it amounts to, and editing either sets both; Auto
/// empties it again.
class RangeField : public ParameterField {
public:
    RangeField(const gpu::Parameter& parameter, QWidget* parent) : ParameterField(parent) {
        const QString id = QString::fromStdString(parameter.id), title = QString::fromStdString(parameter.title);
        setObjectName(id);
        m_low->setObjectName(id + QStringLiteral("-low"));
        m_high->setObjectName(id + QStringLiteral("-high"));
        m_low->setAccessibleName(tr("%1 from").arg(title));
        m_high->setAccessibleName(tr("%1 up to, without it").arg(title));
        const auto send = [this] {
            emit edited((exactly(m_low->value()) + ',' + exactly(m_high->value())).toStdString());
        };
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
        connect(m_auto, &QPushButton::clicked, this, [this] { emit edited(std::string()); });
        makeColumn(this, {}, 2, {fields, {m_auto, 0, Qt::AlignRight}});
        m_auto->hide();
    }

    void showValue(const Shown& shown) override {
        const QString text = QString::fromStdString(std::get<std::string>(shown.value));
        m_auto->setVisible(!text.isEmpty());
        const QSignalBlocker quietLow(m_low), quietHigh(m_high);
        if (text.isEmpty() && !shown.range) return;
        m_low->setValue(text.isEmpty() ? shown.range->first : text.section(',', 0, 0).toDouble());
        m_high->setValue(text.isEmpty() ? shown.range->second : text.section(',', 1).toDouble());
    }
    QWidget* first() const override { return m_low; }

private:
    ValueSpin *m_low = new ValueSpin(this), *m_high = new ValueSpin(this);
    QPushButton* m_auto = new QPushButton(tr("Auto"), this);
};

/// "X,Y,W,H" as a choice: the whole picture, or a rectangle that is typed here or drawn elsewhere.
class RegionField : public ParameterField {
public:
    RegionField(const gpu::Parameter& parameter, QWidget* parent) : ParameterField(parent) {
        const QString id = QString::fromStdString(parameter.id), title = QString::fromStdString(parameter.title);
        setObjectName(id);
        setWidgetText(
            m_choice,
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
            emit edited(choice == kRectangle ? rectangle() : std::string());
        });
        connect(m_rectangle, &QLineEdit::editingFinished, this, [this] {
            if (m_choice->currentIndex() == kRectangle) emit edited(rectangle());
        });
    }

    void showValue(const Shown& shown) override {
        const QString text = QString::fromStdString(std::get<std::string>(shown.value));
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
    QWidget* first() const override { return m_choice; }

private:
    std::string rectangle() const { return m_rectangle->text().remove(' ').toStdString(); }

    QComboBox* m_choice = new QComboBox(this);
    QLineEdit* m_rectangle = new QLineEdit(this);
};

/// A picture: the name it was read from, which opens a dialog, and Clear. It reads nothing itself.
class PictureField : public ParameterField {
public:
    PictureField(const gpu::Parameter& parameter, QWidget* parent)
        : ParameterField(parent), m_title(QString::fromStdString(parameter.title)) {
        const QString id = QString::fromStdString(parameter.id);
        setObjectName(id);
        m_choose->setObjectName(id + QStringLiteral("-choose"));
        m_choose->setMinimumWidth(60);
        setWidgetText(m_clear,
                      {.id = id + QStringLiteral("-clear"), .look = "flat", .name = tr("Clear %1").arg(m_title)});
        makeRow(this, {}, 4, {{m_choose, 1}, m_clear});
        connect(m_choose, &QPushButton::clicked, this, &PictureField::choose);
        connect(m_clear, &QPushButton::clicked, this, [this] { emit edited(std::shared_ptr<const gpu::NamedGrid>()); });
        setToolTip(QString::fromStdString(parameter.help));
        setText({});
        on(this, {QEvent::Resize}, [this] { elide(); });
    }

    void showValue(const Shown& shown) override { setText(QString::fromStdString(gpu::format(shown.value))); }
    QWidget* first() const override { return m_choose; }

private:
    void setText(const QString& name) {
        m_name = name;
        m_clear->setVisible(!name.isEmpty());
        setWidgetText(m_choose, {.name = name.isEmpty() ? tr("%1: choose a file").arg(m_title)
                                                        : tr("%1: %2").arg(m_title, QFileInfo(name).fileName()),
                                 .tip = name.isEmpty() ? toolTip() : name});
        elide();
    }

    void elide() {
        const QString text = m_name.isEmpty() ? tr("Choose...") : QFileInfo(m_name).fileName();
        m_choose->setText(
            m_choose->fontMetrics().elidedText(text, Qt::ElideMiddle, std::max(40, m_choose->width() - kPadding)));
    }

    void choose() {
        openFileDialog(window(),
                       {.title = tr("Choose a picture for %1").arg(m_title),
                        .folder = m_name.isEmpty() ? QString() : QFileInfo(m_name).absolutePath()},
                       this, [this](const QString& path) { emit pictureWanted(path); });
    }

    QPushButton *m_choose = new QPushButton(this), *m_clear = new QPushButton(tr("Clear"), this);
    QString m_title, m_name;
};

}  // namespace

ParameterField* makeField(const gpu::Parameter& parameter, QWidget* parent) {
    using Type = gpu::Parameter::Type;
    using enum gpu::Parameter::Role;
    if (parameter.type == Type::real && parameter.maximum > kMostOnASlider)
        return new OpenNumberField(parameter, parent);
    if (parameter.type == Type::integer || parameter.type == Type::real) return new NumberField(parameter, parent);
    if (parameter.type == Type::flag || parameter.type == Type::choice) return nullptr;
    if (parameter.role == valueRange) return new RangeField(parameter, parent);
    if (parameter.role == box) return new RegionField(parameter, parent);
    return parameter.type == Type::picture ? new PictureField(parameter, parent) : nullptr;
}

}  // namespace warplens::gui
