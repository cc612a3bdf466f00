// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QGridLayout;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace warplens::gui {

class ExerciseModel;

/// The exercise beside the text: which one, its story and task, hints one by one, handing in.
class ExercisePanel : public QWidget {
    Q_OBJECT
public:
    explicit ExercisePanel(ExerciseModel& model, QWidget* parent = nullptr);

signals:
    void handInWanted();

private:
    QWidget* makeHead();
    QWidget* makeHandIn();
    void refresh();
    void refreshHints();
    void showSolution();

    ExerciseModel& m_model;
    QToolButton* m_choose = nullptr;
    QLabel *m_title, *m_about, *m_story, *m_task, *m_opened;
    QVBoxLayout* m_hints = nullptr;
    QPushButton *m_open = nullptr, *m_handIn = nullptr, *m_solution = nullptr, *m_giveUp = nullptr;
    int m_shown = -1, m_shownHints = -1;
};

/// The goals of an exercise below the picture: each with its state, at the start and now.
class ExerciseGoals : public QWidget {
    Q_OBJECT
public:
    explicit ExerciseGoals(ExerciseModel& model, QWidget* parent = nullptr);

private:
    void refresh();

    ExerciseModel& m_model;
    QLabel *m_said, *m_reason;
    QWidget* m_list = nullptr;
    QGridLayout* m_rows = nullptr;
};

/// Exercises by chapter in a menu, each with how far one has come; a teacher's folder can be added.
void fillExerciseMenu(QMenu& menu, ExerciseModel& model, QWidget* window);

}  // namespace warplens::gui
