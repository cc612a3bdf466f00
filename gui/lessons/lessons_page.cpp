// SPDX-License-Identifier: Apache-2.0
#include "gui/lessons/lessons_page.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/keys.hpp"
#include "gui/kit/lesson_words.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/lessons/lesson_chart.hpp"
#include "gui/lessons/lesson_widgets.hpp"
#include "gui/picture/why_text.hpp"

#include <QKeyEvent>
#include <numeric>

namespace warplens::gui {

namespace {

constexpr int kTarget = 44, kSide = 24;
constexpr int kWords = 11, kBeside = 12;  ///< shares of the width

QLabel* words(TextSize size, QWidget* parent) {
    auto* label = made(new QLabel(parent), {.wraps = true});
    label->setFont(projectorFont(size));
    label->setTextFormat(Qt::PlainText);
    return label;
}

/// Scrolled by the page's keys.
QScrollArea* scrolling(QWidget* parent) {
    auto* area = makeScroll(nullptr, parent);
    area->setFrameShape(QFrame::NoFrame);
    return area;
}

}  // namespace

LessonsPage::LessonsPage(RequestState& request, InputFiles& inputs, RunControl& control, Activity& activity,
                         QWidget* parent)
    : Page(parent),
      m_model(request, inputs, control),
      m_chapter(words(TextSize::caption, this)),
      m_title(words(TextSize::figure, this)),
      m_text(words(TextSize::body, this)),
      m_question(words(TextSize::title, this)),
      m_hint(words(TextSize::body, this)),
      m_glossary(words(TextSize::caption, this)),
      m_glossaryBeside(words(TextSize::caption, this)),
      m_more(words(TextSize::caption, this)),
      m_key(words(TextSize::body, this)),
      m_list(made(new QPushButton(this),
                  {.id = "lesson-list", .look = "flat", .tip = tr("All lessons (L)"), .does = [this] { showList(); }})),
      m_menu(made(new QMenu(this), {.id = "lesson-menu", .name = tr("All lessons")})),
      m_sources(new LessonSources(this)),
      m_steps(new LessonSteps({tr("Predict"), tr("Run"), tr("Reveal"), tr("Explain"), tr("Try this")}, this)),
      m_explanation(made(new WhyText(this), {.id = "lesson-explanation", .name = tr("Explanation")})),
      m_chart(made(new LessonChart(this), {.id = "lesson-chart"})),
      m_next(made(new QPushButton(this), {.id = "lesson-next", .look = "primary", .does = [this] { runPrimary(); }})) {
    setLook(this, "dock");
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Lesson"));
    setProperty(LastKey::kShownElsewhere, true);
    m_explanation->setProjector(true);
    auto* column = makeColumn(this, {}, 0);
    auto* body = makeRow(nullptr, {}, 0, {{makeWords(), kWords}});
    auto* beside = new QWidget(this);
    m_right = makeColumn(beside, {0, kSide, 0, kGap}, -1, {{m_chart, 1}});
    body->addWidget(beside, kBeside);
    m_asking = makeAsking();
    fill(column, {makeHead(), {body, 1}, makeFoot()});
    for (QScrollArea* area : {m_scroll, m_beside}) {
        connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, this, &LessonsPage::refreshMore);
        connect(area->verticalScrollBar(), &QScrollBar::valueChanged, this, &LessonsPage::refreshMore);
    }
    connect(&m_model, &LessonModel::changed, this, &LessonsPage::refresh);
    connect(&m_model, &LessonModel::changed, this, &Page::primaryChanged);
    connect(&m_model, &LessonModel::progress, this, [this](double fraction, const QString&) {
        m_progress = static_cast<int>(100 * fraction);
        refresh();
    });
    connect(&m_model, &LessonModel::tryWanted, this, [this, &activity](const QString& page) {
        // The text goes along: what is to be done stands beside where it is done.
        activity.instruct(QString::fromStdString(m_model.lesson()->tryThis.text) + ' ' +
                          tr("Ctrl+Z brings your picture back."));
        emit pageRequested(page);
    });
    refresh();
    on(this, {QEvent::Show}, [this] {
        m_model.load();
        setFocus();
    });
}

QWidget* LessonsPage::makeHead() {
    auto* head = made(new QWidget(this), {.look = "strip"});
    head->setFixedHeight(60);
    auto* row = makeRow(head, {kSide, 0, kSide, 0}, kGap);
    m_list->setProperty("projector", true);
    m_list->setFixedHeight(kTarget);
    const auto turn = [&](const char* name, const QString& text, const QString& tip, int by) {
        auto* button =
            made(new QPushButton(text, head), {.id = name, .look = "flat", .name = tip, .tip = tip, .does = [this, by] {
                                                   m_model.select(m_model.index() + by);
                                               }});
        button->setProperty("projector", true);
        button->setFixedSize(kTarget, kTarget);
        return button;
    };
    fill(row, {turn("lesson-before", QStringLiteral("‹"), tr("Lesson before (Page Up)"), -1), m_list,
               turn("lesson-after", QStringLiteral("›"), tr("Next lesson (Page Down)"), 1), spring(), m_steps, spring(),
               makeVote(head)});
    auto* leave =
        made(new QPushButton(tr("Esc: close"), head),
             {.id = "lesson-leave", .look = "flat", .does = [this] { emit pageRequested(QStringLiteral("compare")); }});
    leave->setProperty("projector", true);
    row->addWidget(leave);
    return head;
}

QPushButton* LessonsPage::makeVote(QWidget* head) {
    m_votes = made(new QMenu(this), {.id = "lesson-votes", .name = tr("Vote")});
    QAction* counting = m_votes->addAction(tr("&Count votes by keys (V)"));
    counting->setCheckable(true);
    connect(counting, &QAction::triggered, &m_model, &LessonModel::setVoting);
    m_votes->addAction(tr("Collect &predictions..."), this, [this] {
        openFilesDialog(window(), tr("Predictions of a class"), {tr("Predictions (*.json)")},
                        [this](const QStringList& paths) { m_model.collect(paths); });
    });
    QAction* mine = m_votes->addAction(tr("&Save my prediction..."), this, [this] {
        openFileDialog(window(),
                       {.title = tr("My prediction, for who collects them"),
                        .filters = {tr("Predictions (*.json)")},
                        .suffix = QStringLiteral("json"),
                        .name = QStringLiteral("prediction.json"),
                        .id = "lesson-prediction-dialog"},
                       this, [this](const QString& path) { m_model.savePrediction(path); });
    });
    connect(m_votes, &QMenu::aboutToShow, this, [this, counting, mine] {
        counting->setChecked(m_model.voting());
        mine->setEnabled(m_model.chosen() >= 0);
    });
    m_vote = made(new QPushButton(tr("Vote ▾"), head),
                  {.id = "lesson-vote",
                   .look = "flat",
                   .name = tr("Vote"),
                   .tip = tr("What does a class expect? Votes by keys (V), or from files"),
                   .does = [this] { m_votes->popup(m_vote->mapToGlobal(QPoint(0, m_vote->height()))); }});
    m_vote->setProperty("projector", true);
    return m_vote;
}

void LessonsPage::openExercise() {
    if (m_exercise->isHidden()) return;
    emit pageRequested(QStringLiteral("kernel"));
    emit exerciseRequested(QString::fromStdString(m_model.lesson()->exercise));
}

void LessonsPage::showList() {
    qDeleteAll(m_menu->findChildren<QMenu*>());
    m_menu->clear();
    QAction* present = nullptr;
    std::vector<gpu::LessonChapter> chapters = m_model.chapters();
    chapters.push_back({.title = tr("Lessons of your own").toStdString()});
    for (const gpu::LessonChapter& one : chapters) {
        QMenu* chapter = nullptr;
        int lessons = 0, done = 0;
        for (int i = 0; i < m_model.count(); ++i) {
            const gpu::Lesson& lesson = m_model.all()[static_cast<std::size_t>(i)];
            if (lesson.chapter != one.id) continue;
            if (chapter == nullptr) chapter = m_menu->addMenu(QString());
            ++lessons;
            done += m_model.done(lesson) ? 1 : 0;
            const QString words = m_model.done(lesson) ? tr("%1  %2, done") : tr("%1  %2");
            QAction* action = chapter->addAction(words.arg(i + 1).arg(QString::fromStdString(lesson.title)));
            action->setCheckable(true);
            action->setChecked(i == m_model.index());
            connect(action, &QAction::triggered, this, [this, i] { m_model.select(i); });
            if (i == m_model.index()) present = chapter->menuAction();
        }
        if (chapter == nullptr) continue;
        const QString title = QString::fromStdString(one.title);
        chapter->setTitle(done == 0 ? title : tr("%1, %2 of %3").arg(title).arg(done).arg(lessons));
    }
    m_menu->popup(m_list->mapToGlobal(QPoint(0, m_list->height())));
    m_menu->setActiveAction(present);  // arrows begin at the present lesson's chapter
}

QWidget* LessonsPage::makeWords() {
    m_scroll = scrolling(this);
    auto* side = made(new QWidget(m_scroll), {.look = "dock"});
    auto* column = makeColumn(side, {kSide, kSide, kSide, kGap}, kDockMargin);
    QFont large = projectorFont(TextSize::figure);
    large.setBold(true);
    m_title->setObjectName(QStringLiteral("lesson-title"));
    m_title->setFont(large);
    m_chapter->setObjectName(QStringLiteral("lesson-chapter"));
    setLook(m_chapter, "label");
    fill(column, {m_chapter, m_title, m_text});
    m_left = new QVBoxLayout;
    fill(column, {m_left, m_explanation, spring(), m_glossary});
    m_scroll->setWidget(side);
    return m_scroll;
}

QWidget* LessonsPage::makeAsking() {
    auto* asking = new QWidget(this);
    auto* column = makeColumn(asking, {0, 0, kSide, 0}, kDockMargin, {m_question});
    m_answerColumn = makeColumn(nullptr, {}, kGap);
    setLook(m_hint, "label");
    m_hint->setFont(projectorFont(TextSize::caption));
    fill(column, {m_answerColumn, m_hint});
    m_beside = scrolling(asking);
    m_beside->setMinimumHeight(kTarget);
    setLook(m_glossaryBeside, "label");
    setLook(m_glossary, "label");
    m_glossaryBeside->setObjectName(QStringLiteral("lesson-words"));
    for (QLabel* glossary : {m_glossary, m_glossaryBeside}) {
        glossary->setFont(projectorFont(TextSize::caption));
        glossary->setTextFormat(Qt::RichText);
        glossary->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    m_beside->setWidget(m_glossaryBeside);
    column->addWidget(m_beside, 1);
    return asking;
}

void LessonsPage::place(bool beside) {
    // Never both above each other, which would not fit the smallest window.
    if (beside) m_chart->hide();
    m_beside->setVisible(beside);
    m_glossary->setVisible(!beside);
    QVBoxLayout* to = beside ? m_right : m_left;
    if (to->indexOf(m_asking) < 0) to->addWidget(m_asking, beside ? 1 : 0);
    m_chart->setVisible(!beside);
    refreshMore();
}

QWidget* LessonsPage::makeFoot() {
    auto* foot = made(new QWidget(this), {.look = "strip"});
    foot->setFixedHeight(64);
    auto* row = makeRow(foot, {kSide, 0, kSide, 0}, kDockMargin);
    m_sources->setObjectName(QStringLiteral("lesson-sources"));
    m_next->setProperty("projector", true);
    m_next->setMinimumWidth(200);
    m_key->setWordWrap(false);
    row->addWidget(m_sources, 1);
    setWidgetText(m_more, {.id = "lesson-more", .look = "label", .name = tr("There is more text; Down and Up scroll")});
    m_more->setFont(projectorFont(TextSize::caption));
    m_more->setWordWrap(false);
    m_more->setText(tr("scroll: ↓ ↑"));
    m_exercise = made(new QPushButton(foot), {.id = "lesson-exercise", .does = [this] { openExercise(); }});
    m_exercise->setProperty("projector", true);
    fill(row, {m_more, m_key, m_exercise, m_next});
    return foot;
}

Page::Primary LessonsPage::primary() const {
    const QString tip = tr("Goes on with the lesson.");
    const bool ready = m_model.lesson() != nullptr && !m_model.busy();
    switch (m_model.step()) {
        case LessonModel::Step::predict:
            return {tr("Run   Enter"), tr("Counts what the lesson is about; choose an answer first."),
                    ready && (m_model.chosen() >= 0 || m_model.voting()), false};
        case LessonModel::Step::run:
            return {m_model.busy() ? tr("Counting") : tr("Run again   Enter"), tip, ready, false};
        case LessonModel::Step::reveal: return {tr("Explain   Enter"), tip, true, false};
        case LessonModel::Step::explain: return {tr("Try this   Enter"), tip, true, false};
        case LessonModel::Step::tryThis:
            return {tr("Open it   Enter"), tr("Opens the task on the page that the text speaks of."), true, false};
    }
    return {};
}

void LessonsPage::runPrimary() {
    m_model.goOn();
    setFocus();
}

QString LessonsPage::viewText() const {
    return m_model.lesson() == nullptr ? QString() : QString::fromStdString(m_model.lesson()->title);
}

bool LessonsPage::event(QEvent* event) {
    // Other pages' menus have these keys too.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool number = key->key() >= Qt::Key_1 && key->key() <= Qt::Key_9;
        if (!(key->modifiers() & ~Qt::KeypadModifier) &&
            (number || key->key() == Qt::Key_L || key->key() == Qt::Key_V || key->key() == Qt::Key_E ||
             key->key() == Qt::Key_Escape)) {
            event->accept();
            return true;
        }
    }
    return Page::event(event);
}

void LessonsPage::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & ~Qt::KeypadModifier) return Page::keyPressEvent(event);
    const int key = event->key();
    // The key that goes on is Enter wherever it is named.
    m_key->setText(
        tr("last key %1")
            .arg(key == Qt::Key_Return ? tr("Enter") : QKeySequence(key).toString(QKeySequence::NativeText)));
    if (key >= Qt::Key_1 && key <= Qt::Key_5) return m_model.choose(key - Qt::Key_1);
    switch (key) {
        case Qt::Key_Return:
        case Qt::Key_Enter: return runPrimary();
        case Qt::Key_Backspace: return m_model.voting() ? m_model.takeVoteBack() : m_model.goBack();
        case Qt::Key_Down:
        case Qt::Key_Up:
            for (QScrollArea* area : {m_scroll, m_beside})
                area->verticalScrollBar()->triggerAction(key == Qt::Key_Down ? QScrollBar::SliderSingleStepAdd
                                                                             : QScrollBar::SliderSingleStepSub);
            return;
        case Qt::Key_PageDown: return m_model.select(m_model.index() + 1);
        case Qt::Key_PageUp: return m_model.select(m_model.index() - 1);
        case Qt::Key_L: return showList();
        case Qt::Key_V: return m_model.setVoting(!m_model.voting());
        case Qt::Key_E: return openExercise();
        case Qt::Key_Escape:
            return m_model.busy() ? m_model.select(m_model.index()) : emit pageRequested(QStringLiteral("compare"));
        default: Page::keyPressEvent(event);
    }
}

void LessonsPage::refreshAnswers() {
    const gpu::Lesson* lesson = m_model.lesson();
    const std::size_t count = lesson == nullptr ? 0 : lesson->answers.size();
    while (m_answers.size() < count) {
        const int number = static_cast<int>(m_answers.size());
        auto* button = made(new AnswerButton(m_asking), {.id = QStringLiteral("lesson-answer-%1").arg(number + 1)});
        connect(button, &QPushButton::clicked, this, [this, number] {
            m_model.choose(number);
            refresh();
        });
        m_answerColumn->addWidget(button);
        m_answers.push_back(button);
    }
    const auto step = m_model.step();
    const std::vector<int>& votes = m_model.votes();
    const int asked = std::accumulate(votes.begin(), votes.end(), 0);
    const bool words =
        step == LessonModel::Step::predict || step == LessonModel::Step::run || step == LessonModel::Step::reveal;
    for (std::size_t i = 0; i < m_answers.size(); ++i) {
        AnswerButton* button = m_answers[i];
        const int number = static_cast<int>(i);
        button->setVisible(words && i < count);
        if (i >= count) continue;
        button->setAnswer(number + 1, QString::fromStdString(lesson->answers[i].text), number == m_model.chosen(),
                          number == m_model.right());
        button->setVotes(i < votes.size() ? votes[i] : 0, asked);
        button->setChecked(number == (m_model.right() >= 0 ? m_model.right() : m_model.chosen()));
    }
}

void LessonsPage::refreshGlossary() {
    const gpu::Lesson* lesson = m_model.lesson();
    if (m_glossaryOf == lesson) return;
    m_glossaryOf = lesson;
    QString text;
    if (lesson != nullptr)
        for (const LessonWord& word : wordsOf(*lesson))
            text += QStringLiteral("<p style='margin:0 0 4px'><b>%1</b>: %2.</p>")
                        .arg(word.word.toHtmlEscaped(), word.meaning.toHtmlEscaped());
    for (QLabel* glossary : {m_glossary, m_glossaryBeside}) glossary->setText(text);
}

void LessonsPage::refreshMore() {
    const auto more = [](const QScrollArea* area) {
        return !area->isHidden() && area->verticalScrollBar()->maximum() > 0;
    };
    m_more->setVisible(more(m_scroll) || more(m_beside));
}

void LessonsPage::refresh() {
    const gpu::Lesson* lesson = m_model.lesson();
    QString which =
        lesson == nullptr ? tr("no lesson") : tr("Lesson %1 of %2").arg(m_model.index() + 1).arg(m_model.count());
    if (const auto [right, of] = m_model.score(); of > 0) which += tr(", %1 of %2 right").arg(right).arg(of);
    m_list->setText(which + QStringLiteral(" ▾"));
    m_list->setAccessibleName(tr("%1, all lessons").arg(which));
    m_steps->setCurrent(static_cast<int>(m_model.step()));
    m_title->setText(lesson == nullptr ? QString() : QString::fromStdString(lesson->title));
    m_chapter->setText(lesson == nullptr ? QString() : m_model.chapterOf(*lesson));
    const auto step = m_model.step();
    if (m_shown != step) {
        m_shown = step;
        for (QScrollArea* area : {m_scroll, m_beside}) area->verticalScrollBar()->setValue(0);
    }
    const bool asking = step == LessonModel::Step::predict || step == LessonModel::Step::run;
    m_text->setVisible(asking && lesson != nullptr);
    m_question->setVisible(lesson != nullptr && step != LessonModel::Step::explain);
    m_hint->setVisible(asking);
    m_asking->setVisible(step != LessonModel::Step::explain);
    place(asking);
    m_explanation->setVisible(step == LessonModel::Step::explain);
    refreshAnswers();
    m_vote->setEnabled(step == LessonModel::Step::predict);
    const QString exercise = step == LessonModel::Step::tryThis ? m_model.exerciseTitle() : QString();
    m_exercise->setVisible(!exercise.isEmpty());
    m_exercise->setText(tr("Exercise: %1   E").arg(exercise));
    m_next->setText(primary().text);
    m_next->setAccessibleName(primary().text.simplified());
    m_next->setEnabled(lesson != nullptr && primary().enabled);
    if (m_model.problem().isEmpty())
        m_sources->setSources(m_model.recordedFrom(), m_model.countedFrom());
    else
        m_sources->setProblem(m_model.problem());
    emit viewChanged();
    refreshGlossary();
    if (lesson == nullptr) return m_hint->setText(m_model.problem());
    QStringList paragraphs;
    for (const std::string& paragraph : lesson->text) paragraphs << QString::fromStdString(paragraph);
    m_text->setText(paragraphs.join(QStringLiteral("\n\n")));
    m_question->setText(
        QString::fromStdString(step == LessonModel::Step::tryThis ? lesson->tryThis.text : lesson->question));
    if (step == LessonModel::Step::explain) m_explanation->setSentences(m_model.explanation(), {});
    if (!m_model.values().empty()) m_chart->setValues(*lesson, m_model.values());
    m_hint->setText(
        m_model.busy()         ? tr("counting, %1 %").arg(m_progress)
        : m_model.voting()     ? tr("Votes: the number of an answer adds one, Backspace takes the last back, V ends.")
        : m_model.chosen() < 0 ? tr("What do you expect? Press the number of an answer, then Enter.")
                               : tr("Enter counts it on this computer and shows what was recorded on a GPU."));
}

}  // namespace warplens::gui
