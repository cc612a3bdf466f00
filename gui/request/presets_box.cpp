// SPDX-License-Identifier: Apache-2.0
#include "gui/request/presets_box.hpp"

#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr Length kPresetsWidth{460}, kPresetsHeight{380};

void apply(const Preset& preset, ParameterState& parameters, Activity& activity) {
    const QString why = preset.apply(parameters);
    if (!why.isEmpty()) activity.report(why);
}

constexpr Length kMostName{140};

/// Saves the present values under a name, applies, renames and removes presets of the family.
class PresetBox : public QDialog {
public:
    PresetBox(Presets& presets, ParameterState& parameters, Activity& activity, QWidget* window)
        : QDialog(window), m_presets(presets), m_parameters(parameters), m_activity(activity) {
        setUpDialog(this, "preset-box", tr("Presets of %1").arg(QString::fromStdString(parameters.family()->title())));
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_said->setText(tr("Type a name and press Enter to save. Built-in presets can't be changed."));
        auto* column = new QVBoxLayout(this);
        auto* label = made(new QLabel(tr("Name"), this), {.of = m_name});
        fill(column, {makeRow(nullptr, {}, -1, {label, {m_name, 1}}), {m_list, 1}});
        auto* row = new QHBoxLayout;
        const auto button = [&](const char* name, const QString& text, auto&& what) {
            auto* push = made(new QPushButton(text, this), {.id = name});
            push->setAutoDefault(false);
            row->addWidget(push);
            connect(push, &QPushButton::clicked, this, what);
        };
        const auto save = [this] {
            say(m_presets.save(m_name->text(), m_parameters), tr("Saved %1.").arg(m_name->text().trimmed()));
        };
        button("preset-save", tr("Save present values"), save);
        button("preset-apply", tr("Apply"), [this] {
            for (const Preset& preset : m_presets.of(*m_parameters.family()))
                if (preset.name == chosen()) apply(preset, m_parameters, m_activity);
        });
        button("preset-rename", tr("Rename"),
               [this] { say(m_presets.rename(*m_parameters.family(), chosen(), m_name->text()), tr("Renamed.")); });
        button("preset-remove", tr("Remove"),
               [this] { say(m_presets.remove(*m_parameters.family(), chosen()), tr("Removed.")); });
        fill(column, {row, m_said});
        resize(kPresetsWidth, kPresetsHeight);
        connect(m_name, &QLineEdit::returnPressed, this, save);
        connect(&presets, &Presets::changed, this, &PresetBox::refresh);
        refresh();
        m_name->setFocus();
    }

private:
    void refresh() {
        const int row = m_list->currentRow();
        m_list->clear();
        for (const Preset& preset : m_presets.of(*m_parameters.family())) {
            auto* item = new QListWidgetItem(preset.name, m_list);
            if (preset.shipped) item->setData(RowDelegate::kRightRole, tr("came with Warplens"));
            if (preset.shipped) item->setData(Qt::AccessibleTextRole, tr("%1, came with Warplens").arg(preset.name));
            item->setData(Qt::UserRole, preset.name);
        }
        m_list->setCurrentRow(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
    }

    /// Says what went wrong, or `done`.
    void say(const QString& why, const QString& done) { m_said->setText(why.isEmpty() ? done : why); }

    QString chosen() const {
        return m_list->currentItem() == nullptr ? QString() : m_list->currentItem()->data(Qt::UserRole).toString();
    }

    Presets& m_presets;
    ParameterState& m_parameters;
    Activity& m_activity;
    QListWidget* m_list = made(new QListWidget(this), {.id = "preset-list", .name = tr("Presets")});
    QLineEdit* m_name = made(new QLineEdit(this), {.id = "preset-name", .name = tr("Name of the preset")});
    QLabel* m_said = made(new QLabel(this), {.look = "hint", .wraps = true});
};

/// "Preset: emboss" beside the task's title: which preset the present values are, with a menu of the family's.
class PresetButton : public QToolButton {
public:
    PresetButton(ParameterState& parameters, Activity& activity, const Presets& presets, QWidget* parent = nullptr)
        : QToolButton(parent), m_parameters(parameters), m_activity(activity), m_presets(presets) {
        setWidgetText(this, {.id = "preset-button", .look = "flat"});
        setFocusPolicy(Qt::StrongFocus);
        setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(this);
        setMenu(menu);
        connect(menu, &QMenu::aboutToShow, this,
                [this, menu] { fillPresets(menu, m_parameters, m_activity, m_presets); });
        connect(&parameters, &ParameterState::changed, this, &PresetButton::refresh);
        connect(&parameters, &ParameterState::familyChanged, this, &PresetButton::refresh);
        connect(&presets, &Presets::changed, this, &PresetButton::refresh);
        refresh();
    }

private:
    void refresh() {
        const ParameterState& parameters = m_parameters;
        if (parameters.family() == nullptr) return;
        const auto presets = m_presets.of(*parameters.family());
        const auto at = std::ranges::find_if(presets, [&](const Preset& preset) { return preset.matches(parameters); });
        const QString name = at == presets.end() ? tr("none") : at->name;
        setText(tr("Preset: %1").arg(fontMetrics().elidedText(name, Qt::ElideRight, kMostName)));
        setWidgetText(this,
                      {.name = tr("Preset: %1").arg(name),
                       .tip = at == presets.end() ? tr("No preset has the present values; choose one of the family's.")
                                                  : tr("The values are those of the preset %1.").arg(name)});
    }

    ParameterState& m_parameters;
    Activity& m_activity;
    const Presets& m_presets;
};

}  // namespace

void fillPresets(QMenu* menu, ParameterState& parameters, Activity& activity, const Presets& presets) {
    menu->clear();
    bool own = false;
    for (const Preset& preset : presets.of(*parameters.family())) {
        if (!preset.shipped && !own && !menu->isEmpty()) menu->addSeparator();
        own = own || !preset.shipped;
        QObject::connect(menu->addAction(preset.name), &QAction::triggered, &parameters,
                         [&parameters, &activity, preset] { apply(preset, parameters, activity); });
    }
    if (menu->isEmpty()) menu->addAction(PresetBox::tr("None for this family"))->setEnabled(false);
}

QDialog* makePresetBox(Presets& presets, ParameterState& parameters, Activity& activity, QWidget* window) {
    return new PresetBox(presets, parameters, activity, window);
}

QWidget* makePresetButton(ParameterState& parameters, Activity& activity, const Presets& presets, QWidget* parent) {
    return new PresetButton(parameters, activity, presets, parent);
}

}  // namespace warplens::gui
