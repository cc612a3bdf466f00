// SPDX-License-Identifier: Apache-2.0
#include "gui/request/variant_commands.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/request/parameter_state.hpp"
#include "gui/window/actions.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

namespace warplens::gui {

LaunchBox::LaunchBox(RequestState& request, const std::string& id, QWidget* window)
    : QDialog(window),
      m_request(request),
      m_row(gpu::askedRun(*request.parameters().family(), id)),
      m_said(new QLabel(this)),
      m_take(new QPushButton(tr("Take"), this)) {
    setObjectName(QStringLiteral("launch-box"));
    setWindowTitle(tr("Launch parameters of %1").arg(QString::fromStdString(m_row.variant->id)));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    for (const gpu::Tunable& tunable : m_row.variant->tunables)
        form->addRow(QString::fromStdString(tunable.id), field(tunable));
    setWords(m_said, {.id = "launch-said", .look = "hint"});
    m_said->setWordWrap(true);
    constexpr Length kWidth{340};
    m_said->setMinimumWidth(kWidth);
    m_take->setObjectName(QStringLiteral("launch-take"));
    m_take->setDefault(true);
    auto* leave = new QPushButton(tr("Cancel"), this);
    leave->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    fill(buttons, {spring(), leave, m_take});
    auto* column = new QVBoxLayout(this);
    fill(column, {form, m_said, buttons});
    connect(leave, &QPushButton::clicked, this, &QDialog::close);
    connect(m_take, &QPushButton::clicked, this, [this] {
        emit chosen(this->id());
        close();
    });
    refresh();
}

QWidget* LaunchBox::field(const gpu::Tunable& tunable) {
    const auto own = m_row.chosen.find(tunable.id);
    const int value = own == m_row.chosen.end() ? tunable.fallback : own->second;
    QWidget* made = nullptr;
    if (tunable.choices.empty()) {
        auto* spin = new QSpinBox(this);
        spin->setRange(tunable.minimum, tunable.maximum);
        spin->setValue(value);
        connect(spin, &QSpinBox::valueChanged, this, &LaunchBox::refresh);
        m_values.emplace_back(&tunable, [spin] { return spin->value(); });
        made = spin;
    } else {
        auto* box = new QComboBox(this);
        for (const int choice : tunable.choices) box->addItem(QString::number(choice), choice);
        box->setCurrentIndex(box->findData(value));
        connect(box, &QComboBox::currentIndexChanged, this, &LaunchBox::refresh);
        m_values.emplace_back(&tunable, [box] { return box->currentData().toInt(); });
        made = box;
    }
    setWords(made, {.id = QStringLiteral("launch-") + QString::fromStdString(tunable.id),
                    .name = QString::fromStdString(tunable.id),
                    .tip = QString::fromStdString(tunable.help)});
    return made;
}

/// What is left at its default was not chosen.
std::string LaunchBox::id() const {
    gpu::RunKey key{.variant = m_row.variant->id, .chosen = {}};
    for (const auto& [tunable, value] : m_values)
        if (value() != tunable->fallback) key.chosen[tunable->id] = value();
    return key.id();
}

void LaunchBox::refresh() {
    const std::string now = id();
    const bool there = m_request.variants().rowOf(now) >= 0;
    m_take->setEnabled(!there);
    m_said->setText((there ? tr("%1 is in the list: choose another value.") : tr("The row is called %1."))
                        .arg(QString::fromStdString(now)));
}

VariantCommands::VariantCommands(const Actions& actions, RequestState& request, LookedAt& lookedAt, QWidget* list,
                                 QWidget* window)
    : QObject(window), m_request(request), m_lookedAt(lookedAt) {
    list->setContextMenuPolicy(Qt::ActionsContextMenu);
    list->addActions({actions.duplicateVariant, actions.changeVariant, actions.removeVariant});
    const auto ask = [this, window](bool instead) {
        const std::string row = m_request.current();
        auto* box = new LaunchBox(m_request, row, window);
        connect(box, &LaunchBox::chosen, this,
                [this, row, instead](const std::string& id) { take(id, instead ? row : std::string()); });
        connect(&m_request.parameters(), &ParameterState::familyChanged, box, &QDialog::close);  // the row is gone
        box->open();
    };
    connect(actions.duplicateVariant, &QAction::triggered, this, [ask] { ask(false); });
    connect(actions.changeVariant, &QAction::triggered, this, [ask] { ask(true); });
    connect(actions.removeVariant, &QAction::triggered, this,
            [this] { replace(m_request.current(), gpu::variantIn(m_request.current())); });
    const auto refresh = [this, duplicate = actions.duplicateVariant, change = actions.changeVariant,
                          remove = actions.removeVariant] {
        const gpu::Variant* row = m_request.currentVariant();
        const bool added = row != nullptr && row->id != gpu::variantIn(row->id);
        duplicate->setEnabled(row != nullptr && !row->tunables.empty());
        for (QAction* action : {change, remove}) action->setEnabled(added);
    };
    connect(&request, &RequestState::currentChanged, this, refresh);
    connect(&request.variants(), &VariantListModel::modelReset, this, refresh);
    refresh();
}

void VariantCommands::take(const std::string& id, const std::string& instead) {
    m_request.variants().add(id);
    if (!instead.empty()) replace(instead, id);
    m_request.setCurrent(id);
}

/// `old` by value: it may be the current one, which changes here.
void VariantCommands::replace(std::string old, const std::string& now) {
    if (m_request.current() == old) m_request.setCurrent(now);
    if (m_request.baseline() == old) m_request.setBaseline(now);
    if (m_lookedAt.reference() == old) m_lookedAt.setReference(now);
    m_request.variants().remove(old);
}

}  // namespace warplens::gui
