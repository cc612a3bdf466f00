// SPDX-License-Identifier: Apache-2.0
#include "gui/request/variant_commands.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/request/parameter_state.hpp"
#include "gui/window/actions.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

namespace warplens::gui {

namespace {

/// Empty where a block has no tile of the picture.
QString blockText(const gpu::Footprint& block) {
    if (block.tileWidth <= 0 || block.tileHeight <= 0) return {};
    const QString text = LaunchBox::tr("A block of %1 threads writes %2 outputs")
                             .arg(format::extent(block.blockWidth, block.blockHeight),
                                  format::extent(block.tileWidth, block.tileHeight));
    if (!block.staged) return text + '.';
    return LaunchBox::tr("%1 and stages %2.")
        .arg(text, format::extent(block.stagedLeft + block.tileWidth + block.stagedRight,
                                  block.stagedTop + block.tileHeight + block.stagedBottom));
}

}  // namespace

LaunchBox::LaunchBox(RequestState& request, const std::string& id, QWidget* window)
    : QDialog(window),
      m_request(request),
      m_row(gpu::askedRun(*request.parameters().family(), id)),
      m_said(made(new QLabel(this), {.id = "launch-said", .look = "hint"})),
      m_block(made(new QLabel(this), {.id = "launch-block", .look = "caption"})),
      m_refusal(made(new QLabel(this), {.id = "launch-refusal"})),
      m_mark(new StatusMark(this)),
      m_reset(made(new QPushButton(tr("Reset"), this), {.id = "launch-reset", .tip = tr("The variant's own values")})),
      m_take(made(new QPushButton(tr("Take"), this), {.id = "launch-take"})) {
    setObjectName(QStringLiteral("launch-box"));
    setWindowTitle(tr("Launch parameters of %1").arg(QString::fromStdString(m_row.variant->id)));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    for (const gpu::Tunable& tunable : m_row.variant->tunables)
        form->addRow(QString::fromStdString(tunable.id), field(tunable));
    constexpr Length kWidth{340};
    for (QLabel* label : {m_said, m_block, m_refusal}) label->setWordWrap(true);
    m_said->setMinimumWidth(kWidth);
    m_mark->setState(ResultState::unsupported);
    m_take->setDefault(true);
    auto* leave = new QPushButton(tr("Cancel"), this);
    for (QPushButton* button : {m_reset, leave}) button->setAutoDefault(false);
    makeColumn(this, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap,
               {form, makeRow(nullptr, {}, kGap, {{m_mark, 0, Qt::AlignTop}, {m_refusal, 1}}), m_block, m_said,
                makeRow(nullptr, {}, kGap, {m_reset, spring(), leave, m_take})});
    connect(leave, &QPushButton::clicked, this, &QDialog::close);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        for (const Field& field : m_fields) field.set(field.tunable->fallback);
    });
    connect(m_take, &QPushButton::clicked, this, [this] {
        emit chosen(this->id());
        close();
    });
    refresh();
    pose();
}

void LaunchBox::pose() {
    const auto input = m_request.document().grid();
    if (input == nullptr) return;
    using Problem = std::shared_ptr<const gpu::Problem>;
    m_poseJobs.start(
        this,
        [family = m_request.parameters().family(), input, values = m_request.parameters().values()](const JobContext&) {
            return Problem(family->pose(input, values));
        },
        [this](JobResult<Problem> result) {
            // What cannot be posed is refused where it is typed, whatever the block.
            if (result) m_problem = result.value();
            refresh();
        });
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
        m_fields.push_back({&tunable, [spin] { return spin->value(); }, [spin](int to) { spin->setValue(to); }});
        made = spin;
    } else {
        auto* box = new QComboBox(this);
        for (const int choice : tunable.choices) box->addItem(QString::number(choice), choice);
        box->setCurrentIndex(box->findData(value));
        connect(box, &QComboBox::currentIndexChanged, this, &LaunchBox::refresh);
        m_fields.push_back({&tunable, [box] { return box->currentData().toInt(); },
                            [box](int to) { box->setCurrentIndex(box->findData(to)); }});
        made = box;
    }
    setWords(made, {.id = QStringLiteral("launch-") + QString::fromStdString(tunable.id),
                    .name = QString::fromStdString(tunable.id),
                    .tip = QString::fromStdString(tunable.help)});
    return made;
}

/// What is left at its default was not chosen.
gpu::RunKey LaunchBox::key() const {
    gpu::RunKey key{.variant = m_row.variant->id, .chosen = {}};
    for (const Field& field : m_fields)
        if (field.value() != field.tunable->fallback) key.chosen[field.tunable->id] = field.value();
    return key;
}

bool LaunchBox::judge() {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    QString block, why;
    if (m_problem != nullptr && device != nullptr) {
        const gpu::Variant& variant = *m_row.variant;
        const auto tunables = m_problem->resolved(variant, key().chosen);
        why = QString::fromStdString(m_problem->refusal(variant, tunables, *device));
        if (why.isEmpty()) block = blockText(m_problem->footprint(variant, tunables));
    }
    m_block->setText(block);
    m_block->setVisible(!block.isEmpty());
    m_refusal->setText(
        tr("Not on %1: %2.").arg(device == nullptr ? QString() : QString::fromStdString(device->name), why));
    for (QWidget* widget : {static_cast<QWidget*>(m_refusal), static_cast<QWidget*>(m_mark)})
        widget->setVisible(!why.isEmpty());
    return why.isEmpty();
}

void LaunchBox::refresh() {
    const gpu::RunKey now = key();
    const bool there = m_request.variants().rowOf(now.id()) >= 0, runs = judge();
    m_reset->setEnabled(!now.chosen.empty());
    m_take->setEnabled(!there && runs);
    m_said->setText((there ? tr("%1 is in the list: choose another value.") : tr("The row is called %1."))
                        .arg(QString::fromStdString(now.id())));
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
