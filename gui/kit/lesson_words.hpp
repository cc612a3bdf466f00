// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/lesson.hpp"

#include <QString>
#include <vector>

namespace warplens::gui {

/// A technical word and what it means, for someone who knows C but no GPU.
struct LessonWord {
    QString word, meaning;
};

/// Every technical word there is an entry for, from A to Z.
std::vector<LessonWord> allWords();

/// The technical words of a text, in the order in which they appear.
std::vector<LessonWord> wordsOf(const QString& text);

/// The technical words of a lesson's texts, question, answers and explanation, in the order in which they appear.
std::vector<LessonWord> wordsOf(const gpu::Lesson& lesson);

}  // namespace warplens::gui
