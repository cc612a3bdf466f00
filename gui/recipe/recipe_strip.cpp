// SPDX-License-Identifier: Apache-2.0
#include "gui/recipe/recipe_strip.hpp"

#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gui/kit/panel.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/task_step.hpp"

#include <QApplication>
#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointer>
#include <QStyle>
#include <QStyleOptionButton>
#include <QTimer>
#include <algorithm>
#include <initializer_list>

namespace warplens::gui {

namespace {

constexpr Length kMostName{320}, kLeastName{48};
constexpr int kBetween = 4;

/// The keys that a step hears itself, before commands of the page.
bool isStepKey(const QKeyEvent& event) {
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    const bool arrow = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    if (arrow) return modifiers == Qt::NoModifier || modifiers == Qt::ControlModifier;
    if (modifiers != Qt::NoModifier) return false;
    switch (event.key()) {
        case Qt::Key_Delete:
        case Qt::Key_Space:
        case Qt::Key_T: return true;
        default: return false;
    }
}

/// The widest that names may be so that together they take `room`; none below kLeastName.
int widestName(std::vector<int> names, int room) {
    std::ranges::sort(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const int share = room / static_cast<int>(names.size() - i);
        if (names[i] > share) return std::max<int>(share, kLeastName);
        room -= names[i];
    }
    return kMostName;
}

/// Of a name when its step is chosen, so that choosing moves nothing.
QFontMetrics widestLetters(const QWidget& name) {
    QFont font = name.font();
    font.setBold(true);
    return QFontMetrics(font);
}

}  // namespace

int StepButton::frameWidth() const {
    constexpr QSize kText(100, 10);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    return style()->sizeFromContents(QStyle::CT_PushButton, &option, kText, this).width() - kText.width();
}

bool StepButton::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isStepKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QPushButton::event(event);
}

void StepButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    if (!isStepKey(*event)) return QPushButton::keyPressEvent(event);
    const int by = event->key() == Qt::Key_Left ? -1 : 1;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if ((event->modifiers() & Qt::ControlModifier) != 0)
                emit moveWanted(by);
            else
                emit focusWanted(by);
            return;
        case Qt::Key_Delete: emit removeWanted(); return;
        case Qt::Key_Space: emit switchWanted(); return;
        case Qt::Key_T: emit timeWanted(); return;
        default: return;
    }
}

void StepButton::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->position().toPoint();
    m_dragging = false;
    QPushButton::mousePressEvent(event);
}

void StepButton::mouseMoveEvent(QMouseEvent* event) {
    const bool far = (event->position().toPoint() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if ((event->buttons() & Qt::LeftButton) != 0 && far) {
        m_dragging = true;
        setCursor(Qt::ClosedHandCursor);
    }
    if (!m_dragging) QPushButton::mouseMoveEvent(event);
}

void StepButton::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_dragging) return QPushButton::mouseReleaseEvent(event);
    m_dragging = false;
    unsetCursor();
    setDown(false);
    emit dropped(event->globalPosition().toPoint());
}

void StepButton::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = made(new QMenu(this), {.id = "recipe-step-menu"});
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& text, auto&& what) {
        connect(menu->addAction(text), &QAction::triggered, this, what);
    };
    add(tr("Time this step\tT"), [this] { emit timeWanted(); });
    add(tr("Switch on or off\tSpace"), [this] { emit switchWanted(); });
    add(tr("Move left\tCtrl+Left"), [this] { emit moveWanted(-1); });
    add(tr("Move right\tCtrl+Right"), [this] { emit moveWanted(1); });
    add(tr("Remove\tDel"), [this] { emit removeWanted(); });
    emit menuWanted(menu);
    menu->popup(event->globalPos());
}

RecipeStrip::RecipeStrip(RecipeState& recipe, RequestState& request, QWidget* parent)
    : QWidget(parent),
      m_recipe(recipe),
      m_request(request),
      m_area(new QScrollArea(this)),
      m_kept(made(new QLabel(this), {.id = "recipe-kept", .look = "caption"})),
      m_total(made(new QLabel(this), {.look = "caption"})),
      m_totalOrigin(new OriginMark(Origin::measured, this)) {
    setWidgetText(this, {.id = "recipe-strip", .look = "dock"});
    auto* steps = made(new QWidget(this), {.look = "dock"});
    m_row = makeRow(steps, {0, 0, 0, 0}, kBetween, {spring()});
    m_area->setWidget(steps);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_add = made(new QPushButton(QStringLiteral("+"), this),
                 {.id = "recipe-add",
                  .look = "flat",
                  .name = tr("Add a step"),
                  .tip = tr("The present task becomes a step, and its result the next input (U). At a step that is one "
                            "already: begins a new one behind the last.")});
    auto* save = made(new QPushButton(tr("Save recipe"), this),
                      {.id = "recipe-save",
                       .look = "flat",
                       .tip = tr("As a file that warplens-cli run --recipe takes, for one picture or a folder."),
                       .does = [this] { emit saveWanted(); }});
    auto* title = made(new QLabel(tr("Recipe"), this), {.look = "label"});
    QHBoxLayout* whole = stripRow(this, kStripHeight);
    fill(whole, {title, {m_area, 1}, m_kept, m_total, m_totalOrigin, m_add, save});
    connect(m_add, &QPushButton::clicked, &recipe, &RecipeState::add);
    connect(&recipe, &RecipeState::changed, this, &RecipeStrip::refresh);
    refresh();
    for (QWidget* part : {static_cast<QWidget*>(this), steps})  // a time that came, or other type
        on(this, part, {QEvent::LayoutRequest, QEvent::Resize}, [this] { fit(); });
    // What stands in it has its own type a moment later.
    after(this, {QEvent::StyleChange}, [this] { fit(); });
}

void RecipeStrip::addChip() {
    const std::size_t step = m_chips.size();
    const QString number = QString::number(step + 1);
    auto* whole = new QWidget(this);
    Chip chip{whole,
              new QLabel(QStringLiteral("→"), whole),
              made(new StepButton(whole), {.id = QStringLiteral("recipe-step-") + number, .look = "segment"}),
              new QLabel(whole),
              new OriginMark(Origin::measured, whole),
              made(new QCheckBox(whole),
                   {.id = QStringLiteral("recipe-on-") + number, .name = tr("Step %1 is on").arg(number)})};
    setLook(chip.arrow, "hint");
    setLook(chip.time, "caption");
    chip.name->setCheckable(true);
    makeRow(whole, {0, 0, 0, 0}, kBetween, {chip.arrow, chip.name, chip.time, chip.origin, chip.on});
    connect(chip.name, &QPushButton::clicked, this, [this, step] {
        m_recipe.select(step);
        refresh();  // it stays checked only where the task is
    });
    connect(chip.name, &StepButton::dropped, this, [this, step](QPoint at) { m_recipe.move(step, placeAt(at)); });
    connect(chip.name, &StepButton::moveWanted, this, [this, step](int by) {
        const auto to = static_cast<std::ptrdiff_t>(step) + by;
        if (to < 0 || to >= std::ssize(m_chips)) return;
        focusStep(static_cast<std::size_t>(to));
        m_recipe.move(step, static_cast<std::size_t>(to));
    });
    connect(chip.name, &StepButton::focusWanted, this, [this, step](int by) {
        focusStep(static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(step) + by, 0, std::ssize(m_chips) - 1)));
    });
    connect(chip.name, &StepButton::removeWanted, &m_recipe, [this, step] { m_recipe.remove(step); });
    connect(chip.name, &StepButton::timeWanted, &m_recipe, [this, step] { m_recipe.time(step); });
    connect(chip.name, &StepButton::menuWanted, this, [this, step](QMenu* menu) { addSources(menu, step); });
    connect(chip.name, &StepButton::switchWanted, chip.on, &QCheckBox::click);
    connect(chip.on, &QCheckBox::clicked, &m_recipe, [this, step](bool on) { m_recipe.setOn(step, on); });
    m_row->insertWidget(static_cast<int>(step), whole);
    m_chips.push_back(chip);
}

void RecipeStrip::refresh() {
    const RecipePlace* place = m_recipe.place();
    const std::size_t count = place == nullptr ? 0 : place->recipe.steps.size();
    while (m_chips.size() < count) addChip();
    while (m_chips.size() > count) {
        m_chips.back().whole->hide();
        m_chips.back().whole->deleteLater();
        m_chips.pop_back();
    }
    for (std::size_t i = 0; i < count; ++i) show(m_chips[i], i);
    setVisible(count > 0);
    if (count == 0) return;
    showTotal();
    showKept();
    fit();
    if (!place->behindLast())
        QTimer::singleShot(0, m_area, [area = m_area, chip = QPointer(m_chips[place->at].whole)] {
            if (chip) area->ensureWidgetVisible(chip, 0, 0);
        });
}

void RecipeStrip::show(Chip& chip, std::size_t number) {
    const RecipePlace& place = *m_recipe.place();
    const gpu::recipe::Step& step = place.recipe.steps[number];
    const QString values = valuesOf(step);
    const QString words = titleOf(step) + (values.isEmpty() ? QString() : QStringLiteral(", ") + values);
    chip.text = QString::number(number + 1) + QStringLiteral("  ") + words;
    chip.arrow->setVisible(number > 0);
    chip.name->setAccessibleName(tr("Step %1: %2").arg(number + 1).arg(words));
    const QSignalBlocker quiet(chip.name), still(chip.on);
    chip.name->setChecked(number == place.at && isItsStep(m_request, place));
    chip.on->setChecked(step.on);
    const StepMeasured* measured = step.on ? m_recipe.measured(number) : nullptr;
    QString off, oneRun;
    if (!step.on) {
        off = tr("off");
    } else if (const auto within = m_recipe.ranWithin(number)) {
        off = tr("in step %1").arg(*within + 1);
        oneRun = QStringLiteral("\n") + tr("One run with step %1, bit by bit the same.").arg(*within + 1);
    }
    chip.time->setText(measured != nullptr ? tr("%1 ms").arg(format::milliseconds(measured->ms)) : off);
    chip.time->setVisible(!chip.time->text().isEmpty());
    chip.origin->setVisible(measured != nullptr);
    QString tip = chip.text + QStringLiteral("\n") +
                  tr("Click: the task is this step. Drag, or Ctrl and an arrow: move. Space: on or off. T: time it. "
                     "Del: remove.");
    if (measured != nullptr)
        tip += QStringLiteral("\n") + tr("%1 by %2, %3 ms (%4), %5")
                                          .arg(tr("measured"), QString::fromStdString(step.variant),
                                               format::milliseconds(measured->ms),
                                               QString::fromUtf8(gpu::nameOf(measured->clock)),
                                               measured->verified ? tr("verified") : tr("not verified yet"));
    tip += oneRun;
    chip.name->setToolTip(tip);
}

void RecipeStrip::showTotal() {
    const auto& steps = m_recipe.place()->recipe.steps;
    double sum = 0;
    std::optional<gpu::Clock> clock;
    bool whole = true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].on || m_recipe.ranWithin(i)) continue;
        const StepMeasured* measured = m_recipe.measured(i);
        whole = whole && measured != nullptr && (!clock || *clock == measured->clock);
        if (!whole) break;
        clock = measured->clock;
        sum += measured->ms;
    }
    // Times of two clocks do not add up.
    whole = whole && clock;
    m_total->setText(whole ? tr("= %1 ms").arg(format::milliseconds(sum)) : QString());
    m_total->setToolTip(tr("The kernels of all steps together"));
}

int RecipeStrip::roomForSteps() const {
    int room = layout()->contentsRect().width();
    for (int i = 0; i < layout()->count(); ++i) {
        const QWidget* widget = layout()->itemAt(i)->widget();
        if (widget == m_area || widget == m_total || widget == m_totalOrigin || widget->isHidden()) continue;
        room -= widget->sizeHint().width() + layout()->spacing();
    }
    return room;
}

int RecipeStrip::widthBesideName(const Chip& chip) const {
    constexpr int kRounding = 2;
    int width = chip.name->frameWidth() + kBetween + kRounding;  // to the next step
    for (const QWidget* widget : std::initializer_list<const QWidget*>{chip.arrow, chip.time, chip.origin, chip.on})
        if (!widget->isHidden()) width += widget->sizeHint().width() + kBetween;
    return width;
}

void RecipeStrip::fit() {
    if (m_chips.empty()) return;
    std::vector<int> names;
    int room = roomForSteps(), wanted = 0;
    for (const Chip& chip : m_chips) {
        for (QWidget* widget : chip.whole->findChildren<QWidget*>()) widget->ensurePolished();
        names.push_back(std::min<int>(widestLetters(*chip.name).horizontalAdvance(chip.text), kMostName));
        room -= widthBesideName(chip);
        wanted += names.back();
    }
    const int total = m_total->sizeHint().width() + m_totalOrigin->sizeHint().width() + 2 * layout()->spacing();
    const bool fits = !m_total->text().isEmpty() && wanted + total <= room;
    m_total->setVisible(fits);
    m_totalOrigin->setVisible(fits);
    const int most = widestName(names, fits ? room - total : room);
    for (const Chip& chip : m_chips)
        chip.name->setText(widestLetters(*chip.name).elidedText(chip.text, Qt::ElideRight, most));
}

void RecipeStrip::showKept() {
    const RecipeState::Kept kept = m_recipe.kept();
    m_kept->setVisible(kept.pictures < kept.made);
    m_kept->setText(tr("%1 of %2 pictures kept").arg(kept.pictures).arg(kept.made));
    m_kept->setToolTip(
        tr("Pictures of steps are kept up to %1 MB together. Those furthest from the current step are let "
           "go first, and computed again when they are wanted.")
            .arg(kept.mostBytes / 1'000'000));
}

void RecipeStrip::addSources(QMenu* menu, std::size_t number) {
    const auto& steps = m_recipe.place()->recipe.steps;
    const gpu::recipe::Step& step = steps[number];
    const gpu::Family* family = gpu::findFamily(step.family);
    if (family == nullptr) return;
    using Kind = gpu::recipe::Source::Kind;
    using From = RecipeState::From;
    for (const gpu::Parameter& parameter : family->parameters()) {
        if (parameter.type != gpu::Parameter::Type::picture) continue;
        gpu::ParameterValues given = step.parameters;
        given[parameter.id] = std::shared_ptr<const gpu::NamedGrid>();
        if (gpu::withoutEffect(family->parameters(), given)) continue;
        QMenu* sources = menu->addMenu(tr("%1 from").arg(QString::fromStdString(parameter.title)));
        sources->setObjectName(QStringLiteral("recipe-source-") + QString::fromStdString(parameter.id));
        const auto now = step.pictures.find(parameter.id);
        const auto add = [&](const QString& text, bool chosen, From from, std::size_t earlier = 0) {
            QAction* action = sources->addAction(text);
            action->setCheckable(true);
            action->setChecked(chosen);
            connect(action, &QAction::triggered, &m_recipe, [this, number, id = parameter.id, from, earlier] {
                m_recipe.takePicture(number, id, from, earlier);
            });
        };
        for (std::size_t i = 0; i < number; ++i)
            add(tr("Step %1: %2").arg(i + 1).arg(titleOf(steps[i])),
                now != step.pictures.end() && now->second.kind == Kind::step && now->second.name == steps[i].name,
                From::step, i);
        add(tr("The recipe's input"), now != step.pictures.end() && now->second.kind == Kind::input, From::input);
        add(tr("Nothing"), now == step.pictures.end(), From::nothing);
    }
}

std::size_t RecipeStrip::placeAt(QPoint global) const {
    std::size_t at = 0;
    while (at + 1 < m_chips.size() &&
           global.x() > m_chips[at].whole->mapToGlobal(QPoint(m_chips[at].whole->width(), 0)).x())
        ++at;
    return at;
}

void RecipeStrip::focusStep(std::size_t step) {
    m_chips[step].name->setFocus(Qt::OtherFocusReason);
    m_area->ensureWidgetVisible(m_chips[step].whole, 0, 0);
}

}  // namespace warplens::gui
