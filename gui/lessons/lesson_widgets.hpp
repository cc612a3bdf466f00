// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/glyphs.hpp"

#include <QPushButton>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace warplens::gui {

/// The steps of a lesson in a row, numbered: those done ticked, the present one in accent.
class LessonSteps : public QWidget {
    Q_OBJECT
public:
    explicit LessonSteps(QStringList names, QWidget* parent = nullptr);
    /// From 0.
    void setCurrent(int step);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList m_names;
    int m_current = 0;
};

/// Where the numbers of a lesson's chart come from, a line an origin, each with its glyph; or why there are none. In
/// projector size, whether its mode is on or not.
class LessonSources : public QWidget {
    Q_OBJECT
public:
    explicit LessonSources(QWidget* parent = nullptr);
    /// Empty words leave their line out.
    void setSources(const QString& recorded, const QString& counted);
    void setProblem(const QString& problem);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Line {
        QString words;
        Origin origin;
    };
    void say(const QString& all);
    std::vector<Line> m_lines;
    QString m_problem;
};

/// One answer of a lesson's question: its key in a box, its words in as many lines as they need, and on the right whose
/// it is. For a projector, whether its mode is on or not.
class AnswerButton : public QPushButton {
    Q_OBJECT
public:
    explicit AnswerButton(QWidget* parent = nullptr);
    /// `key` chooses it; `chosen` by the learner; `right` is known only after the reveal.
    void setAnswer(int key, const QString& words, bool chosen, bool right);
    /// How many of a class expect it, of all who were asked; a bar as long as their share. None were: no bar.
    void setVotes(int votes, int all);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void say();
    QFont wordsFont() const;
    /// What the words have of a button so wide, at its full height.
    QRectF wordsBox(const QSizeF& size) const;
    QString m_words;
    int m_key = 0, m_votes = 0, m_asked = 0;
    bool m_chosen = false, m_right = false;
};

}  // namespace warplens::gui
