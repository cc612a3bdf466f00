// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/lessons/lesson_model.hpp"
#include "gui/picture/page.hpp"

#include <vector>

class QLabel;
class QMenu;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace warplens::gui {

class AnswerButton;
class LessonChart;
class LessonSources;
class LessonSteps;
class WhyText;

/// Lessons, in projector size and for the keyboard alone: 1 to 5 answer, Enter goes on, Backspace goes back, Page Up
/// and Page Down change the lesson, L lists all of them by chapter, Esc leaves.
class LessonsPage : public Page {
    Q_OBJECT
public:
    explicit LessonsPage(RequestState& request, InputFiles& inputs, RunControl& control, Activity& activity,
                         QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("lessons"); }
    QString title() const override { return tr("Lessons"); }
    bool takes(const gpu::Family&) const override { return true; }
    bool followsFamily() const override { return true; }
    Docks docks() const override { return {.results = false, .source = false, .task = false}; }
    Primary primary() const override;
    void runPrimary() override;
    ViewState* currentView() const override { return nullptr; }
    QString viewText() const override;
    bool settled() const override { return !m_model.busy(); }
    void restore(const QSettings& settings) override { m_model.restore(settings); }
    void save(QSettings& settings) const override { m_model.save(settings); }
    LessonModel& model() { return m_model; }

signals:
    /// The exercise of that name is to be done.
    void exerciseRequested(const QString& name);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QWidget* makeHead();
    /// All lessons, a menu a chapter.
    void showList();
    QPushButton* makeVote(QWidget* head);
    void openExercise();
    QWidget* makeWords();
    QWidget* makeFoot();
    QWidget* makeAsking();
    /// The question stands beside the text until it is answered, then below the title, beside the chart.
    void place(bool beside);
    void refresh();
    void refreshAnswers();
    /// What the technical words of the lesson mean: below the question as long as there is no chart, then below all
    /// else.
    void refreshGlossary();
    /// Says by which keys to scroll, as long as there is more than is seen.
    void refreshMore();

    LessonModel m_model;
    QLabel *m_chapter, *m_title, *m_text, *m_question, *m_hint, *m_glossary, *m_glossaryBeside, *m_more, *m_key;
    QPushButton* m_list;  ///< says which lesson it is
    QMenu *m_menu, *m_votes = nullptr;
    LessonSources* m_sources;
    LessonSteps* m_steps;
    QVBoxLayout *m_answerColumn = nullptr, *m_left = nullptr, *m_right = nullptr;
    QWidget* m_asking = nullptr;
    std::vector<AnswerButton*> m_answers;
    WhyText* m_explanation;
    LessonChart* m_chart;
    QPushButton *m_next, *m_exercise = nullptr, *m_vote = nullptr;
    QScrollArea *m_scroll = nullptr, *m_beside = nullptr;
    LessonModel::Step m_shown = LessonModel::Step::predict;
    const gpu::Lesson* m_glossaryOf = nullptr;
    int m_progress = 0;  ///< percent
};

}  // namespace warplens::gui
