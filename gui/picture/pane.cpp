// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/pane.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/clipboard_picture.hpp"
#include "gui/picture/overlays.hpp"

#include <QApplication>
#include <QDrag>
#include <QMimeData>
#include <QMouseEvent>
#include <QPixmap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QUrl>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kInset{7}, kSpace{6}, kLeastRead{72};

/// Writes from left to right, one piece after the other, in a line of caption height.
class LineWriter {
public:
    LineWriter(QPainter& painter, QRectF line) : m_painter(painter), m_line(line) {}
    double room() const { return m_line.width(); }
    void skip(double pixels) { m_line.setLeft(m_line.left() + pixels); }
    QRectF glyphBox() {
        const QRectF box(m_line.left(), m_line.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox);
        skip(kGlyphBox);
        return box;
    }
    /// A piece that does not fit is elided; numbers are never passed with elide on.
    void text(const QString& text, const QFont& font, Role role, Qt::TextElideMode elide = Qt::ElideNone) {
        const QFontMetricsF metrics(font);
        const QString shown =
            elide == Qt::ElideNone ? text : metrics.elidedText(text, elide, std::max(0.0, m_line.width()));
        m_painter.setFont(font);
        m_painter.setPen(colour(role));
        m_painter.drawText(m_line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, shown);
        skip(metrics.horizontalAdvance(shown));
    }

private:
    QPainter& m_painter;
    QRectF m_line;
};

}  // namespace

void PaneCaption::setContent(const PaneContent& content) {
    m_content = content;
    setAccessibleName(spoken());
    update();
}

void PaneCaption::setCurrent(bool current) {
    if (std::exchange(m_current, current) != current) update();
}

void PaneCaption::setView(const QString& view) {
    if (std::exchange(m_view, view) == view) return;
    setAccessibleName(spoken());
    update();
}

QString PaneCaption::spoken() const {
    QStringList parts{m_content.title};
    if (m_content.timeMs) {
        parts << tr("%1 ms, %2").arg(format::milliseconds(*m_content.timeMs), originName(m_content.timeOrigin));
        if (!m_content.ranked) parts << tr("a CPU time, which ranks nothing");
    }
    if (!m_content.detail.isEmpty()) parts << m_content.detail;
    if (!m_view.isEmpty()) parts << m_view;
    if (m_content.state) parts << stateName(*m_content.state);
    if (!m_content.hint.isEmpty() && !m_content.state) {
        parts << m_content.hint;
        if (m_content.hintOrigin) parts << originName(*m_content.hintOrigin);
    }
    return parts.join(QStringLiteral(", "));
}

void PaneCaption::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::strip));
    if (m_current) painter.fillRect(QRect(0, 0, width(), 2), colour(Role::accent));

    // The badge first: it is never pushed out by a long title.
    const QFont small = textFont(TextSize::caption);
    QString badge = m_content.state ? stateName(*m_content.state) : m_content.hint;
    QRectF line = QRectF(rect()).adjusted(kInset, m_current ? 1 : 0, -kInset, 0);
    const auto widthOf = [&](bool glyph) {
        return QFontMetricsF(small).horizontalAdvance(badge) + (glyph ? kGlyphBox + kSpace : 0);
    };
    bool origin = !m_content.state && m_content.hintOrigin && !badge.isEmpty();
    // A hint gives way to the title: it stands in the tooltip as well.
    const double title = QFontMetricsF(boldFont(TextSize::caption)).horizontalAdvance(m_content.title);
    if (!m_content.state && title + kSpace + widthOf(origin) > line.width()) {
        badge.clear();
        origin = false;
    }
    // The name and the time of a result are worth more than the word beside the mark of a check that it passed.
    const double marks = m_content.idea ? 2.0 * (kGlyphBox + kSpace) : 0;
    const QString time = m_content.timeMs ? tr("%1 ms").arg(format::milliseconds(*m_content.timeMs)) : QString();
    const double timeWidth = m_content.timeMs ? 8 + QFontMetricsF(small).horizontalAdvance(time) + 4 + kGlyphBox : 0;
    const double least = marks + title + kSpace + (m_content.state == ResultState::verified ? timeWidth : 0);
    if (m_content.state && least + widthOf(true) > line.width()) badge.clear();
    const double badgeWidth = widthOf(m_content.state || origin);
    LineWriter right(painter, QRectF(line.right() - badgeWidth, line.top(), badgeWidth, line.height()));
    if (m_content.state) {
        drawStatusGlyph(painter, right.glyphBox(), *m_content.state);
        right.skip(kSpace);
    }
    right.text(badge, small, m_content.state || origin ? Role::text2 : Role::text3);
    if (origin) {
        right.skip(kSpace);
        drawOriginGlyph(painter, right.glyphBox(), *m_content.hintOrigin, Role::text2, Role::strip);
    }

    line.setRight(line.right() - badgeWidth - kSpace);
    LineWriter left(painter, line);
    const QFont bold = boldFont(TextSize::caption);
    if (m_content.idea && !m_content.against) {
        drawShape(painter, left.glyphBox(), *m_content.idea);
        left.skip(kSpace);
    }
    left.text(m_content.title, bold, Role::text1, Qt::ElideRight);
    const QString minus = QStringLiteral(" – ");
    const double pair = kSpace + 4 + 2 * kGlyphBox + QFontMetricsF(small).horizontalAdvance(minus);
    if (m_content.idea && m_content.against && left.room() > pair) {
        left.skip(kSpace + 4);
        drawShape(painter, left.glyphBox(), *m_content.idea);
        left.text(minus, small, Role::text2);
        drawShape(painter, left.glyphBox(), *m_content.against);
    }
    if (m_content.timeMs) {
        // A number is shown whole or not at all; it stands in the tooltip as well.
        if (left.room() > timeWidth) {
            left.skip(8);
            left.text(time, small, m_content.ranked ? Role::text2 : Role::text3);
            left.skip(4);
            drawOriginGlyph(painter, left.glyphBox(), m_content.timeOrigin, Role::text2, Role::strip);
        }
    }
    // What is left of a word or two says nothing: whole, or long enough to be read, or in the tooltip alone.
    const auto says = [&](const QString& text) {
        return left.room() - 8 >= std::min<double>(QFontMetricsF(small).horizontalAdvance(text), kLeastRead);
    };
    // Of a result's words the last give way first, whole, before a number in them is cut.
    QString detail = m_content.detail;
    while (m_content.idea && detail.contains(QStringLiteral(", ")) &&
           QFontMetricsF(small).horizontalAdvance(detail) > left.room() - 8)
        detail = detail.section(QStringLiteral(", "), 0, -2);
    if (!detail.isEmpty() && says(detail)) {
        left.skip(8);
        left.text(detail, small, m_content.timeMs ? Role::text3 : Role::text2,
                  m_content.idea ? Qt::ElideRight : Qt::ElideMiddle);
    }
    if (!m_view.isEmpty() && says(m_view)) {
        left.skip(8);
        left.text(m_view, small, Role::text2, Qt::ElideRight);
    }
}

bool PaneCaption::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) setToolTip(spoken());
    return QWidget::event(event);
}

void PaneCaption::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->button() == Qt::LeftButton ? std::optional(event->pos()) : std::nullopt;
    event->ignore();  // the pane takes the focus
}

void PaneCaption::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed || (event->pos() - *m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
    m_pressed.reset();
    emit draggedOut();
}

Pane::Pane(QWidget* parent)
    : QWidget(parent),
      m_caption(new PaneCaption(this)),
      m_view(new ImageView(this)),
      m_bins(new BinsView(this)),
      m_figures(new FiguresView(this)) {
    makeColumn(this, {}, 0, {m_caption, {m_view, 1}, {m_bins, 1}, {m_figures, 1}});
    m_bins->hide();
    m_figures->hide();
    connect(m_figures, &FiguresView::focused, this, &Pane::focused);
    connect(m_figures, &FiguresView::activated, this, &Pane::activated);
    connect(m_bins, &BinsView::focused, this, &Pane::focused);
    connect(m_bins, &BinsView::activated, this, &Pane::activated);
    connect(m_view, &ImageView::focused, this, &Pane::focused);
    connect(m_view, &ImageView::activated, this, &Pane::activated);
    connect(m_caption, &PaneCaption::draggedOut, this, &Pane::dragPicture);
}

void Pane::dragPicture() {
    const std::shared_ptr<const io::Grid> picture = m_view->picture();
    if (picture == nullptr) return;
    const QImage image =
        clipboardImage(*picture, {m_view->range(), m_view->colourMapOf(*picture)}, m_view->viewState()->slice());
    // Who took the file may read it long after the drop: it stays until the program ends.
    static QTemporaryDir files;
    QString name = m_content.title;
    name.replace(QRegularExpression(QStringLiteral("[^\\w.-]+")), QStringLiteral("-"));
    const QString path = files.filePath(name + QStringLiteral(".png"));
    auto* mime = new QMimeData;
    mime->setImageData(image);
    if (image.save(path)) mime->setUrls({QUrl::fromLocalFile(path)});
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    drag->setPixmap(QPixmap::fromImage(image.scaled(96, 96, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    drag->exec(Qt::CopyAction);
}

void Pane::setContent(const PaneContent& content) {
    m_content = content;
    showCaption();
    m_view->setMessage(content.message);
    m_view->setPicture(content.picture);
    m_view->setDisplay(content.display);
    std::unique_ptr<ImageOverlay> legend;
    if (content.display && content.picture) {
        const double low = content.display->range.low, high = content.display->range.high;
        // Zero lies in the middle of differences; other spans are large numbers that must leave room for what they are.
        const bool about = content.display->map == ColourMap::diverging;
        const auto end = [](double value) {
            constexpr double kMost = 1e7;  // a whole number has no decimals, unless it is too long
            return value == std::round(value) && std::abs(value) < kMost ? format::value(value) : format::brief(value);
        };
        legend = std::make_unique<ColourLegend>(content.display->map, about ? format::value(low) : end(low),
                                                about ? QStringLiteral("0") + content.legend : content.legend,
                                                about ? u'+' + format::value(high) : end(high));
    }
    m_view->setLegend(std::move(legend));
    const bool bins = content.picture == nullptr && content.histogram != nullptr;
    m_bins->setHistogram(bins ? content.histogram : nullptr);
    m_bins->setAccessibleName(m_caption->spoken());
    m_bins->setVisible(bins);
    const bool figures = content.picture == nullptr && !bins && !content.tables.empty();
    m_figures->setTables(figures ? content.tables : gpu::Tables{});
    m_figures->setAccessibleName(m_caption->spoken());
    m_figures->setVisible(figures);
    m_view->setVisible(!bins && !figures);
    m_view->setAccessibleName(m_caption->spoken());
    m_view->setAccessibleDescription(content.picture ? QString() : content.message);
}

void Pane::setReference(const PaneContent& reference) {
    m_reference = reference;
    m_comparable = reference.picture != nullptr && !m_content.display && reference.key != m_content.key &&
                   (m_content.picture == nullptr || m_content.picture->shape() == reference.picture->shape());
    m_view->setOther(m_comparable ? reference.picture : nullptr, reference.display);
    showCaption();
}

void Pane::setFlipped(bool flipped) {
    m_view->setFlipped(flipped && m_comparable);
    showCaption();
}

void Pane::showCaption() {
    if (!m_view->flipped()) return m_caption->setContent(m_content);
    PaneContent reference = m_reference;
    reference.state.reset();
    reference.hint = tr("reference, Shift held");
    m_caption->setContent(reference);
}

void Pane::setCurrent(bool current) { m_caption->setCurrent(current); }

QWidget* Pane::shownView() const {
    if (!m_bins->isHidden()) return m_bins;
    return m_figures->isHidden() ? static_cast<QWidget*>(m_view) : m_figures;
}

void Pane::mousePressEvent(QMouseEvent*) {
    shownView()->setFocus(Qt::MouseFocusReason);
    emit focused();
}

}  // namespace warplens::gui
