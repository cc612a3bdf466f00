// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/preset_commands.hpp"

#include "gui/panels/row_delegate.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr Length kWidth{460}, kHeight{380};

void apply(const Preset& preset, CompareSession& session) {
    const QString why = preset.apply(session.parameters());
    if (!why.isEmpty()) session.report(why);
}

}  // namespace

void fillPresets(QMenu* menu, CompareSession& session, const Presets& presets) {
    menu->clear();
    bool own = false;
    for (const Preset& preset : presets.of(*session.parameters().family())) {
        if (!preset.shipped && !own && !menu->isEmpty()) menu->addSeparator();
        own = own || !preset.shipped;
        QObject::connect(menu->addAction(preset.name), &QAction::triggered, &session,
                         [&session, preset] { apply(preset, session); });
    }
    if (menu->isEmpty()) menu->addAction(PresetBox::tr("None for this family"))->setEnabled(false);
}

PresetBox::PresetBox(Presets& presets, CompareSession& session, QWidget* window)
    : QDialog(window),
      m_presets(presets),
      m_session(session),
      m_list(new QListWidget(this)),
      m_name(new QLineEdit(this)),
      m_said(new QLabel(this)) {
    setObjectName(QStringLiteral("preset-box"));
    setWindowTitle(tr("Presets of %1").arg(QString::fromStdString(session.parameters().family()->title())));
    setAttribute(Qt::WA_DeleteOnClose);
    m_list->setObjectName(QStringLiteral("preset-list"));
    m_list->setAccessibleName(tr("Presets"));
    m_name->setObjectName(QStringLiteral("preset-name"));
    m_name->setAccessibleName(tr("Name of the preset"));
    m_list->setItemDelegate(new RowDelegate(m_list));
    setLook(m_said, "hint");
    m_said->setText(tr("A name and Enter saves the present values; those that came with Warplens stay as they are."));
    m_said->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    auto* label = new QLabel(tr("Name"), this);
    label->setBuddy(m_name);
    auto* naming = new QHBoxLayout;
    naming->addWidget(label);
    naming->addWidget(m_name, 1);
    column->addLayout(naming);
    column->addWidget(m_list, 1);
    auto* row = new QHBoxLayout;
    const auto button = [&](const char* name, const QString& text, auto&& what) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QString::fromUtf8(name));
        made->setAutoDefault(false);
        row->addWidget(made);
        connect(made, &QPushButton::clicked, this, what);
    };
    const auto save = [this] {
        say(m_presets.save(m_name->text(), m_session.parameters()), tr("Saved %1.").arg(m_name->text().trimmed()));
    };
    button("preset-save", tr("Save present values"), save);
    button("preset-apply", tr("Apply"), [this] {
        for (const Preset& preset : m_presets.of(*m_session.parameters().family()))
            if (preset.name == chosen()) apply(preset, m_session);
    });
    button("preset-rename", tr("Rename"), [this] {
        say(m_presets.rename(*m_session.parameters().family(), chosen(), m_name->text()), tr("Renamed."));
    });
    button("preset-remove", tr("Remove"),
           [this] { say(m_presets.remove(*m_session.parameters().family(), chosen()), tr("Removed.")); });
    column->addLayout(row);
    column->addWidget(m_said);
    resize(kWidth, kHeight);
    connect(m_name, &QLineEdit::returnPressed, this, save);
    connect(&presets, &Presets::changed, this, &PresetBox::refresh);
    refresh();
    m_name->setFocus();
}

QString PresetBox::chosen() const {
    return m_list->currentItem() == nullptr ? QString() : m_list->currentItem()->data(Qt::UserRole).toString();
}

void PresetBox::refresh() {
    const int row = m_list->currentRow();
    m_list->clear();
    for (const Preset& preset : m_presets.of(*m_session.parameters().family())) {
        auto* item = new QListWidgetItem(preset.name, m_list);
        if (preset.shipped) item->setData(RowDelegate::kRightRole, tr("came with Warplens"));
        if (preset.shipped) item->setData(Qt::AccessibleTextRole, tr("%1, came with Warplens").arg(preset.name));
        item->setData(Qt::UserRole, preset.name);
    }
    m_list->setCurrentRow(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
}

void PresetBox::say(const QString& why, const QString& done) { m_said->setText(why.isEmpty() ? done : why); }

}  // namespace warplens::gui
