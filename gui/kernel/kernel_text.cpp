// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_text.hpp"

#include "gui/kit/cuda_highlighter.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kIndent = 4, kTypeSize = 12, kMostZoom = 16, kLeastZoom = -3;
constexpr double kMarkBox = 12;
const QString kOpening = QStringLiteral("([{"), kClosing = QStringLiteral(")]}");

class NumberColumn : public QWidget {
public:
    explicit NumberColumn(KernelText* text) : QWidget(text), m_text(text) {
        setAccessibleName(KernelText::tr("Line numbers"));
    }

protected:
    void paintEvent(QPaintEvent*) override { m_text->paintNumbers(this); }
    void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(m_text->verticalScrollBar(), event); }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip)
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                               m_text->wordsAt(static_cast<QHelpEvent*>(event)->pos().y()), this);
        return QWidget::event(event);
    }
    void mousePressEvent(QMouseEvent* event) override {
        m_text->goToLine(m_text->cursorForPosition({0, event->pos().y()}).blockNumber() + 1);
    }

private:
    KernelText* m_text;
};

int leadingSpaces(const QString& text) {
    const auto code = std::ranges::find_if(text, [](QChar c) { return c != u' '; });
    return static_cast<int>(code - text.begin());
}

}  // namespace

KernelText::KernelText(QWidget* parent)
    : QPlainTextEdit(parent), m_colours(new CudaHighlighter(document())), m_numbers(new NumberColumn(this)) {
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Kernel, its source"));
    const auto ctrl = [this](Qt::Key key, std::function<void()> does) {
        m_commands[(Qt::CTRL | key).toCombined()] = std::move(does);
    };
    m_commands[Qt::Key_Escape] = [this] { emit left(); };
    ctrl(Qt::Key_S, [this] { emit saveWanted(); });
    ctrl(Qt::Key_Slash, [this] { toggleComment(); });
    ctrl(Qt::Key_Plus, [this] { zoom(1); });
    ctrl(Qt::Key_Minus, [this] { zoom(-1); });
    ctrl(Qt::Key_0, [this] { zoom(0); });
    dress();
    connect(this, &QPlainTextEdit::updateRequest, m_numbers, [this] { m_numbers->update(); });
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(numberWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &KernelText::follow);
    connect(document(), &QTextDocument::contentsChanged, this, &KernelText::follow);
}

void KernelText::replaceText(const QString& text) {
    if (text == toPlainText()) return;
    const int line = this->line();
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.insertText(text);
    goToLine(line);
}

void KernelText::setMarks(std::map<int, KernelMark> marks) {
    m_marks = std::move(marks);
    follow();
    m_numbers->update();
}

void KernelText::goToLine(int line) {
    const QTextBlock block = document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1);
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + leadingSpaces(block.text()));
    setTextCursor(cursor);
    // Seen with what stands around it.
    if (!rect().adjusted(0, height() / 6, 0, -height() / 6).contains(cursorRect().center())) centerCursor();
}

bool KernelText::findNext(const QString& words, bool backwards) {
    if (words.isEmpty()) return false;
    const QTextDocument::FindFlags flags = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (find(words, flags)) return true;
    const QTextCursor before = textCursor();
    moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
    if (find(words, flags)) return true;
    setTextCursor(before);
    return false;
}

void KernelText::zoom(int steps) {
    m_zoom = steps == 0 ? 0 : std::clamp(m_zoom + steps, kLeastZoom, kMostZoom);
    dress();
}

void KernelText::dress() {
    const QFont font = sourceFont(kTypeSize + m_zoom);
    setFont(font);
    document()->setDefaultFont(font);
    m_numbers->setFont(font);
    setTabStopDistance(kIndent * QFontMetricsF(font).horizontalAdvance(u' '));
    setViewportMargins(numberWidth(), 0, 0, 0);
    m_numbers->setFixedWidth(numberWidth());
}

int KernelText::numberWidth() const {
    const auto digits = QString::number(std::max(99, blockCount())).size();
    return static_cast<int>(std::ceil(QFontMetricsF(font()).horizontalAdvance(u'0') * static_cast<double>(digits)) +
                            kMarkBox) +
           2 * kGap;
}

void KernelText::paintNumbers(QWidget* column) const {
    QPainter painter(column);
    painter.fillRect(column->rect(), colour(Role::field));
    painter.setFont(font());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        if (box.top() > column->height()) break;
        const int line = block.blockNumber() + 1;
        const QRectF row(0, box.top(), column->width(), box.height());
        if (const auto mark = m_marks.find(line); mark != m_marks.end())
            drawStatusGlyph(painter, QRectF(kGap / 2.0, row.center().y() - kMarkBox / 2, kMarkBox, kMarkBox),
                            mark->second.error ? ResultState::failed : ResultState::wrong);
        writeText(painter, row.adjusted(0, 0, -kGap, 0), Qt::AlignRight | Qt::AlignVCenter, QString::number(line),
                  line == this->line() ? Role::text1 : Role::text3);
    }
}

QString KernelText::wordsAt(int y) const {
    const auto mark = m_marks.find(cursorForPosition({0, y}).blockNumber() + 1);
    return mark == m_marks.end() ? QString() : mark->second.words;
}

bool KernelText::event(QEvent* event) {
    // Letters, editing keys and these are the text's; the window's commands of the same keys wait.
    if (event->type() != QEvent::ShortcutOverride ||
        !m_commands.contains(static_cast<QKeyEvent*>(event)->keyCombination().toCombined()))
        return QPlainTextEdit::event(event);
    event->accept();
    return true;
}

void KernelText::keyPressEvent(QKeyEvent* event) {
    if (const auto command = m_commands.find(event->keyCombination().toCombined()); command != m_commands.end())
        return command->second();
    const bool plain = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
    if (event->key() == Qt::Key_Tab) return indent(1);
    if (event->key() == Qt::Key_Backtab) return indent(-1);
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && plain) return breakLine();
    if (event->key() == Qt::Key_Home && plain) {  // to the first word, and from there to the margin
        QTextCursor cursor(textCursor().block());
        cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, leadingSpaces(cursor.block().text()));
        if (cursor != textCursor()) return setTextCursor(cursor);
    }
    // A closing brace that is the first of its line goes back by a step.
    if (event->text() == u"}" && !textCursor().hasSelection()) {
        QTextCursor cursor = textCursor();
        const QString before = cursor.block().text().left(cursor.positionInBlock());
        if (before.size() >= kIndent && before.trimmed().isEmpty()) {
            cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, kIndent);
            setTextCursor(cursor);
        }
    }
    QPlainTextEdit::keyPressEvent(event);
}

void KernelText::breakLine() {
    QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    int spaces = leadingSpaces(before);
    if (before.trimmed().endsWith(u'{')) spaces += kIndent;
    cursor.insertText(u'\n' + QString(spaces, u' '));
    setTextCursor(cursor);
    ensureCursorVisible();
}

template <class What>
void KernelText::forLines(What what) {
    QTextCursor cursor = textCursor();
    const int last = document()->findBlock(std::max(cursor.selectionStart(), cursor.selectionEnd() - 1)).blockNumber();
    cursor.beginEditBlock();
    for (QTextBlock block = document()->findBlock(cursor.selectionStart());
         block.isValid() && block.blockNumber() <= last; block = block.next())
        what(QTextCursor(block), block.text());
    cursor.endEditBlock();
}

void KernelText::indent(int steps) {
    QTextCursor cursor = textCursor();
    if (steps > 0 && !cursor.hasSelection())
        return cursor.insertText(QString(kIndent - cursor.positionInBlock() % kIndent, u' '));
    forLines([&](QTextCursor line, const QString& text) {
        if (steps > 0) return line.insertText(text.isEmpty() ? QString() : QString(kIndent, u' '));
        line.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, std::min(kIndent, leadingSpaces(text)));
        line.removeSelectedText();
    });
}

void KernelText::toggleComment() {
    bool all = true;
    forLines([&](const QTextCursor&, const QString& text) {
        all = all && (text.trimmed().isEmpty() || text.trimmed().startsWith(QStringLiteral("//")));
    });
    forLines([&](QTextCursor line, const QString& text) {
        if (text.trimmed().isEmpty()) return;
        line.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, leadingSpaces(text));
        if (!all) return line.insertText(QStringLiteral("// "));
        const bool spaced = text.trimmed().startsWith(QStringLiteral("// "));
        line.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, spaced ? 3 : 2);
        line.removeSelectedText();
    });
}

int KernelText::partnerOf(int at) const {
    const QChar bracket = document()->characterAt(at);
    const auto opening = kOpening.indexOf(bracket), closing = kClosing.indexOf(bracket);
    if (opening < 0 && closing < 0) return -1;
    const QChar other = opening >= 0 ? kClosing[opening] : kOpening[closing];
    const int step = opening >= 0 ? 1 : -1, end = document()->characterCount();
    for (int place = at, depth = 0; place >= 0 && place < end; place += step) {
        const QChar c = document()->characterAt(place);
        depth += c == bracket ? 1 : c == other ? -1 : 0;
        if (depth == 0) return place;
    }
    return -1;
}

void KernelText::follow() {
    QList<QTextEdit::ExtraSelection> shown;
    const auto add = [&](QTextCursor cursor, auto change) {
        QTextEdit::ExtraSelection selection;
        selection.cursor = std::move(cursor);
        change(selection.format);
        shown << selection;
    };
    add(textCursor(), [](QTextCharFormat& format) {
        format.setBackground(colour(Role::dock));
        format.setProperty(QTextFormat::FullWidthSelection, true);
    });
    shown.back().cursor.clearSelection();
    for (const auto& [line, mark] : m_marks) {
        const QTextBlock block = document()->findBlockByNumber(line - 1);
        if (!block.isValid()) continue;
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, leadingSpaces(block.text()));
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        add(cursor, [](QTextCharFormat& format) {
            format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
            format.setUnderlineColor(colour(Role::wrong));
        });
    }
    const int at = textCursor().position();
    for (const int bracket : {at, at - 1}) {
        const int partner = bracket < 0 ? -1 : partnerOf(bracket);
        if (partner < 0) continue;
        for (const int place : {bracket, partner}) {
            QTextCursor cursor(document());
            cursor.setPosition(place);
            cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor);
            add(cursor, [](QTextCharFormat& format) { format.setBackground(colour(Role::selection)); });
        }
        break;
    }
    setExtraSelections(shown);
}

void KernelText::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() != Qt::ControlModifier) return QPlainTextEdit::wheelEvent(event);
    if (event->angleDelta().y() != 0) zoom(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

void KernelText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    m_numbers->setGeometry(inside.left(), inside.top(), numberWidth(), viewport()->height());
    // Problems take room from the text, but not the line that is being written.
    if (hasFocus()) ensureCursorVisible();
}

void KernelText::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    m_colours->retint();
    dress();
    follow();
}

}  // namespace warplens::gui
