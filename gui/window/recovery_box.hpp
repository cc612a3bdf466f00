// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <functional>
#include <vector>

class QDialog;
class QWidget;

namespace warplens::gui {

class SessionKeeper;

/// A question in a window of its own, and its answers: the first is the one that Enter gives.
struct Question {
    QString id, title, textId, text;
    struct Answer {
        const char* id;
        QString words;
        std::function<void()> what;
    };
    std::vector<Answer> answers;
};
QDialog* makeQuestion(const Question& question, QWidget* window);

/// Asks whether a session that a crash left is wanted back. Deciding later keeps it.
QDialog* makeRecoveryBox(SessionKeeper& keeper, const QString& lost, QWidget* window);

}  // namespace warplens::gui
