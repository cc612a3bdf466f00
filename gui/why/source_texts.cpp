// SPDX-License-Identifier: Apache-2.0
#include "gui/why/source_texts.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"

#include <QAbstractTextDocumentLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace warplens::gui {

namespace {

constexpr int kSign = 16, kRowsAbove = 4;
constexpr double kMostWords = 0.5;  // of a line
constexpr float kLineTint = 0.16F, kWordTint = 0.42F;

constexpr Length kCell{10}, kCount{76};

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
        const std::u16string mineText = own[mine - 1].toStdU16String(), theirText = other[theirs - 1].toStdU16String();
        m_words[i] = before ? gpu::user::wordDifference(mineText, theirText).before
                            : gpu::user::wordDifference(theirText, mineText).now;
        // Of a line that is another one the whole says more than its words.
        int lacking = 0;
        for (const auto& [place, length] : m_words[i]) lacking += length;
        if (lacking > kMostWords * static_cast<double>(lines.back().trimmed().size())) m_words[i].clear();
    }
    setSource(lines.join(u'\n') + u'\n');
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

HeatText::HeatText(QWidget* parent) : SourceText(parent) {
    column()->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
}

int HeatText::numberWidth() const { return SourceText::numberWidth() + kCell + kCount; }

void HeatText::setLines(std::map<int, Line> lines, gpu::Idea idea) {
    m_lines = std::move(lines);
    m_idea = idea;
    m_highest = 0;
    for (const auto& [number, line] : m_lines) m_highest = std::max(m_highest, line.count);
    setAccessibleDescription(chosen() > 0 ? textOf(chosen()) : QString());
    column()->update();
}

QList<int> HeatText::found() const {
    QList<int> lines;
    for (const auto& [number, line] : m_lines)
        if (line.found) lines << number;
    return lines;
}

void HeatText::setChosen(int line) {
    markLine(line);
    setAccessibleDescription(line > 0 ? textOf(line) : QString());
}

QString HeatText::textOf(int line) const {
    const auto at = m_lines.find(line);
    if (at == m_lines.end()) return {};
    return tr("line %1, %2; %3")
        .arg(line)
        .arg(format::integer(at->second.count), at->second.details.join(QStringLiteral("; ")));
}

void HeatText::paintBeside(QPainter& painter, const QRectF& row, int line) const {
    const auto at = m_lines.find(line);
    if (at == m_lines.end()) return;
    const QRectF cell(row.left(), row.top(), kCell, row.height());
    if (at->second.found) {
        QColor warning = colour(Role::wrong);
        warning.setAlphaF(kLineTint);
        painter.fillRect(row, warning);
    }
    const double share = m_highest > 0 ? static_cast<double>(at->second.count) / static_cast<double>(m_highest) : 0;
    QColor ink = colour(m_idea);
    ink.setAlphaF(static_cast<float>(0.15 + 0.85 * share));
    if (at->second.count > 0) painter.fillRect(cell, ink);
    painter.save();
    if (at->second.found)
        drawStatusGlyph(painter,
                        QRectF(row.left() + kCell + 3, row.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox),
                        ResultState::wrong);
    writeText(painter, QRectF(row.left() + kCell, row.top(), kCount - 6, row.height()),
              Qt::AlignRight | Qt::AlignVCenter, format::integer(at->second.count),
              at->second.count == 0 ? Role::text3
              : line == marked()    ? Role::text1
                                    : Role::text2,
              textFont(TextSize::caption));
    painter.restore();
}

int HeatText::lineAt(double y) const {
    for (const auto& [number, line] : m_lines)
        if (const QRectF row = rowOf(number); y >= row.top() && y < row.bottom()) return number;
    return 0;
}

bool HeatText::choose(int line) {
    if (line == 0) return false;
    setChosen(line);
    emit lineChosen(line);
    return true;
}

void HeatText::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::NoModifier && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        auto at = event->key() == Qt::Key_Down ? m_lines.upper_bound(marked()) : m_lines.lower_bound(marked());
        if (event->key() == Qt::Key_Up) at = at == m_lines.begin() ? m_lines.end() : std::prev(at);
        if (at != m_lines.end()) choose(at->first);
        return;
    }
    SourceText::keyPressEvent(event);
}

void HeatText::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && choose(lineAt(event->position().y()))) return;
    SourceText::mousePressEvent(event);
}

bool HeatText::showTip(QEvent* event) {
    auto* const help = static_cast<QHelpEvent*>(event);
    const auto at = m_lines.find(lineAt(help->pos().y()));
    QToolTip::showText(help->globalPos(), at == m_lines.end() ? QString() : at->second.details.join(u'\n'), this);
    return true;
}

bool HeatText::viewportEvent(QEvent* event) {
    return event->type() == QEvent::ToolTip ? showTip(event) : SourceText::viewportEvent(event);
}

bool HeatText::eventFilter(QObject* watched, QEvent* event) {
    if (watched == column() && event->type() == QEvent::ToolTip) return showTip(event);
    if (watched == column() && event->type() == QEvent::MouseButtonPress) {
        setFocus(Qt::MouseFocusReason);
        return choose(lineAt(static_cast<QMouseEvent*>(event)->position().y()));
    }
    return SourceText::eventFilter(watched, event);
}

}  // namespace warplens::gui
