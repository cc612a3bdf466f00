// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/why_text.hpp"

#include "gui/kit/theme/glyphs.hpp"

#include <QResizeEvent>

namespace warplens::gui {

namespace {

constexpr Length kEdge{16}, kLine{24}, kParagraph{8};

/// Sizes are given for the window; a projector has everything larger.
constexpr double kProjector = 1.6;

}  // namespace

WhyText::WhyText(QWidget* parent) : Plot(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Why"));
}

void WhyText::setSentences(std::vector<gpu::WhySentence> sentences, const QString& note) {
    m_sentences = std::move(sentences);
    m_note = note;
    m_message.clear();
    setAccessibleDescription(spoken());
    updateGeometry();
    update();
}

void WhyText::setProjector(bool on) {
    m_projector = on;
    updateGeometry();
    update();
}

void WhyText::setMessage(const QString& message) {
    m_sentences.clear();
    m_note.clear();
    m_message = message;
    setAccessibleDescription(message);
    updateGeometry();
    update();
}

QString WhyText::spoken() const {
    QStringList all;
    for (const gpu::WhySentence& sentence : m_sentences) {
        QString text;
        for (const gpu::WhyPiece& piece : sentence.pieces) {
            text += QString::fromStdString(piece.text);
            if (piece.origin) text += QStringLiteral(" (%1)").arg(originName(*piece.origin));
        }
        all << text;
    }
    if (!m_note.isEmpty()) all << m_note;
    return all.join(u' ');
}

double WhyText::layOut(double width, QPainter* painter, std::vector<Glyph>* glyphs) const {
    // A lesson's page has its own margins.
    const double edge = m_projector ? 0 : kEdge;
    const double right = width - edge;
    // The sentences of a lesson are long: its body type is a sentence's size here and more.
    const QFont plain = m_projector ? projectorFont(TextSize::body) : textFont(TextSize::sentence);
    const QFont bold = m_projector ? projectorFont(TextSize::title) : boldFont(TextSize::sentence);
    const double glyphBox = m_projector ? kGlyphBox.plain() * kProjector : kGlyphBox;
    const double line = m_projector ? kLine.plain() * 1.3 : kLine;
    double x = edge, y = m_projector ? 0 : kDockMargin;
    const double space = QFontMetricsF(plain).horizontalAdvance(u' ');
    for (const gpu::WhySentence& sentence : m_sentences) {
        x = edge;
        // A number, its glyph and the full stop behind it stay together.
        bool glued = false;
        for (const gpu::WhyPiece& piece : sentence.pieces) {
            const QFont& font = piece.strong ? bold : plain;
            const QFontMetricsF metrics(font);
            const QString text = QString::fromStdString(piece.text);
            const QStringList words = piece.strong ? QStringList{text} : text.split(u' ');
            for (qsizetype i = 0; i < words.size(); ++i) {
                if (i > 0 && x > edge) {
                    x += space;
                    glued = false;
                }
                if (words[i].isEmpty()) continue;
                const double wide = metrics.horizontalAdvance(words[i]) + (piece.origin ? 4 + glyphBox : 0);
                if (x + wide > right && x > edge && !glued) {
                    x = edge;
                    y += line;
                }
                if (painter != nullptr) {
                    writeText(*painter, QRectF(x, y, wide, line), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                              words[i], Role::text1, font);
                }
                x += wide;
                glued = true;
            }
            if (piece.origin) {
                const QRectF box(x - glyphBox, y + (line - glyphBox) / 2, glyphBox, glyphBox);
                if (painter != nullptr) drawOriginGlyph(*painter, box, *piece.origin);
                if (glyphs != nullptr) glyphs->push_back({box, *piece.origin});
            }
        }
        y += line + kParagraph;
    }
    const QString small = m_sentences.empty() ? m_message : m_note;
    if (small.isEmpty()) return y;
    const QFont font = textFont(m_sentences.empty() ? TextSize::body : TextSize::caption);
    const QRectF box =
        QFontMetricsF(font).boundingRect(QRectF(edge, y, right - edge, 1000), Qt::AlignLeft | Qt::TextWordWrap, small);
    if (painter != nullptr) {
        writeText(*painter, QRectF(edge, y, right - edge, box.height() + 4), Qt::AlignLeft | Qt::TextWordWrap, small,
                  m_sentences.empty() ? Role::text2 : Role::text3, font);
    }
    return y + box.height() + kDockMargin;
}

QSize WhyText::sizeHint() const {
    // A scroll area asks for no height of a width; a layout's least height is the hint's.
    const int wide = isVisible() && width() >= minimumSizeHint().width() ? width() : 400;
    return {400, heightForWidth(wide)};
}

void WhyText::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) updateGeometry();
}

void WhyText::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    layOut(width(), &painter, nullptr);
}

QString WhyText::tipAt(QPoint place) const {
    std::vector<Glyph> glyphs;
    layOut(width(), nullptr, &glyphs);
    for (const Glyph& glyph : glyphs)
        if (glyph.box.contains(place)) return originExplanation(glyph.origin);
    return {};
}

}  // namespace warplens::gui
