// SPDX-License-Identifier: Apache-2.0
#include "gui/filter/steps_panel.hpp"

#include "gui/filter/step_list.hpp"
#include "gui/kit/panel.hpp"
#include "gui/request/task_form.hpp"
#include "gui/session/task_step.hpp"
#include "io/in_space.hpp"

#include <QShowEvent>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr int kMostChips = 6, kMostOffered = 8;

}  // namespace

StepsPanel::StepsPanel(CompareSession& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_known(knownSteps(nullptr)),
      m_quiet(made(new QPushButton(this), {.id = "quiet-line",
                                           .look = "flat",
                                           .tip = tr("What ran for the current step. A click opens the step in the "
                                                     "Lab, where its variants are compared and explained."),
                                           .does = [this] { emit pageWanted(QStringLiteral("compare")); }})) {
    setLook(this, "dock");
    makeColumn(this, {}, 0);
    setMinimumHeight(kTitleHeight);
    m_quiet->hide();
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &StepsPanel::refresh);
    const auto later = qOverload<>(&QTimer::start);
    connect(&m_session.results(), &Results::changed, &m_later, later);
    connect(&m_session.request(), &RequestState::taskChanged, &m_later, later);
    connect(&m_session.recipe(), &RecipeState::changed, &m_later, later);
    connect(&m_session.activity(), &Activity::busyChanged, &m_later, later);
}

void StepsPanel::build() {
    if (m_column != nullptr) return;
    auto* content = new QWidget;
    setLook(content, "dock");
    auto* title = made(new QLabel(tr("Steps"), content), {.look = "title"});
    m_none = made(new QLabel(tr("No step yet. Say what to do below."), content),
                  {.id = "no-step", .look = "hint", .wraps = true});
    m_steps = makeStepList(m_session.recipe(), m_session.request(), m_known, content);
    m_field = made(new QLineEdit(content), {.id = "add-step", .name = tr("Add a step")});
    m_field->setPlaceholderText(tr("Add a step: sharpen, denoise, levels..."));
    m_offered = made(new QListWidget(content), {.id = "offered-steps", .name = tr("Steps that match")});
    m_offered->setFrameShape(QFrame::NoFrame);
    m_offered->hide();
    connect(m_field, &QLineEdit::textChanged, this, &StepsPanel::offer);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        const auto found = matchingSteps(m_known, m_field->text());
        const int row = std::max(m_offered->currentRow(), 0);
        if (m_field->text().isEmpty() || row >= std::ssize(found)) return;
        add(*found[static_cast<std::size_t>(row)]);
    });
    connect(m_offered, &QListWidget::itemActivated, m_field, &QLineEdit::returnPressed);
    connect(m_offered, &QListWidget::itemClicked, m_field, &QLineEdit::returnPressed);
    m_title = made(new QLabel(content), {.id = "step-title", .look = "title", .wraps = true});
    m_form = makeTaskForm(
        m_session.request(), m_session.results(), m_session.inputs(),
        [this](const QString& why) { m_session.activity().report(why); }, FormFor::filtering, content);
    connect(m_form, &ParameterForm::done, this, &StepsPanel::done);
    auto* batch = made(new QPushButton(tr("Batch this..."), content),
                       {.id = "batch-this",
                        .tip = tr("The same steps for every picture of a folder, saved as it was saved last."),
                        .does = [this] { emit batchWanted(); }});
    m_column =
        makeColumn(content, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap,
                   {title, m_none, m_steps, m_field, m_offered, makeChips(content), m_title, m_form, spring(), batch});
    layout()->addWidget(makeScroll(content, this));
}

QWidget* StepsPanel::makeChips(QWidget* content) {
    auto* chips = new QWidget(content);
    auto* rows = makeColumn(chips, {}, kGap / 2);
    QHBoxLayout* row = nullptr;
    for (int i = 0; i < kMostChips; ++i) {
        if (i % 2 == 0) fill(rows, {row = makeRow(nullptr, {}, kGap / 2)});
        const auto does = [this, i] { add(*m_likely[static_cast<std::size_t>(i)]); };
        m_chips.push_back(made(new QPushButton(chips), {.id = QStringLiteral("chip-%1").arg(i + 1),
                                                        .look = "segment",
                                                        .tip = tr("Add it as a step behind the current one."),
                                                        .does = does}));
        row->addWidget(m_chips.back(), 1);
    }
    return chips;
}

void StepsPanel::refreshChips() {
    const auto& picture = m_session.document().grid();
    // A pixel of it has a size, and no printer's; or it is a volume.
    const bool measured = picture != nullptr && (picture->shape().depth > 1 ||
                                                 (io::hasGeometry(picture->geometry) && !picture->metadata.dpi));
    m_likely.clear();
    for (const KnownStep& step : m_known)
        if (step.likely == u"both" || step.likely == (measured ? u"measurement" : u"photograph"))
            m_likely.push_back(&step);
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        m_chips[i]->setVisible(i < m_likely.size());
        if (i < m_likely.size()) m_chips[i]->setText(m_likely[i]->words.front());
    }
}

void StepsPanel::setPresets(const Presets& presets) {
    m_known = knownSteps(&presets);
    m_later.start();
}

void StepsPanel::typeStep() {
    build();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void StepsPanel::offer(const QString& typed) {
    m_offered->clear();
    const auto found = typed.isEmpty() ? std::vector<const KnownStep*>{} : matchingSteps(m_known, typed);
    for (const KnownStep* step : found) {
        if (m_offered->count() == kMostOffered) break;
        auto* item = new QListWidgetItem(step->words.front(), m_offered);
        item->setToolTip(step->words.join(QStringLiteral(", ")));
    }
    if (found.empty() && !typed.isEmpty()) {
        auto* item = new QListWidgetItem(tr("No match. Try a verb: blur, sharpen, denoise."), m_offered);
        item->setFlags(Qt::NoItemFlags);
    }
    m_offered->setCurrentRow(found.empty() ? -1 : 0);
    m_offered->setFixedHeight(m_offered->count() * std::max(m_offered->sizeHintForRow(0), 1) + 2);
    m_offered->setVisible(m_offered->count() > 0);
}

void StepsPanel::add(const KnownStep& step) {
    if (m_session.document().empty())
        return m_session.activity().report(tr("Open a picture first, for the step to work on."));
    build();
    m_field->clear();
    if (step.view.isEmpty())
        m_session.recipe().insert(*step.family, step.values);
    else
        emit pageWanted(step.view);
    m_steps->setFocus();
    if (step.view.isEmpty()) emit added(step);
}

bool StepsPanel::hasStep() const {
    const RecipePlace* place = m_session.recipe().place();
    return place != nullptr && isItsStep(m_session.request(), *place);
}

void StepsPanel::setOwnForm(QWidget* form) {
    if (m_own == form) return;
    build();
    if (m_own != nullptr) m_own->hide();
    m_own = form;
    if (m_own != nullptr) {
        m_column->insertWidget(m_column->indexOf(m_form) + 1, m_own);
        m_own->show();
    }
    refresh();
}

void StepsPanel::setTells(Tells tells) {
    m_tells = tells;
    refresh();
}

QString StepsPanel::quietText() const {
    if (m_tells == Tells::step && !hasStep()) return {};
    const std::string& current = m_session.request().current();
    const gpu::RunRecord* record = m_session.results().present(current);
    const gpu::DeviceInfo* device = m_session.devices().chosen();
    if (record == nullptr) return m_session.activity().busy() ? tr("computing") : QString();
    if (record->status != gpu::Status::ok) return QString::fromStdString(record->id() + ": " + record->reason);
    QStringList words{nameOf(stepOf(m_session.request()), m_known).title, QString::fromStdString(record->id())};
    if (record->time && record->verification)
        words << tr("%1 ms measured").arg(format::milliseconds(record->time->medianMs));
    if (device != nullptr) words << QString::fromStdString(device->name);
    words << (record->verification ? tr("verified") : tr("not verified yet"));
    if (m_session.request().currentChosen()) words << tr("pinned");
    return words.join(QStringLiteral("  ·  "));
}

void StepsPanel::refresh() {
    if (m_tells == Tells::nothing) return;
    m_quiet->setText(quietText());
    m_quiet->setAccessibleName(m_quiet->text());
    m_quiet->setVisible(!m_quiet->text().isEmpty());
    if (m_column == nullptr) return;
    const RecipePlace* place = m_session.recipe().place();
    const bool any = place != nullptr && !place->recipe.steps.empty(), at = hasStep();
    refreshChips();
    m_none->setVisible(!any);
    m_steps->setVisible(any);
    m_title->setVisible(at);
    m_form->setVisible(at && m_own == nullptr);
    const StepName name = at ? nameOf(stepOf(m_session.request()), m_known) : StepName();
    m_title->setText(name.title);
    m_form->setNamed(name.own);
}

void StepsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    build();
    if (!event->spontaneous()) refresh();
}

}  // namespace warplens::gui
