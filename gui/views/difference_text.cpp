// SPDX-License-Identifier: Apache-2.0
#include "gui/views/difference_text.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

namespace warplens::gui {

namespace {

constexpr int kSign = 16, kRowsAbove = 4;
constexpr double kMostWords = 0.5;  // of a line
constexpr float kLineTint = 0.16F, kWordTint = 0.42F;

}  // namespace

DifferenceText::DifferenceText(Side side, QWidget* parent) : SourceText(parent), m_side(side) {
    setFocusPolicy(Qt::StrongFocus);
}

int DifferenceText::numberWidth() const { return SourceText::numberWidth() + kSign; }

void DifferenceText::setDifference(const std::vector<DifferenceRow>& rows, const QStringList& own,
                                   const QStringList& other, gpu::Idea idea) {
    m_rows = rows;
    m_idea = idea;
    m_words.assign(rows.size(), {});
    QStringList lines;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int mine = ownLine(rows[i]);
        lines << (mine > 0 ? own[mine - 1] : QString());
        if (rows[i].kind != DifferenceRow::Kind::changed) continue;
        const int theirs = m_side == Side::before ? rows[i].now : rows[i].before;
        const bool before = m_side == Side::before;
        const WordDifference words = before ? wordDifference(own[mine - 1], other[theirs - 1])
                                            : wordDifference(other[theirs - 1], own[mine - 1]);
        m_words[i] = before ? words.before : words.now;
        // Of a line that is another one the whole says more than its words.
        int lacking = 0;
        for (const auto& [place, length] : m_words[i]) lacking += length;
        if (lacking > kMostWords * static_cast<double>(lines.back().trimmed().size())) m_words[i].clear();
    }
    setSource(lines.join(u'\n'));
    tint();
}

void DifferenceText::tint() {
    QList<QTextEdit::ExtraSelection> marks;
    const auto mark = [&marks](const QTextCursor& cursor, const QColor& background, bool whole) {
        QTextEdit::ExtraSelection selection;
        selection.cursor = cursor;
        selection.format.setBackground(background);
        if (whole) selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << selection;
    };
    QColor line = colour(m_idea), word = colour(m_idea);
    line.setAlphaF(kLineTint);
    word.setAlphaF(kWordTint);
    QTextBlock block = document()->begin();
    for (std::size_t i = 0; i < m_rows.size() && block.isValid(); ++i, block = block.next()) {
        if (ownLine(m_rows[i]) == 0) mark(QTextCursor(block), colour(Role::strip), true);
        if (!marked(m_rows[i])) continue;
        mark(QTextCursor(block), line, true);
        for (const auto& [place, length] : m_words[i]) {
            QTextCursor cursor(block);
            cursor.setPosition(block.position() + place);
            cursor.setPosition(block.position() + place + length, QTextCursor::KeepAnchor);
            mark(cursor, word, false);
        }
    }
    setExtraSelections(marks);
}

void DifferenceText::showRow(int row) {
    const QTextBlock block = document()->findBlockByNumber(std::max(0, row - kRowsAbove));
    if (block.isValid())
        verticalScrollBar()->setValue(static_cast<int>(document()->documentLayout()->blockBoundingRect(block).top()));
}

QString DifferenceText::numberOf(int line) const {
    const auto row = static_cast<std::size_t>(line - 1);
    const int mine = row < m_rows.size() ? ownLine(m_rows[row]) : 0;
    return mine > 0 ? QString::number(mine) : QString();
}

void DifferenceText::paintBeside(QPainter& painter, const QRectF& row, int line) const {
    const auto at = static_cast<std::size_t>(line - 1);
    if (at >= m_rows.size() || !marked(m_rows[at])) return;
    painter.save();
    painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), colour(m_idea));
    painter.setFont(sourceFont());
    painter.setPen(colour(Role::text1));
    painter.drawText(QRectF(row.left() + 4, row.top(), kSign - 4, row.height()), Qt::AlignCenter,
                     m_side == Side::before ? QStringLiteral("\u2212") : QStringLiteral("+"));
    painter.restore();
}

}  // namespace warplens::gui
