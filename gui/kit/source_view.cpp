// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/source_view.hpp"

#include "gui/kit/cuda_highlighter.hpp"
#include "gui/kit/elided.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QDialog>
#include <QScrollBar>
#include <QTextBlock>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kLineHeight{18};
constexpr double kAround = 3;  // lines that are seen before and after the one marked

/// A selection that the colours of source can be read on.
QColor markColour() {
    const QColor whole = colour(Role::selection), none = colour(Role::field);
    const auto mix = [](int a, int b) { return (3 * a + b) / 4; };
    return QColor(mix(whole.red(), none.red()), mix(whole.green(), none.green()), mix(whole.blue(), none.blue()));
}

class NumberColumn : public QWidget {
public:
    explicit NumberColumn(SourceText* text) : QWidget(text), m_text(text) {
        setFont(sourceFont());
        setAccessibleName(SourceText::tr("Line numbers"));
    }

protected:
    void paintEvent(QPaintEvent*) override { m_text->paintNumbers(this); }
    void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(m_text->verticalScrollBar(), event); }

private:
    SourceText* m_text;
};

}  // namespace

SourceView::SourceView(QWidget* parent)
    : QWidget(parent),
      m_name(made(new ElidedLabel(this), {.look = "title"})),
      m_mark(new IdeaMark(this)),
      m_head(nullptr),
      m_text(made(new SourceText(this), {.name = tr("Kernel source")})) {
    auto* const head = new QWidget(this);
    m_head = stripRow(head, kTitleHeight);
    fill(m_head, {m_mark, {m_name, 1}});
    m_name->setElideMode(Qt::ElideMiddle);
    makeColumn(this, {}, 0, {head, {m_text, 1}});
    m_mark->setIdea(std::nullopt);
}

void SourceView::setSource(const QString& fileName, const QString& text, std::optional<gpu::Idea> idea) {
    m_name->setFullText(fileName);
    m_mark->setIdea(idea);
    m_text->setSource(text);
    m_text->setAccessibleName(fileName.isEmpty() ? tr("Kernel source") : tr("Source of %1").arg(fileName));
}

void SourceView::setMessage(const QString& fileName, const QString& message, std::optional<gpu::Idea> idea) {
    m_name->setFullText(fileName);
    m_mark->setIdea(idea);
    m_text->setSource(message, false);
    m_text->setAccessibleName(message);
}

void SourceView::addToHead(QWidget* tool) { m_head->addWidget(tool); }

QString SourceView::text() const { return m_text->toPlainText(); }

void SourceView::goToLine(int line) { m_text->markLine(line); }

SourceText::SourceText(QWidget* parent)
    : QTextEdit(parent), m_colours(new CudaHighlighter(document())), m_numbers(new NumberColumn(this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAcceptRichText(false);
    setLineWrapMode(QTextEdit::NoWrap);
    setFont(sourceFont());
    document()->setDefaultFont(sourceFont());
    document()->setDocumentMargin(8);
    setFrameShape(QFrame::NoFrame);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, m_numbers, [this] { m_numbers->update(); });
    connect(document(), &QTextDocument::contentsChanged, m_numbers, [this] { m_numbers->update(); });
}

void SourceText::setSource(QString text, bool code) {
    // Given the document that it has it would go over all lines once more.
    QTextDocument* const coloured = code ? document() : nullptr;
    if (m_colours->document() != coloured) m_colours->setDocument(coloured);
    if (text.endsWith(u'\n')) text.chop(1);
    setPlainText(text);
    space();
    markLine(0);
    setViewportMargins(numberWidth(), 0, 0, 0);
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
}

void SourceText::space() {
    QTextBlockFormat spaced;
    spaced.setLineHeight(kLineHeight, QTextBlockFormat::FixedHeight);
    QTextCursor all(document());
    all.select(QTextCursor::Document);
    all.mergeBlockFormat(spaced);
}

void SourceText::changeEvent(QEvent* event) {
    QTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    // Another theme, or projector mode: colours and lengths are in the document.
    m_colours->retint();
    if (document()->defaultFont() != sourceFont()) {
        document()->setDefaultFont(sourceFont());
        space();
        setViewportMargins(numberWidth(), 0, 0, 0);
    }
    markLine(m_marked);
}

int SourceText::numberWidth() const {
    const auto digits = QString::number(std::max(99, document()->blockCount())).size();
    return static_cast<int>(
               std::ceil(QFontMetricsF(sourceFont()).horizontalAdvance(u'0') * static_cast<double>(digits))) +
           2 * kGap;
}

void SourceText::paintNumbers(QWidget* column) const {
    QPainter painter(column);
    painter.fillRect(column->rect(), colour(Role::field));
    painter.setFont(sourceFont());
    const double scrolled = verticalScrollBar()->value();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const QRectF box = document()->documentLayout()->blockBoundingRect(block).translated(0, -scrolled);
        if (box.bottom() < 0) continue;
        if (box.top() > column->height()) break;
        const int line = block.blockNumber() + 1;
        const QRectF row(0, box.top(), column->width(), kLineHeight);
        if (line == m_marked) painter.fillRect(row, markColour());
        writeText(painter, row.adjusted(0, 0, -kGap, 0), Qt::AlignRight | Qt::AlignBottom, numberOf(line),
                  line == m_marked ? Role::text2 : Role::text3);
        paintBeside(painter, row, line);
    }
}

void SourceText::paintBeside(QPainter&, const QRectF&, int) const {}

QRectF SourceText::rowOf(int line) const {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) return {};
    const QRectF box = document()->documentLayout()->blockBoundingRect(block);
    return QRectF(0, box.top() - verticalScrollBar()->value(), numberWidth(), kLineHeight);
}

void SourceText::markLine(int line) {
    m_marked = line;
    QList<QTextEdit::ExtraSelection> marks;
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (line > 0 && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(markColour());
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
        setTextCursor(mark.cursor);
    }
    setExtraSelections(marks);
    showMarked();
    m_numbers->update();
}

void SourceText::showMarked() {
    const QTextBlock block = document()->findBlockByNumber(m_marked - 1);
    if (m_marked <= 0 || !block.isValid()) return;
    const double top = document()->documentLayout()->blockBoundingRect(block).top() - verticalScrollBar()->value();
    const double around = kAround * kLineHeight, room = viewport()->height();
    if (room < 3 * around || (top >= around && top + kLineHeight + around <= room)) return ensureCursorVisible();
    verticalScrollBar()->setValue(static_cast<int>(verticalScrollBar()->value() + top - room / 3));
}

void SourceText::resizeEvent(QResizeEvent* event) {
    QTextEdit::resizeEvent(event);
    setViewportMargins(numberWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    m_numbers->setGeometry(inside.left(), inside.top(), numberWidth(), viewport()->height());
    showMarked();
}

void openSource(QWidget* parent, const QString& id, const QString& title, const QString& text) {
    constexpr Length kWide{760}, kHigh{560};
    auto* dialog = new QDialog(parent);
    setUpDialog(dialog, id, title, {kWide, kHigh});
    auto* source = new SourceView(dialog);
    source->setSource(title, text, std::nullopt);
    makeColumn(dialog, {}, 0, {source});
    dialog->open();
}

}  // namespace warplens::gui
