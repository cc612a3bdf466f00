// SPDX-License-Identifier: Apache-2.0
#include "gui/request/launch_fields.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/model/block_needs.hpp"
#include "gui/kit/panel.hpp"
#include "gui/session/rates.hpp"

#include <QFormLayout>
#include <QKeyEvent>
#include <algorithm>

namespace warplens::gui {

namespace {

/// "Block width"
QString titleOf(const gpu::Tunable& tunable) {
    QString title = QString::fromStdString(tunable.id).replace(u'_', u' ');
    title[0] = title[0].toUpper();
    return title;
}

/// Empty where a block has no tile of the picture.
QString blockText(const gpu::Footprint& block) {
    if (block.tileWidth <= 0 || block.tileHeight <= 0) return {};
    const QString text = LaunchFields::tr("A block of %1 threads writes %2 outputs")
                             .arg(format::extent(block.blockWidth, block.blockHeight),
                                  format::extent(block.tileWidth, block.tileHeight));
    if (!block.staged) return text + '.';
    return LaunchFields::tr("%1 and stages %2.")
        .arg(text, format::extent(block.stagedLeft + block.tileWidth + block.stagedRight,
                                  block.stagedTop + block.tileHeight + block.stagedBottom));
}

/// A launch of the variant whose registers are known, and where that was.
struct KnownLaunch {
    gpu::BlockNeeds needs;
    gpu::TunableValues tunables;
    const gpu::DeviceInfo* device = nullptr;
    QString where;
    Origin origin = Origin::reported;
};

std::optional<KnownLaunch> launchIn(const gpu::RunRecord& run, const gpu::DeviceInfo& device) {
    const auto needs = run.launch && run.launch->kernels == 1 ? gpu::needsOf(*run.launch) : std::nullopt;
    if (!needs || !device.ranks()) return std::nullopt;
    return KnownLaunch{*needs, run.tunables, &device, QString::fromStdString(device.name), Origin::reported};
}

/// On the device at hand, else the recorded launch of this row, else that of the variant's own values, on some GPU.
std::optional<KnownLaunch> knownLaunch(const gpu::RunSpec& row, const gpu::Problem& problem, RequestState& request,
                                       const Results& results) {
    for (const std::string& id : {row.id(), row.variant->id})
        if (const gpu::RunRecord* run = results.present(id); run != nullptr && request.devices().chosen() != nullptr)
            if (auto known = launchIn(*run, *request.devices().chosen())) return known;
    if (request.document().grid() == nullptr) return std::nullopt;
    const gpu::RecordedTask task(*request.parameters().family(), request.parameters().values(),
                                 *request.document().grid(), request.document().input().toStdString());
    const auto sources = recordedRuns().of(task, gpu::RecordedFigure::launch);
    for (const gpu::TunableValues& chosen : {row.chosen, gpu::TunableValues()}) {
        for (const gpu::RecordedSource& source : sources) {
            const gpu::RunRecord* run =
                source.run(row.variant->id, problem.resolved(*row.variant, chosen, source.report().device));
            auto known = run != nullptr ? launchIn(*run, source.report().device) : std::nullopt;
            if (!known) continue;
            known->origin = Origin::recorded;
            known->where = LaunchFields::tr("%1, %2").arg(known->where, format::date(source.report().environment.date));
            return known;
        }
    }
    return std::nullopt;
}

}  // namespace

LaunchFields::LaunchFields(RequestState& request, const Results& results, QWidget* parent)
    : QWidget(parent),
      m_request(request),
      m_results(results),
      m_form(new QFormLayout),
      m_said(made(new QLabel(this), {.id = "launch-said", .look = "hint"})),
      m_block(made(new QLabel(this), {.id = "launch-block", .look = "caption"})),
      m_refusal(made(new QLabel(this), {.id = "launch-refusal"})),
      m_full(made(new QLabel(this), {.id = "launch-occupancy", .look = "caption"})),
      m_registers(made(new QLabel(this), {.id = "launch-registers", .look = "hint"})),
      m_mark(new StatusMark(this)),
      m_occupancy(new QWidget(this)),
      m_bar(new OccupancyBar(m_occupancy)),
      m_origin(new OriginMark(Origin::reported, m_occupancy)),
      m_reset(made(new QPushButton(tr("Reset"), this),
                   {.id = "launch-reset", .look = "flat", .tip = tr("The variant's own values")})),
      m_change(made(new QPushButton(tr("Change"), this),
                    {.id = "launch-change", .look = "flat", .tip = tr("Gives this row the values typed")})),
      m_beside(made(new QPushButton(tr("Add as new row"), this),
                    {.id = "launch-beside", .tip = tr("Add a copy with these values (Return)")})) {
    setWidgetText(this, {.id = "launch-fields", .name = tr("Launch parameters")});
    m_form->setSpacing(4);
    for (QLabel* label : {m_said, m_block, m_refusal, m_full, m_registers}) {
        label->setWordWrap(true);
        label->setMinimumWidth(1);
    }
    m_mark->setState(ResultState::unsupported);
    makeColumn(
        m_occupancy, {}, 0,
        {makeRow(nullptr, {}, 4, {{m_full, 1}, {new OriginMark(Origin::modelled, m_occupancy), 0, Qt::AlignTop}}),
         m_bar, makeRow(nullptr, {}, 4, {{m_registers, 1}, {m_origin, 0, Qt::AlignTop}})});
    makeColumn(this, {3 * kDockMargin, 2, kDockMargin, kGap}, 4,
               {m_form, makeRow(nullptr, {}, kGap, {{m_mark, 0, Qt::AlignTop}, {m_refusal, 1}}), m_block, m_occupancy,
                m_said, makeRow(nullptr, {}, 4, {m_reset, spring(), m_change, m_beside})});
    connect(m_reset, &QPushButton::clicked, this, [this] {
        for (const Field& field : m_fields) field.set(field.tunable->fallback);
    });
    connect(m_change, &QPushButton::clicked, this, [this] { take(true); });
    connect(m_beside, &QPushButton::clicked, this, [this] { take(false); });
    const auto again = [this] {
        m_problem = nullptr;
        if (isVisible()) pose();
    };
    connect(&request, &RequestState::taskChanged, this, [again](const Task& before, const Task& now) {
        if (!before.samePicture(now) || !before.sameValues(now)) again();
    });
    connect(&request.devices(), &DeviceChoice::changed, this, &LaunchFields::refresh);
    connect(&results, &Results::changed, this, &LaunchFields::refresh);
    on(this, {QEvent::Show}, [this] {
        if (m_problem == nullptr) pose();
        refresh();
    });
    on(this, {QEvent::Hide}, [this] { LaunchDraft::of(m_request).set({}, {}); });
}

void LaunchFields::setRow(const std::string& id) {
    const VariantListModel& rows = m_request.variants();
    // The page Kernel has the fields of a kernel of the user's.
    const bool none = rows.variant(id) == nullptr || rows.kernel(id) != nullptr;
    const gpu::Variant* variant = none ? nullptr : rows.variant(gpu::variantIn(id));
    const gpu::TunableValues chosen = variant == nullptr ? gpu::TunableValues() : gpu::parseRunKey(id).chosen;
    m_instead = false;
    // A list that is filled anew names its current row again, perhaps while somebody types.
    if (variant != nullptr && variant == m_row.variant && chosen == m_row.chosen) return refresh();
    LaunchDraft::of(m_request).set({}, {});
    m_problem = nullptr;
    m_fields.clear();
    while (m_form->rowCount() > 0) {
        // One of them may be the one whose key is just being heard.
        const QFormLayout::TakeRowResult row = m_form->takeRow(0);
        for (QLayoutItem* item : {row.labelItem, row.fieldItem}) {
            item->widget()->hide();
            item->widget()->setObjectName({});
            item->widget()->deleteLater();
            delete item;
        }
    }
    m_row = {variant, chosen};
    if (variant != nullptr) {
        for (const gpu::Tunable& tunable : variant->tunables) {
            auto* label = made(new QLabel(titleOf(tunable), this), {.look = "label"});
            QWidget* widget = field(tunable);
            label->setBuddy(widget);
            m_form->addRow(label, widget);
            // At once: a layout shows what it is given later, and room is measured and the focus given before.
            for (QWidget* shown : {static_cast<QWidget*>(label), widget}) shown->show();
        }
    }
    refresh();
    if (isVisible()) pose();
}

/// A list has the rows of a new family before the request has its values.
bool LaunchFields::belongs() const {
    const gpu::Family* family = m_request.parameters().family();
    return family != nullptr && std::ranges::any_of(family->variants(), [this](const gpu::Variant& variant) {
               return &variant == m_row.variant;
           });
}

int LaunchFields::heightFor(int width) {
    layout()->activate();  // what was shown or hidden just now counts
    return hasHeightForWidth() ? heightForWidth(width) : sizeHint().height();
}

void LaunchFields::focusFirst(bool instead) {
    m_instead = instead;
    if (!m_fields.empty()) m_fields.front().widget->setFocus(Qt::ShortcutFocusReason);
}

void LaunchFields::pose() {
    const auto input = m_request.document().grid();
    if (input == nullptr || !belongs()) return;
    using Problem = std::shared_ptr<const gpu::Problem>;
    m_poseJobs.start(
        this,
        [family = m_request.parameters().family(), input, values = m_request.parameters().values()](const JobContext&) {
            return Problem(family->pose(input, values));
        },
        [this, family = m_request.parameters().family()](JobResult<Problem> result) {
            // What cannot be posed is refused where it is typed, whatever the block.
            if (result && family == m_request.parameters().family() && belongs()) m_problem = result.value();
            refresh();
        });
}

QWidget* LaunchFields::field(const gpu::Tunable& tunable) {
    const auto own = m_row.chosen.find(tunable.id);
    const int value = own == m_row.chosen.end() ? tunable.fallback : own->second;
    QWidget* made = nullptr;
    if (tunable.choices.empty()) {
        auto* spin = new QSpinBox(this);
        spin->setRange(tunable.minimum, tunable.maximum);
        spin->setValue(value);
        connect(spin, &QSpinBox::valueChanged, this, &LaunchFields::refresh);
        m_fields.push_back({&tunable, spin, [spin] { return spin->value(); }, [spin](int to) { spin->setValue(to); }});
        made = spin;
    } else {
        auto* box = new QComboBox(this);
        for (const int choice : tunable.choices) box->addItem(QString::number(choice), choice);
        box->setCurrentIndex(box->findData(value));
        connect(box, &QComboBox::currentIndexChanged, this, &LaunchFields::refresh);
        m_fields.push_back({&tunable, box, [box] { return box->currentData().toInt(); },
                            [box](int to) { box->setCurrentIndex(box->findData(to)); }});
        made = box;
    }
    setWidgetText(made, {.id = QStringLiteral("launch-") + QString::fromStdString(tunable.id),
                         .name = titleOf(tunable),
                         .tip = QString::fromStdString(tunable.help)});
    return made;
}

/// What is left at its default was not chosen.
gpu::RunKey LaunchFields::key() const {
    gpu::RunKey key{.variant = m_row.variant->id, .chosen = {}};
    for (const Field& field : m_fields)
        if (field.value() != field.tunable->fallback) key.chosen[field.tunable->id] = field.value();
    return key;
}

bool LaunchFields::judge() {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    QString block, why;
    m_occupancy->hide();
    std::optional<gpu::Footprint> drafted;
    if (m_problem != nullptr && device != nullptr) {
        const gpu::Variant& variant = *m_row.variant;
        const auto tunables = m_problem->resolved(variant, key().chosen, *device);
        why = QString::fromStdString(m_problem->refusal(variant, tunables, *device));
        if (why.isEmpty()) {
            const gpu::Footprint footprint = m_problem->footprint(variant, tunables);
            block = blockText(footprint);
            if (key().id() != m_row.id()) drafted = footprint;
            showOccupancy(tunables);
        }
    }
    LaunchDraft::of(m_request).set(m_row.id(), isVisible() ? drafted : std::nullopt);
    m_block->setText(block);
    m_block->setVisible(!block.isEmpty());
    m_refusal->setText(
        tr("Not on %1: %2.").arg(device == nullptr ? QString() : QString::fromStdString(device->name), why));
    for (QWidget* widget : {static_cast<QWidget*>(m_refusal), static_cast<QWidget*>(m_mark)})
        widget->setVisible(!why.isEmpty());
    return why.isEmpty();
}

/// Modelled from the registers that a compiler told of this variant; nothing where none did.
void LaunchFields::showOccupancy(const gpu::TunableValues& tunables) {
    const auto known = knownLaunch(m_row, *m_problem, m_request, m_results);
    if (!known) return;
    // Only the GPU's limits count here: a program without CUDA would refuse it as such.
    gpu::DeviceInfo limits = *known->device;
    limits.kind = gpu::DeviceKind::simt;
    if (!m_problem->refusal(*m_row.variant, tunables, limits).empty()) return;
    gpu::TunableValues then;
    try {
        then = m_problem->resolved(*m_row.variant, known->tunables, *known->device);
    } catch (const gpu::Error&) {  // recorded by a version with other tunables
        return;
    }
    const gpu::BlockNeeds needs = gpu::needsWith(known->needs, then, tunables, *m_problem, *m_row.variant, limits);
    const auto occupancy = gpu::occupancyOf(needs, *known->device);
    if (!occupancy) return;
    m_full->setText(
        tr("Occupancy %1 of %2 warps, %3. %4")
            .arg(occupancy->warps)
            .arg(occupancy->mostWarps)
            .arg(format::percent(occupancy->share()), QString::fromStdString(gpu::occupancySentence(*occupancy))));
    m_bar->setOccupancy(*occupancy, m_row.variant->idea);
    QString as = known->where;
    if (then != tunables) {
        // The compiler was asked for another launch.
        QStringList values;
        for (const auto& [id, value] : then)
            values << QStringLiteral("%1=%2").arg(QString::fromStdString(id)).arg(value);
        as += tr(" with %1").arg(values.join(u' '));
    }
    m_registers->setText(tr("%1 registers per thread, as on %2").arg(needs.registers).arg(as));
    m_origin->setOrigin(known->origin);
    m_occupancy->show();
}

void LaunchFields::refresh() {
    if (m_row.variant == nullptr) return;
    const gpu::RunKey now = key();
    const bool itself = now.id() == m_row.id(), there = m_request.variants().rowOf(now.id()) >= 0, runs = judge();
    m_reset->setEnabled(!now.chosen.empty());
    m_change->setVisible(!m_row.chosen.empty());
    for (QPushButton* button : {m_change, m_beside}) button->setEnabled(!there && runs);
    m_said->setText((there ? tr("%1 is in the list: choose another value.") : tr("The row is called %1."))
                        .arg(QString::fromStdString(now.id())));
    m_said->setVisible(!itself);
    emit resized();
}

void LaunchFields::take(bool instead) {
    const std::string id = key().id();
    LaunchDraft::of(m_request).set({}, {});
    if (instead)
        emit insteadWanted(id);
    else
        emit besideWanted(id);
}

void LaunchFields::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape) {
        emit left();
    } else if (enter && m_beside->isEnabled()) {
        take(m_instead && !m_row.chosen.empty());
    } else if (!enter) {
        QWidget::keyPressEvent(event);
    }
}

LaunchDraft::LaunchDraft(RequestState& request) : QObject(&request) {}

LaunchDraft& LaunchDraft::of(RequestState& request) {
    auto* draft = request.findChild<LaunchDraft*>(QString(), Qt::FindDirectChildrenOnly);
    return draft != nullptr ? *draft : *new LaunchDraft(request);
}

std::optional<gpu::Footprint> LaunchDraft::footprint(const std::string& row) const {
    return row == m_row ? m_footprint : std::nullopt;
}

void LaunchDraft::set(const std::string& row, const std::optional<gpu::Footprint>& footprint) {
    if (!footprint && !m_footprint) return;
    m_row = row;
    m_footprint = footprint;
    emit changed();
}

}  // namespace warplens::gui
