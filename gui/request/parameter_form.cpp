// SPDX-License-Identifier: Apache-2.0
#include "gui/request/parameter_form.hpp"

#include "gpu/core/length.hpp"
#include "gui/kit/panel.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr Length kMostLabel{112};  // of a title that is seen whole beside its field

/// What the default stands for with these values, in a field of numbers.
std::optional<double> followed(const gpu::Parameter& parameter, const gpu::ParameterValues& values) {
    if (parameter.follows == nullptr) return std::nullopt;
    const gpu::Parameter::Value value = parameter.follows(values);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::get<double>(value);
}

}  // namespace

ParameterForm::ParameterForm(ParameterState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_layout(makeColumn(this, {}, 4)), m_more(new QPushButton(this)) {
    setWidgetText(m_more, {.id = "more-parameters", .look = "flat", .checkable = true});
    connect(m_more, &QPushButton::toggled, this, [this](bool on) {
        m_unfolded = on;
        refresh();
    });
    connect(&m_state, &ParameterState::familyChanged, this, &ParameterForm::rebuild);
    connect(&m_state, &ParameterState::changed, this, &ParameterForm::refresh);
    connect(&m_state, &ParameterState::unitChanged, this, &ParameterForm::refresh);
    rebuild();
}

void ParameterForm::setBelow(const gpu::Family& family, const std::string& id, QWidget* widget) {
    m_below[{&family, id}] = widget;
    rebuild();
}

void ParameterForm::rebuild() {
    for (Row& row : m_rows) {
        row.widget->hide();  // before there is an event loop nothing is deleted for long
        row.widget->deleteLater();
    }
    m_rows.clear();
    while (QLayoutItem* item = m_layout->takeAt(0)) delete item;
    for (const bool folded : {false, true}) {
        for (const gpu::Parameter& parameter : m_state.parameters()) {
            if (this->folded(parameter) != folded) continue;
            m_rows.push_back(makeRow(parameter));
            m_layout->addWidget(m_rows.back().widget);
            if (const auto below = m_below.find({m_state.family(), parameter.id}); below != m_below.end())
                m_layout->addWidget(below->second);
        }
        if (!folded) m_layout->addWidget(m_more, 0, Qt::AlignLeft);
    }
    refresh();
}

void ParameterForm::refresh() {
    int changed = 0, folded = 0;
    for (Row& row : m_rows) {
        const bool away = this->folded(row.parameter);
        const bool wanted = m_state.visible(row.parameter);
        folded += away && wanted ? 1 : 0;
        changed += away && wanted && !m_named && !m_state.isDefault(row.parameter.id) ? 1 : 0;
        row.refresh();
        row.widget->setVisible(wanted && (!away || m_unfolded));
    }
    m_more->setVisible(folded > 0);
    m_more->setText(m_unfolded    ? tr("Hide advanced options")
                    : changed > 0 ? tr("Show advanced options, %1 set").arg(changed)
                                  : tr("Show advanced options"));
    m_more->setAccessibleName(m_more->text());
}

bool ParameterForm::folded(const gpu::Parameter& parameter) const {
    const bool volume = m_picture != nullptr && m_picture->shape().depth > 1;
    const bool said = parameter.type == gpu::Parameter::Type::choice && parameter.visibleWhen.empty() &&
                      !(volume && parameter.role == gpu::Parameter::Role::dimensions);
    return parameter.advanced || (m_named && said);
}

void ParameterForm::setNamed(bool named) {
    if (std::exchange(m_named, named) != named) rebuild();
}

void ParameterForm::take(const std::string& id, const gpu::Parameter::Value& value) {
    QString why;
    if (!m_state.set(id, value, &why)) emit refused(why);
}

ParameterForm::Row ParameterForm::makeRow(const gpu::Parameter& parameter) {
    Row row;
    row.parameter = parameter;
    row.widget = new QWidget(this);
    row.widget->setMinimumHeight(kHeadHeight);
    auto* line = gui::makeRow(row.widget, {}, kGap);
    auto* label = made(new QLabel(QString::fromStdString(parameter.title), row.widget), {.look = "label"});
    label->ensurePolished();
    label->setMinimumWidth(std::clamp<int>(label->sizeHint().width(), kLabelWidth, kMostLabel));
    QString tip = QString::fromStdString(parameter.help);
    if (!parameter.unit.empty()) tip += tr(" Unit: %1.").arg(QString::fromStdString(parameter.unit));
    label->setToolTip(tip);
    QWidget* editor = makeEditor(parameter, row.refresh);
    const auto* field = qobject_cast<ParameterField*>(editor);
    label->setBuddy(field != nullptr ? field->first() : editor);
    // Beside the first line of an editor that has several.
    label->setFixedHeight(kHeadHeight);
    fill(line, {{label, 0, Qt::AlignTop}, {editor, 1}});
    return row;
}

QWidget* ParameterForm::makeEditor(const gpu::Parameter& parameter, std::function<void()>& refresh) {
    using Type = gpu::Parameter::Type;
    const std::string id = parameter.id;
    const QString title = QString::fromStdString(parameter.title), help = QString::fromStdString(parameter.help);
    if (auto* field = makeField(parameter, this)) {
        connect(field, &ParameterField::edited, this,
                [this, id](const gpu::Parameter::Value& value) { take(id, value); });
        connect(field, &ParameterField::unitChosen, &m_state, &ParameterState::setLengthsInUnit);
        connect(field, &ParameterField::pictureWanted, this,
                [this, id](const QString& path) { emit pictureWanted(id, path); });
        refresh = [this, field, parameter] { field->showValue(shownOf(parameter)); };
        return field;
    }
    if (parameter.type == Type::flag) {
        auto* box = made(new QCheckBox(this), {.id = QString::fromStdString(id), .name = title, .tip = help});
        connect(box, &QCheckBox::toggled, this, [this, id](bool on) { take(id, on); });
        refresh = [this, box, id] { box->setChecked(std::get<bool>(m_state.value(id))); };
        return box;
    }
    if (parameter.type == Type::choice) {
        auto* combo =
            made(new QComboBox(this), {.id = QString::fromStdString(id), .name = title, .tip = help, .letters = 8});
        for (const std::string& choice : parameter.choices) combo->addItem(QString::fromStdString(choice));
        connect(combo, &QComboBox::textActivated, this,
                [this, id](const QString& text) { take(id, text.toStdString()); });
        refresh = [this, combo, id] { combo->setCurrentText(QString::fromStdString(gpu::format(m_state.value(id)))); };
        return combo;
    }
    auto* line = made(new QLineEdit(this), {.id = QString::fromStdString(id), .name = title, .tip = help});
    line->setPlaceholderText(QString::fromStdString(parameter.example));
    connect(line, &QLineEdit::editingFinished, this, [this, line, id] { take(id, line->text().toStdString()); });
    // What is typed is done: keys are the pictures' again.
    connect(line, &QLineEdit::returnPressed, this, &ParameterForm::done);
    refresh = [this, line, id] {
        if (!line->hasFocus() || !line->isModified())
            line->setText(QString::fromStdString(gpu::format(m_state.value(id))));
    };
    return line;
}

ParameterField::Shown ParameterForm::shownOf(const gpu::Parameter& parameter) const {
    ParameterField::Shown shown{.value = m_state.value(parameter.id),
                                .followed = followed(parameter, m_state.values()),
                                .length = lengthOf(parameter),
                                .range = m_followedRange};
    if (parameter.reaches != nullptr) shown.reach = parameter.reaches(m_state.values());
    if (const auto found = m_found.find(parameter.id); found != m_found.end()) shown.found = found->second;
    return shown;
}

void ParameterForm::setPicture(std::shared_ptr<const io::Grid> picture) {
    const auto before = std::exchange(m_picture, std::move(picture));
    const auto deep = [](const auto& one) { return one != nullptr && one->shape().depth > 1; };
    if (m_named && deep(before) != deep(m_picture))
        rebuild();
    else if (before != m_picture)
        refresh();
}

std::optional<FieldLength> ParameterForm::lengthOf(const gpu::Parameter& parameter) const {
    if (m_picture == nullptr || !gpu::isLength(parameter)) return std::nullopt;
    // How large a photograph is printed says nothing of what is seen in it.
    if (m_picture->metadata.dpi && !m_state.lengthsInUnit()) return std::nullopt;
    const gpu::PixelLength pixel = gpu::pixelLength(m_state.parameters(), m_state.values(), *m_picture);
    if (!pixel.why.empty()) return std::nullopt;
    const gpu::LengthUnit unit = gpu::lengthUnitOf(*m_picture);
    return FieldLength{QString::fromUtf8(unit.name), pixel.mm / unit.mm, m_state.lengthsInUnit()};
}

void ParameterForm::setFound(const std::string& id, double value) {
    const auto [at, isNew] = m_found.insert({id, value});
    if (!isNew && at->second == value) return;
    at->second = value;
    refresh();
}

void ParameterForm::setFollowedRange(std::optional<std::pair<double, double>> range) {
    if (std::exchange(m_followedRange, range) != range) refresh();
}

}  // namespace warplens::gui
