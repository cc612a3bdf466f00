// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/exercise_panel.hpp"

#include "gui/kernel/exercise_model.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/source_view.hpp"

#include <QMessageBox>
#include <algorithm>
#include <map>
#include <utility>

namespace warplens::gui {

namespace {

using gpu::exercise::Exercise;

constexpr Length kWide{276};

QString words(const std::string& text) { return QString::fromStdString(text); }

QLabel* label(QWidget* parent, const char* id, const char* look, const QString& text = {}) {
    auto* label = made(new QLabel(text, parent), {.id = id, .look = look, .wraps = true});
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

class ExercisePanel : public QWidget {
public:
    ExercisePanel(ExerciseModel& model, std::function<void()> handIn, QWidget* parent)
        : QWidget(parent), m_model(model) {
        setLook(this, "dock");
        setFixedWidth(kWide);
        after(this, {QEvent::StyleChange}, [this] { setFixedWidth(kWide); });  // projector mode is wider
        addExerciseMenu(m_choose, model);
        auto* head = made(new QWidget(this), {.look = "strip"});
        auto* leave = made(new QToolButton(head), {.id = "exercise-leave",
                                                   .look = "flat",
                                                   .tip = tr("Back to writing freely; the exercise keeps its text."),
                                                   .text = tr("Leave"),
                                                   .does = [&model] { model.leave(); }});
        fill(stripRow(head, kTitleHeight), {m_choose, spring(), leave});
        auto* inside = made(new QWidget(this), {.look = "dock"});
        const auto button = [&](const char* id, const QString& text, const QString& tip, std::function<void()> does) {
            return made(new QPushButton(text, inside), {.id = id, .tip = tip, .does = std::move(does)});
        };
        m_open = button("exercise-hint", {}, tr("The hint stays open and stands in what you hand in (H)."),
                        [&model] { model.openHint(); });
        m_handIn = button("exercise-hand-in", tr("Hand in..."),
                          tr("Writes one file with your source, its goals, the hints opened and a hash. "
                             "Nothing is sent."),
                          std::move(handIn));
        m_solution = button("exercise-solution", tr("Solution"),
                            tr("Opens when all goals are reached, or when you gave up."), [this] { showSolution(); });
        m_giveUp = button("exercise-give-up", tr("Give up"), tr("Shows the solution; what you hand in says so."),
                          [this] { askToGiveUp(); });
        auto* again = button("exercise-again", tr("Begin again"),
                             tr("Takes the kernel as it was handed out; yours stays among the versions."),
                             [&model] { model.beginAgain(); });
        makeColumn(inside, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap,
                   {m_title, m_about, m_story, m_task, spacer(kGap), m_opened, m_hints, m_open, spacer(kGap),
                    makeRow(nullptr, {}, kGap, {m_handIn, m_solution, spring()}),
                    makeRow(nullptr, {}, kGap, {m_giveUp, again, spring()}), spring()});
        makeColumn(this, {}, 0, {head, {makeScroll(inside, this), 1}});
        connect(&model, &ExerciseModel::changed, this, [this] { refresh(); });
        refresh();
    }

private:
    void askToGiveUp() {
        auto* ask = made(new QMessageBox(QMessageBox::Question, tr("Give up"),
                                         tr("See the solution now? What you hand in will say so."),
                                         QMessageBox::Yes | QMessageBox::No, this),
                         {.id = "exercise-give-up-question"});
        ask->setAttribute(Qt::WA_DeleteOnClose);
        connect(ask, &QMessageBox::accepted, this, [this] {
            m_model.giveUp();
            showSolution();
        });
        ask->open();
    }

    void showSolution() {
        const Exercise* one = m_model.exercise();
        if (one != nullptr && m_model.solutionShown())
            openSource(this, QStringLiteral("exercise-solution-dialog"), tr("A solution of %1").arg(words(one->title)),
                       words(one->solution));
    }

    void refresh() {
        const Exercise* one = m_model.exercise();
        setVisible(one != nullptr);
        if (one == nullptr) return;
        m_choose->setText(tr("Exercise %1 of %2").arg(m_model.index() + 1).arg(m_model.all().size()));
        m_title->setText(words(one->title));
        using gpu::exercise::Kind;
        m_about->setText(QStringLiteral("%1, %2").arg(words(one->chapter), one->kind == Kind::write ? tr("to write")
                                                                           : one->kind == Kind::repair
                                                                               ? tr("to repair")
                                                                               : tr("to speed up")));
        m_story->setText(words(one->story));
        m_task->setText(words(one->task));
        const int opened = m_model.progress(m_model.index()).hints, of = static_cast<int>(one->hints.size());
        m_opened->setText(tr("Hints: %1 of %2 opened").arg(opened).arg(of));
        m_open->setVisible(opened < of);
        m_open->setText(tr("Open hint %1").arg(opened + 1));
        for (int i = 0; i < std::max(opened, m_hints->count()); ++i) {
            if (i == m_hints->count()) m_hints->addWidget(label(this, "exercise-open-hint", "label"));
            auto* hint = static_cast<QLabel*>(m_hints->itemAt(i)->widget());
            hint->setVisible(i < opened);
            if (i < opened)
                hint->setText(QStringLiteral("%1  %2").arg(i + 1).arg(words(one->hints[static_cast<std::size_t>(i)])));
        }
        m_handIn->setEnabled(m_model.now().has_value());
        m_solution->setEnabled(m_model.solutionShown());
        m_giveUp->setEnabled(!m_model.solutionShown());
    }

    ExerciseModel& m_model;
    QLabel *m_title = label(this, "exercise-title", "title"), *m_about = label(this, "exercise-about", "hint"),
           *m_story = label(this, "exercise-story", "text"), *m_task = label(this, "exercise-task", "title"),
           *m_opened = label(this, "exercise-opened", "caption");
    QToolButton* m_choose =
        made(new QToolButton(this), {.id = "exercise-choose", .look = "flat", .tip = tr("All exercises")});
    QVBoxLayout* m_hints = makeColumn(nullptr, {}, kGap);
    QPushButton *m_open, *m_handIn, *m_solution, *m_giveUp;
};

class ExerciseGoals : public QWidget {
public:
    ExerciseGoals(ExerciseModel& model, QWidget* parent) : QWidget(parent), m_model(model) {
        setLook(this, "dock");
        auto* head = made(new QWidget(this), {.look = "strip"});
        m_said->setWordWrap(false);
        m_said->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        fill(titleRow(head, kTitleHeight, tr("Goals")), {m_said, spring(), new OriginMark(Origin::counted, head)});
        m_rows->setContentsMargins(kDockMargin, kGap, kDockMargin, kGap);
        m_rows->setHorizontalSpacing(kDockMargin);
        m_rows->setVerticalSpacing(kGap / 2);
        m_rows->setColumnStretch(1, 1);
        makeColumn(this, {}, 0, {head, m_list});
        connect(&model, &ExerciseModel::changed, this, [this] { refresh(); });
        refresh();
    }

private:
    void put(int row, int column, const QString& text, const char* look) {
        auto* cell = label(m_list, "exercise-goal", look, text);
        if (column > 1) {
            cell->setWordWrap(false);
            cell->setAlignment(Qt::AlignRight | Qt::AlignTop);
        }
        m_rows->addWidget(cell, row, column);
    }

    void refresh() {
        const Exercise* one = m_model.exercise();
        setVisible(one != nullptr);
        if (one == nullptr) return;
        const auto &before = m_model.before(), &now = m_model.now();
        m_said->setText(now              ? tr("%1 of %2 reached").arg(now->reached()).arg(one->goals.size())
                        : m_model.busy() ? tr("judging")
                                         : tr("judged after each run"));
        while (QLayoutItem* item = m_rows->takeAt(0)) {
            item->widget()->deleteLater();
            delete item;
        }
        put(0, 2, tr("start"), "caption");
        put(0, 3, tr("now"), "caption");
        for (std::size_t at = 0; at < one->goals.size(); ++at) {
            const int row = static_cast<int>(at) + 1;
            auto* mark = new StatusMark(m_list);
            if (now && now->goals[at].judged)
                mark->setState(now->goals[at].reached ? ResultState::verified : ResultState::wrong);
            m_rows->addWidget(mark, row, 0, Qt::AlignTop);
            put(row, 1, words(one->goals[at].text), "text");
            put(row, 2, before ? words(before->goals[at].now) : QString(), "label");
            put(row, 3, now ? words(now->goals[at].now) : QStringLiteral("\u2013"), "title");
        }
    }

    ExerciseModel& m_model;
    QLabel* m_said = label(this, "exercise-reached", "caption");
    QWidget* m_list = made(new QWidget(this), {.id = "exercise-goals", .look = "dock"});
    QGridLayout* m_rows = new QGridLayout(m_list);
};

void fillMenu(QMenu& menu, ExerciseModel& model) {
    menu.clear();
    std::map<std::string, QMenu*> chapters;
    for (int i = 0; i < static_cast<int>(model.all().size()); ++i) {
        const Exercise& one = model.all()[static_cast<std::size_t>(i)];
        QMenu*& chapter = chapters[one.chapter];
        if (chapter == nullptr) chapter = menu.addMenu(words(one.chapter));
        const ExerciseModel::Progress& done = model.progress(i);
        QString text = QStringLiteral("%1  %2").arg(i + 1).arg(words(one.title));
        if (done.solved)
            text += ExerciseModel::tr("  (all goals)");
        else if (done.reached > 0)
            text += ExerciseModel::tr("  (%1 of %2 goals)").arg(done.reached).arg(one.goals.size());
        QAction* entry = chapter->addAction(text, &model, [&model, i] { model.choose(i); });
        entry->setCheckable(true);
        entry->setChecked(i == model.index());
    }
    menu.addSeparator();
    menu.addAction(ExerciseModel::tr("Add a folder of exercises..."), &model, [&model, window = menu.parentWidget()] {
        openFileDialog(window,
                       {.title = ExerciseModel::tr("An exercise, or a folder of some"),
                        .id = "exercise-folder-dialog",
                        .mode = QFileDialog::Directory},
                       &model, [&model](const QString& folder) { model.addFolder(folder); });
    });
}

}  // namespace

QWidget* makeExercisePanel(ExerciseModel& model, std::function<void()> handIn, QWidget* parent) {
    return new ExercisePanel(model, std::move(handIn), parent);
}

QWidget* makeExerciseGoals(ExerciseModel& model, QWidget* parent) { return new ExerciseGoals(model, parent); }

void addExerciseMenu(QToolButton* button, ExerciseModel& model) {
    auto* menu = new QMenu(button);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    QObject::connect(menu, &QMenu::aboutToShow, &model, [menu, &model] { fillMenu(*menu, model); });
}

}  // namespace warplens::gui
