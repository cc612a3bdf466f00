// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_panel.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/source_view.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/session/kernel_source.hpp"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTextCursor>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

constexpr int kRoomyWidth = 1400;  ///< from which the source stands beside the memory
constexpr int kMostSpeed = 30;

QString words(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

FilmPanel::FilmPanel(QWidget* parent)
    : QWidget(parent),
      m_view(new ViewState(this)),
      m_one(m_first, m_clock, *m_view, false, this),
      m_other(m_second, m_clock, *m_view, true, this),
      m_where(made(new QLabel(this), {.id = "film-where"})),
      m_source(new SourceView(this)),
      m_columns(makeSplitter(Qt::Horizontal, this)),
      m_export(m_clock, this) {
    setLook(this, "dock");
    setFocusPolicy(Qt::StrongFocus);
    m_source->setObjectName(QStringLiteral("film-code"));
    auto *pictures = new QWidget(m_columns), *memories = new QWidget(m_columns);
    makeColumn(pictures, {}, 1, {{m_one.pictureBox(), 1}, {m_other.pictureBox(), 1}});
    makeColumn(memories, {}, 1, {{m_one.memory(), 1}, {m_other.memory(), 1}});
    for (QWidget* column : {pictures, memories, static_cast<QWidget*>(m_source)}) m_columns->addWidget(column);
    for (int i = 0; i < 3; ++i) m_columns->setStretchFactor(i, i == 0 ? 36 : 32);
    for (QWidget* one : {m_other.pictureBox(), m_other.memory(), m_other.lanes()}) one->hide();
    makeColumn(this, {}, 0, {{m_columns, 1}, makeTransport(), m_one.lanes(), m_other.lanes()});
    for (FilmModel* model : {&m_first, &m_second}) connect(model, &FilmModel::filmChanged, this, &FilmPanel::layOut);
    connect(&m_clock, &FilmClock::changed, this, [this] {
        refreshWhere();
        refreshSource();
    });
    connect(&m_clock, &FilmClock::playingChanged, this,
            [this] { m_play->setText(m_clock.playing() ? tr("Pause") : tr("Play")); });
    const auto pick = [this](int x, int y, int z) {
        for (FilmModel* model : {&m_first, &m_second})
            if (model == &m_first || m_clock.both()) model->pick(x, y, z);
    };
    for (FilmSide* side : {&m_one, &m_other}) connect(side, &FilmSide::blockWanted, this, pick);
    connect(m_source->editor(), &QTextEdit::cursorPositionChanged, this, [this] {
        if (m_source->editor()->hasFocus())
            m_clock.leading().goToLine(m_source->editor()->textCursor().blockNumber() + 1);
    });
    after(this, {QEvent::Show}, [this] { m_one.zoomToBlock(); });
}

QWidget* FilmPanel::makeTransport() {
    auto* strip = new QWidget(this);
    auto* row = stripRow(strip, kHeaderHeight);
    const auto button = [&](const char* id, const QString& text, const QString& name, std::function<void()> does) {
        auto* one = made(new QPushButton(text, strip), {.id = id, .name = name, .tip = name, .does = std::move(does)});
        one->setFocusPolicy(Qt::NoFocus);
        row->addWidget(one);
        return one;
    };
    button("film-first", QStringLiteral("|◂"), tr("The first step (Home)"), [this] { m_clock.goTo(0); });
    button("film-back", QStringLiteral("◂"), tr("The step before (Left; with Shift the phase before)"),
           [this] { m_clock.goTo(m_clock.at() - 1); });
    m_play = button("film-play", tr("Play"), tr("Plays the film, or holds it (Space)"),
                    [this] { m_clock.setPlaying(!m_clock.playing()); });
    button("film-next", QStringLiteral("▸"), tr("The next step (Right; with Shift the next phase)"),
           [this] { m_clock.goTo(m_clock.at() + 1); });
    button("film-last", QStringLiteral("▸|"), tr("The last step (End)"),
           [this] { m_clock.goTo(m_clock.moments() - 1); });
    m_where->setMinimumWidth(1);
    fill(row, {spacer(kGap), {m_where, 1}});
    makeChoices(strip, row);
    auto* speed = made(new QSlider(Qt::Horizontal, strip), {.id = "film-speed", .name = tr("Speed, steps per second")});
    speed->setRange(1, kMostSpeed);
    speed->setFixedWidth(Length(72));
    m_speed = new QLabel(strip);
    connect(speed, &QSlider::valueChanged, this, [this, speed](int value) {
        m_clock.setSpeed(value);
        m_speed->setText(tr("%1 steps per second").arg(value));
        speed->setToolTip(m_speed->text());
    });
    speed->setValue(4);
    fill(row, {speed, m_speed});
    m_save = made(new QPushButton(tr("Save"), strip),
                  {.id = "film-save", .tip = tr("The film as an animated PNG, or a PNG per step.")});
    m_save->setFocusPolicy(Qt::NoFocus);
    auto* menu = new QMenu(m_save);
    menu->addAction(tr("&Animated PNG..."), this, [this] { saveFilm(false); });
    menu->addAction(tr("A &PNG per step..."), this, [this] { saveFilm(true); });
    m_save->setMenu(menu);
    connect(&m_export, &FilmExport::told, m_where, &QLabel::setText);
    row->addWidget(m_save);
    return strip;
}

void FilmPanel::makeChoices(QWidget* strip, QBoxLayout* row) {
    m_kernel = made(new QComboBox(strip),
                    {.id = "film-kernel", .name = tr("Kernel"), .tip = tr("Which of its kernels."), .letters = 12});
    connect(m_kernel, &QComboBox::activated, this, &FilmPanel::chooseLaunch);
    m_launch = made(new QSpinBox(strip), {.id = "film-launch",
                                          .name = tr("Launch"),
                                          .tip = tr("Which launch of this kernel; those before it "
                                                    "are run.")});
    m_launch->setPrefix(tr("launch "));
    m_launch->setKeyboardTracking(false);
    connect(m_launch, &QSpinBox::valueChanged, this, &FilmPanel::chooseLaunch);
    m_both =
        made(new QPushButton(tr("Two"), strip), {.id = "film-both",
                                                 .name = tr("Two variants"),
                                                 .tip = tr("A second variant below, on the same axis of time (2)."),
                                                 .checkable = true});
    connect(m_both, &QPushButton::toggled, this, &FilmPanel::setBoth);
    m_others = made(new QComboBox(strip), {.id = "film-others",
                                           .name = tr("Second variant"),
                                           .tip = tr("The variant that is filmed below."),
                                           .letters = 12});
    connect(m_others, &QComboBox::activated, this, &FilmPanel::refreshSecond);
    m_sourceButton =
        made(new QPushButton(tr("Source"), strip),
             {.id = "film-source", .tip = tr("The source in place of the shared memory."), .checkable = true});
    connect(m_sourceButton, &QPushButton::toggled, this, &FilmPanel::layOut);
    for (QPushButton* one : {m_both, m_sourceButton}) one->setFocusPolicy(Qt::NoFocus);
    for (QWidget* choice : std::initializer_list<QWidget*>{m_kernel, m_launch, m_others}) choice->hide();
    for (QWidget* choice : std::initializer_list<QWidget*>{m_kernel, m_launch, m_both, m_others, m_sourceButton})
        row->addWidget(choice);
}

void FilmPanel::setTask(const Task& task, const std::vector<Kernel>& kernels) {
    m_task = task;
    setKernels(kernels);
    m_one.setTask(task.request, task.variant, task.footprint, task.why);
    if (m_clock.both()) refreshSecond();
    refreshSource();
}

void FilmPanel::setOthers(const std::vector<const gpu::Variant*>& others, const std::string& suggested, TaskOf taskOf) {
    m_taskOf = std::move(taskOf);
    const QSignalBlocker quiet(m_others);
    const QString chosen = m_others->currentData().toString();
    m_others->clear();
    for (const gpu::Variant* variant : others) m_others->addItem(words(variant->id), words(variant->id));
    const int before = m_others->findData(chosen);
    m_others->setCurrentIndex(std::max(0, before >= 0 ? before : m_others->findData(words(suggested))));
    m_both->setEnabled(m_others->count() > 0);
    if (m_clock.both()) refreshSecond();
}

void FilmPanel::setDisplay(const DisplayRange& range, ColourMap map) {
    m_view->setRange(range);
    m_view->setColourMap(map);
    m_one.setRange(range);
    m_other.setRange(range);
}

void FilmPanel::setBoth(bool both) {
    const QSignalBlocker quiet(m_both);
    m_both->setChecked(both);
    m_others->setVisible(both);
    m_clock.setBoth(both);
    m_one.setDense(both);
    m_other.setDense(both);
    m_one.lanes()->updateGeometry();
    for (QWidget* one : {m_other.pictureBox(), m_other.lanes()}) one->setVisible(both);
    if (both) refreshSecond();
    layOut();
    QTimer::singleShot(0, this, [this] { m_one.zoomToBlock(); });
}

void FilmPanel::refreshSecond() {
    if (!m_taskOf || m_others->currentIndex() < 0) return;
    m_beside = m_taskOf(m_others->currentData().toString().toStdString());
    m_other.setTask(m_beside.request, m_beside.variant, m_beside.footprint, m_beside.why);
    // The block of the same place, as far as it has one.
    if (const auto at = m_one.blockPixel()) m_second.pick(at->x(), at->y(), m_view->slice());
}

void FilmPanel::setKernels(const std::vector<Kernel>& kernels) {
    if (std::exchange(m_kernels, kernels) == kernels) return;
    const QSignalBlocker quiet(m_kernel);
    m_kernel->clear();
    for (const Kernel& kernel : m_kernels) m_kernel->addItem(words(kernel.name));
    m_kernel->setVisible(m_kernels.size() > 1);
    chooseLaunch();
}

void FilmPanel::chooseLaunch() {
    const int index = m_kernel->currentIndex();
    const Kernel kernel = index < 0 ? Kernel() : m_kernels[static_cast<std::size_t>(index)];
    const QSignalBlocker quiet(m_launch);
    m_launch->setRange(1, std::max(1, kernel.launches));
    m_launch->setVisible(kernel.launches > 1);
    m_launch->setSuffix(tr(" of %1").arg(kernel.launches));
    m_first.setLaunch(kernel.name, m_launch->value() - 1);
}

void FilmPanel::refreshWhere() {
    const FilmModel& leads = m_clock.leading();
    const gpu::FilmStep* step = leads.step();
    if (step == nullptr) return m_where->clear();
    const gpu::FilmPhase* phase = leads.phase();
    QString text = tr("Step %1 of %2  %3, warp %4, %5")
                       .arg(format::integer(m_clock.at() + 1), format::integer(m_clock.moments()),
                            QString::fromLatin1(phase == nullptr ? "" : nameOf(phase->kind)))
                       .arg(step->warp)
                       .arg(words(accessOf(leads.film()->siteOf(*step))));
    if (m_clock.both() && m_first.over() != m_second.over())
        text += tr("; %1 is done").arg(words((m_first.over() ? m_first : m_second).variant()->id));
    m_where->setText(text);
    m_where->setToolTip(text);
}

void FilmPanel::refreshSource() {
    const bool second = &m_clock.leading() == &m_second;
    const Task& task = second ? m_beside : m_task;
    if (task.variant == nullptr) return;
    const FilmModel::Place place = m_clock.leading().place();
    const QString text = place.file == task.variant->source ? task.source : sourceOf(place.file);
    if (std::exchange(m_file, place.file) != place.file || m_text != text) {
        m_text = text;
        m_source->setSource(words(place.file).section(u'/', -1), text, task.variant->idea);
    }
    m_source->goToLine(place.line);
}

void FilmPanel::layOut() {
    const bool roomy = width() >= kRoomyWidth * typeScale(), both = m_clock.both();
    const bool keeps = m_one.keeps() || (both && m_other.keeps());
    const bool pictures = m_one.onPicture() || (both && m_other.onPicture());
    const bool all = roomy || !pictures;  // without a picture there is room for both
    const bool source = all || !keeps || m_sourceButton->isChecked();
    const bool memory = keeps && (all || !source);
    m_sourceButton->setVisible(!all && keeps);
    m_speed->setVisible(roomy);
    m_one.memory()->setVisible(memory);
    m_other.memory()->setVisible(memory && both);
    m_one.memory()->parentWidget()->setVisible(memory);
    m_source->setVisible(source);
    const int picture = !pictures ? 26 : roomy ? 36 : 45;
    m_columns->setSizes({width() * picture / 100, width() * (97 - picture) / 200, width() * (97 - picture) / 200});
}

void FilmPanel::saveFilm(bool frames) {
    if (m_clock.moments() == 0 || m_task.variant == nullptr) return;
    openFileDialog(this,
                   {.title = frames ? tr("Save a PNG per step") : tr("Save the film"),
                    .filters = {frames ? tr("PNG, numbered (*.png)") : tr("Animated PNG (*.png)")},
                    .suffix = QStringLiteral("png"),
                    .name = tr("film-%1").arg(words(m_task.variant->id)),
                    .id = "film-export-dialog"},
                   this, [this, frames](const QString& path) {
                       m_export.start(path, frames, {m_columns, m_one.lanes(), m_other.lanes()},
                                      [this] { return m_where->text(); });
                   });
}

void FilmPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

void FilmPanel::keyPressEvent(QKeyEvent* event) {
    const bool phases = event->modifiers() & Qt::ShiftModifier;
    FilmModel& leads = m_clock.leading();
    const int warp = leads.step() == nullptr ? 0 : leads.step()->warp;
    const int column = leads.step() == nullptr ? 0 : leads.columnOf(leads.at());
    switch (event->key()) {
        case Qt::Key_Space: return m_clock.setPlaying(!m_clock.playing());
        case Qt::Key_Left: return phases ? m_clock.goByPhase(-1) : m_clock.goTo(m_clock.at() - 1);
        case Qt::Key_Right: return phases ? m_clock.goByPhase(1) : m_clock.goTo(m_clock.at() + 1);
        case Qt::Key_Up: return leads.chooseWarp(warp - 1, column);
        case Qt::Key_Down: return leads.chooseWarp(warp + 1, column);
        case Qt::Key_Home: return m_clock.goTo(0);
        case Qt::Key_End: return m_clock.goTo(m_clock.moments() - 1);
        case Qt::Key_2: return m_both->toggle();
        case Qt::Key_Escape: return m_export.stop();
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace warplens::gui
