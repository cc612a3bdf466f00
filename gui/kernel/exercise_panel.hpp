// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

class QToolButton;
class QWidget;

namespace warplens::gui {

class ExerciseModel;

/// The exercise beside the text, while there is one: which one, its story and task, hints one by one; `handIn` is
/// called by its button.
QWidget* makeExercisePanel(ExerciseModel& model, std::function<void()> handIn, QWidget* parent);

/// The goals of an exercise below the picture: each with its state, at the start and now.
QWidget* makeExerciseGoals(ExerciseModel& model, QWidget* parent);

/// Gives a button the menu of exercises by chapter, each with how far one has come; a teacher's folder can be added.
void addExerciseMenu(QToolButton* button, ExerciseModel& model);

}  // namespace warplens::gui
