// SPDX-License-Identifier: Apache-2.0
#include "gui/views/answer_button.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/fonts.hpp"
#include "gui/theme/glyphs.hpp"
#include "gui/theme/tokens.hpp"

#include <QPainter>
#include <QStyleOptionButton>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kEdge = 12, kBox = 28, kGlyph = 22, kBetween = 8, kAbove = 4;
constexpr int kTarget = 44, kWide = 400;

double wide(const QString& words) { return QFontMetricsF(projectorFont(TextSize::caption)).horizontalAdvance(words); }

}  // namespace

AnswerButton::AnswerButton(QWidget* parent) : QPushButton(parent) {
    setLook(this, "answer");
    setProperty("projector", true);
    setCheckable(true);
    QSizePolicy policy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void AnswerButton::setAnswer(int key, const QString& words, bool chosen, bool right) {
    m_key = key;
    m_words = words;
    m_chosen = chosen;
    m_right = right;
    QString text = QStringLiteral("%1   %2").arg(key).arg(words);
    if (chosen) text += tr("   – you");
    if (right) text += tr("   – right");
    setText(text);
    setAccessibleName(text.simplified());
    updateGeometry();
    update();
}

QFont AnswerButton::wordsFont() const { return projectorFont(m_right ? TextSize::title : TextSize::caption); }

QRectF AnswerButton::wordsBox(const QSizeF& size) const {
    QRectF box = QRectF(QPointF(), size).adjusted(2 * kEdge + kBox, 0, -kEdge, 0);
    if (m_right) box.setRight(box.right() - wide(tr("right")) - kGlyph - 3 * kBetween);
    if (m_chosen) box.setRight(box.right() - wide(tr("you")) - kBetween);
    return box;
}

QSize AnswerButton::sizeHint() const { return {kWide, heightForWidth(kWide)}; }

QSize AnswerButton::minimumSizeHint() const { return {1, kTarget}; }

int AnswerButton::heightForWidth(int width) const {
    const QRectF room = wordsBox(QSizeF(width, 10'000));
    const QRectF words = QFontMetricsF(wordsFont()).boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, m_words);
    return std::max(kTarget, static_cast<int>(std::ceil(words.height() + 2 * kAbove)));
}

void AnswerButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    style()->drawControl(QStyle::CE_PushButton, &option, &painter, this);
    const QColor weak = colour(isChecked() ? Role::text1 : Role::text2);
    const double middle = QRectF(rect()).center().y();
    const QRectF box(kEdge, middle - kBox / 2, kBox, kBox);
    painter.setPen(QPen(weak, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 2, 2);
    painter.setFont(projectorFont(TextSize::caption));
    painter.setPen(colour(Role::text1));
    painter.drawText(box, Qt::AlignCenter, QString::number(m_key));
    // Whose answer it is stands at the right end; the words have what is left.
    QRectF end = QRectF(rect()).adjusted(0, 0, -kEdge, 0);
    painter.setPen(weak);
    const auto say = [&](const QString& word) {
        painter.drawText(end, Qt::AlignRight | Qt::AlignVCenter, word);
        end.setRight(end.right() - wide(word) - kBetween);
    };
    if (m_right) {
        say(tr("right"));
        drawStatusGlyph(painter, QRectF(end.right() - kGlyph, middle - kGlyph / 2, kGlyph, kGlyph),
                        ResultState::verified);
        end.setRight(end.right() - kGlyph - 2 * kBetween);
    }
    if (m_chosen) say(tr("you"));
    painter.setFont(wordsFont());
    painter.setPen(colour(Role::text1));
    painter.drawText(wordsBox(size()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, m_words);
}

}  // namespace warplens::gui
