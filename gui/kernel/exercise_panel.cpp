// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/exercise_panel.hpp"

#include "gui/kernel/exercise_model.hpp"
#include "gui/kernel/kernel_text.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QDialog>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <map>

namespace warplens::gui {

namespace {

constexpr Length kSolutionWide{760}, kSolutionHigh{560}, kWide{276};

QString words(const std::string& text) { return QString::fromStdString(text); }

QLabel* label(QWidget* parent, const char* id, const char* look) {
    auto* made = new QLabel(parent);
    setWidgetText(made, {.id = id, .look = look, .wraps = true});
    made->setTextFormat(Qt::PlainText);
    made->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return made;
}

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
}

}  // namespace

void fillExerciseMenu(QMenu& menu, ExerciseModel& model, QWidget* window) {
    menu.clear();
    std::map<std::string, QMenu*> chapters;
    const auto& all = model.all();
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        const gpu::exercise::Exercise& one = all[static_cast<std::size_t>(i)];
        QMenu*& chapter = chapters[one.chapter];
        if (chapter == nullptr) chapter = menu.addMenu(words(one.chapter));
        const ExerciseModel::Progress& done = model.progress(i);
        QString text = QStringLiteral("%1  %2").arg(i + 1).arg(words(one.title));
        if (done.solved)
            text += ExercisePanel::tr("  (all goals)");
        else if (done.reached > 0)
            text += ExercisePanel::tr("  (%1 of %2 goals)").arg(done.reached).arg(one.goals.size());
        QAction* entry = chapter->addAction(text);
        entry->setCheckable(true);
        entry->setChecked(i == model.index());
        QObject::connect(entry, &QAction::triggered, &model, [&model, i] { model.choose(i); });
    }
    menu.addSeparator();
    QObject::connect(menu.addAction(ExercisePanel::tr("Add a folder of exercises...")), &QAction::triggered, &model,
                     [&model, window] {
                         openFileDialog(window,
                                        {.title = ExercisePanel::tr("A folder that holds folders of exercises"),
                                         .id = "exercise-folder-dialog",
                                         .mode = QFileDialog::Directory},
                                        &model, [&model](const QString& folder) { model.addFolder(folder); });
                     });
}

ExercisePanel::ExercisePanel(ExerciseModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_title(label(this, "exercise-title", "title")),
      m_about(label(this, "exercise-about", "hint")),
      m_story(label(this, "exercise-story", "text")),
      m_task(label(this, "exercise-task", "title")),
      m_opened(label(this, "exercise-opened", "caption")) {
    setLook(this, "dock");
    setFixedWidth(kWide);
    after(this, {QEvent::StyleChange}, [this] { setFixedWidth(kWide); });  // projector mode is wider
    auto* inside = made(new QWidget(this), {.look = "dock"});
    m_hints = makeColumn(nullptr, {}, kGap);
    m_open = made(new QPushButton(inside),
                  {.id = "exercise-hint", .tip = tr("The hint stays open and stands in what you hand in (H).")});
    connect(m_open, &QPushButton::clicked, &m_model, &ExerciseModel::openHint);
    makeColumn(inside, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap,
               {m_title, m_about, m_story, m_task, spacer(kGap), m_opened, m_hints, m_open, spacer(kGap), makeHandIn(),
                spring()});
    makeColumn(this, {}, 0, {makeHead(), {makeScroll(inside, this), 1}});
    connect(&m_model, &ExerciseModel::changed, this, &ExercisePanel::refresh);
    refresh();
}

QWidget* ExercisePanel::makeHead() {
    auto* head = made(new QWidget(this), {.look = "strip"});
    m_choose = made(new QToolButton(head), {.id = "exercise-choose", .look = "flat", .tip = tr("All exercises")});
    auto* menu = new QMenu(m_choose);
    m_choose->setMenu(menu);
    m_choose->setPopupMode(QToolButton::InstantPopup);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillExerciseMenu(*menu, m_model, this); });
    auto* leave = made(new QToolButton(head), {.id = "exercise-leave",
                                               .look = "flat",
                                               .tip = tr("Back to writing freely; the exercise keeps its text."),
                                               .text = tr("Leave")});
    connect(leave, &QToolButton::clicked, &m_model, &ExerciseModel::leave);
    fill(stripRow(head, kTitleHeight), {m_choose, spring(), leave});
    return head;
}

QWidget* ExercisePanel::makeHandIn() {
    auto* part = new QWidget(this);
    const auto button = [&](const char* id, const QString& text, const QString& tip) {
        return made(new QPushButton(text, part), {.id = id, .tip = tip});
    };
    m_handIn = button("exercise-hand-in", tr("Hand in..."),
                      tr("Writes one file with your source, its goals, the hints opened and a hash. Nothing is sent."));
    connect(m_handIn, &QPushButton::clicked, this, &ExercisePanel::handInWanted);
    m_solution =
        button("exercise-solution", tr("Solution"), tr("Opens when all goals are reached, or when you gave up."));
    connect(m_solution, &QPushButton::clicked, this, &ExercisePanel::showSolution);
    m_giveUp = button("exercise-give-up", tr("Give up"), tr("Shows the solution; what you hand in says so."));
    connect(m_giveUp, &QPushButton::clicked, this, [this] {
        auto* ask = new QMessageBox(QMessageBox::Question, tr("Give up"),
                                    tr("See the solution now? What you hand in will say so."),
                                    QMessageBox::Yes | QMessageBox::No, this);
        ask->setObjectName(QStringLiteral("exercise-give-up-question"));
        ask->setAttribute(Qt::WA_DeleteOnClose);
        connect(ask, &QMessageBox::accepted, this, [this] {
            m_model.giveUp();
            showSolution();
        });
        ask->open();
    });
    auto* again = button("exercise-again", tr("Begin again"),
                         tr("Takes the kernel as it was handed out; yours stays "
                            "among the versions."));
    connect(again, &QPushButton::clicked, &m_model, &ExerciseModel::beginAgain);
    makeColumn(part, {}, kGap,
               {makeRow(nullptr, {}, kGap, {m_handIn, m_solution, spring()}),
                makeRow(nullptr, {}, kGap, {m_giveUp, again, spring()})});
    return part;
}

void ExercisePanel::refresh() {
    const gpu::exercise::Exercise* one = m_model.exercise();
    setVisible(one != nullptr);
    if (one == nullptr) return;
    m_choose->setText(tr("Exercise %1 of %2").arg(m_model.index() + 1).arg(m_model.all().size()));
    m_title->setText(words(one->title));
    const QString kind = one->kind == gpu::exercise::Kind::write    ? tr("to write")
                         : one->kind == gpu::exercise::Kind::repair ? tr("to repair")
                                                                    : tr("to speed up");
    m_about->setText(QStringLiteral("%1, %2").arg(words(one->chapter), kind));
    m_story->setText(words(one->story));
    m_task->setText(words(one->task));
    refreshHints();
    m_handIn->setEnabled(m_model.now().has_value());
    m_solution->setEnabled(m_model.solutionShown());
    m_giveUp->setEnabled(!m_model.solutionShown());
}

void ExercisePanel::refreshHints() {
    const auto& all = m_model.exercise()->hints;
    const int opened = m_model.progress(m_model.index()).hints, of = static_cast<int>(all.size());
    m_opened->setText(tr("Hints: %1 of %2 opened").arg(opened).arg(of));
    m_open->setVisible(opened < of);
    m_open->setText(tr("Open hint %1").arg(opened + 1));
    if (m_shown == m_model.index() && m_shownHints == opened) return;
    m_shown = m_model.index();
    m_shownHints = opened;
    clear(m_hints);
    for (int i = 0; i < opened; ++i) {
        auto* hint = label(this, "exercise-open-hint", "label");
        hint->setText(QStringLiteral("%1  %2").arg(i + 1).arg(words(all[static_cast<std::size_t>(i)])));
        m_hints->addWidget(hint);
    }
}

void ExercisePanel::showSolution() {
    const gpu::exercise::Exercise* one = m_model.exercise();
    if (one == nullptr || !m_model.solutionShown()) return;
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("exercise-solution-dialog"));
    dialog->setWindowTitle(tr("A solution of %1").arg(words(one->title)));
    dialog->resize(QSize(kSolutionWide, kSolutionHigh).boundedTo(window()->size()));
    auto* text = new KernelText(dialog);
    text->setPlainText(words(one->solution));
    text->setReadOnly(true);
    connect(text, &KernelText::left, dialog, &QDialog::close);
    makeColumn(dialog, {}, 0, {text});
    dialog->open();
}

ExerciseGoals::ExerciseGoals(ExerciseModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_said(label(this, "exercise-reached", "caption")),
      m_reason(label(this, "exercise-reason", "hint")) {
    setLook(this, "dock");
    auto* head = made(new QWidget(this), {.look = "strip"});
    m_said->setWordWrap(false);
    m_said->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    fill(titleRow(head, kTitleHeight, tr("Goals")), {m_said, spring(), new OriginMark(Origin::counted, head)});
    m_list = made(new QWidget(this), {.id = "exercise-goals", .look = "dock"});
    m_rows = new QGridLayout(m_list);
    m_rows->setContentsMargins(kDockMargin, kGap, kDockMargin, kGap);
    m_rows->setHorizontalSpacing(kDockMargin);
    m_rows->setVerticalSpacing(kGap / 2);
    m_rows->setColumnStretch(1, 1);
    makeColumn(this, {}, 0, {head, m_list, m_reason});
    m_reason->setContentsMargins(kDockMargin, 0, kDockMargin, kGap);
    connect(&m_model, &ExerciseModel::changed, this, &ExerciseGoals::refresh);
    refresh();
}

void ExerciseGoals::refresh() {
    const gpu::exercise::Exercise* one = m_model.exercise();
    setVisible(one != nullptr);
    if (one == nullptr) return;
    const auto &before = m_model.before(), &now = m_model.now();
    m_said->setText(now              ? tr("%1 of %2 reached").arg(now->reached()).arg(one->goals.size())
                    : m_model.busy() ? tr("judging")
                                     : tr("judged after each run"));
    // Of the first picture the page itself says it.
    m_reason->setText(now && now->first.status == gpu::Status::ok ? words(now->reason) : QString());
    m_reason->setVisible(!m_reason->text().isEmpty());
    clear(m_rows);
    const auto put = [this](int row, int column, const QString& text, const char* look) {
        auto* cell = label(m_list, "exercise-goal", look);
        cell->setText(text);
        if (column > 1) {
            cell->setWordWrap(false);
            cell->setAlignment(Qt::AlignRight | Qt::AlignTop);
        }
        m_rows->addWidget(cell, row, column);
    };
    put(0, 2, tr("start"), "caption");
    put(0, 3, tr("now"), "caption");
    for (int i = 0; i < static_cast<int>(one->goals.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        auto* mark = new StatusMark(m_list);
        if (now && now->goals[at].judged)
            mark->setState(now->goals[at].reached ? ResultState::verified : ResultState::wrong);
        m_rows->addWidget(mark, i + 1, 0, Qt::AlignTop);
        put(i + 1, 1, words(one->goals[at].text), "text");
        put(i + 1, 2, before ? words(before->goals[at].now) : QString(), "label");
        put(i + 1, 3, now ? words(now->goals[at].now) : QStringLiteral("\u2013"), "title");
    }
}

}  // namespace warplens::gui
