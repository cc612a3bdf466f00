// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPushButton>

namespace warplens::gui {

/// One answer of a lesson's question: its key in a box, its words in as many lines as they need, and on the right whose
/// it is. For a projector, whether its mode is on or not.
class AnswerButton : public QPushButton {
    Q_OBJECT
public:
    explicit AnswerButton(QWidget* parent = nullptr);
    /// `key` chooses it; `chosen` by the learner; `right` is known only after the reveal.
    void setAnswer(int key, const QString& words, bool chosen, bool right);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont wordsFont() const;
    /// What the words have of a button so wide, at its full height.
    QRectF wordsBox(const QSizeF& size) const;
    QString m_words;
    int m_key = 0;
    bool m_chosen = false, m_right = false;
};

}  // namespace warplens::gui
