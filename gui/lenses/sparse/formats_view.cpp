// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/formats_view.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

using gpu::sparse::Format;

constexpr Length kStripHead{20}, kBetween{7}, kMostLine{20}, kLeastLine{2}, kEdge{12};

struct Kind {
    Format format;
    const char* variant;
};
constexpr Kind kKinds[] = {{Format::coordinates, "coo"}, {Format::rows, "csr_scalar"},
                           {Format::ell, "ell"},         {Format::sliced, "sliced_ell"},
                           {Format::hybrid, "hybrid"},   {Format::diagonals, "diagonals"},
                           {Format::none, "matrix_free"}};

QString nameOf(Format format, const gpu::Variant& variant) {
    return format == Format::rows ? QStringLiteral("csr") : QString::fromStdString(variant.id);
}

}  // namespace

void paintPlace(QPainter& painter, const QRectF& box, const QColor& ink, bool filled) {
    if (filled) return painter.fillRect(box, ink);
    painter.fillRect(box, QBrush(ink, Qt::BDiagPattern));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 1));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

FormatsView::FormatsView(QWidget* parent) : Plot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setWidgetText(this, {.id = "matrix-formats", .name = tr("The same matrix, stored")});
}

void FormatsView::setRows(std::shared_ptr<const gpu::sparse::MatrixRows> rows, int first, int count, int row) {
    m_rows = std::move(rows);
    m_first = first;
    m_count = count;
    m_row = row;
    setAccessibleDescription(spoken());
    update();
}

QSize FormatsView::sizeHint() const { return {420, 560}; }

QSize FormatsView::minimumSizeHint() const { return {280, 240}; }

std::vector<FormatsView::Strip> FormatsView::strips() const {
    std::vector<Strip> made;
    if (m_rows == nullptr) return made;
    int lines = 0;
    for (const Kind& kind : kKinds) {
        Strip strip{.format = kind.format,
                    .variant = gpu::findVariant("sparse", kind.variant),
                    .words = {},
                    .stored = storedRows(*m_rows, kind.format, m_first, m_count)};
        const QString padded = format::integer(strip.stored.padded);
        switch (kind.format) {
            case Format::coordinates: strip.words = tr("row, column, value of every nonzero"); break;
            case Format::rows: strip.words = tr("row starts, columns, values"); break;
            case Format::ell: strip.words = tr("every row as long as the longest: %1 padded").arg(padded); break;
            case Format::sliced: strip.words = tr("as long as the longest of 32: %1 padded").arg(padded); break;
            case Format::hybrid:
                strip.words = tr("%1 per row, %2 in a COO tail, %3 padded")
                                  .arg(strip.stored.width)
                                  .arg(format::integer(strip.stored.tail), padded);
                break;
            case Format::diagonals:
                strip.offsets = diagonalsOf(m_rows->posed);
                strip.words = m_rows->posed.masked
                                  ? tr("the unknowns of a mask do not lie on a few diagonals")
                                  : tr("%1 diagonals without columns: %2 padded").arg(strip.stored.width).arg(padded);
                break;
            case Format::none: strip.words = tr("rows computed from the pixel's position"); break;
        }
        const bool nonzeros = kind.format == Format::coordinates || kind.format == Format::rows;
        strip.lines = nonzeros ? 3 : strip.stored.bytes == 0 ? 2 : std::max(1, strip.stored.width);
        if (strip.stored.tail > 0) ++strip.lines;
        lines += strip.lines;
        made.push_back(strip);
    }
    const double heads = static_cast<double>(made.size()) * (kStripHead + kBetween) + kBetween;
    const double each = std::clamp((height() - heads) / lines, double(kLeastLine), double(kMostLine));
    double top = kBetween;
    for (Strip& strip : made) {
        strip.head = QRectF(kEdge, top, width() - 2 * kEdge, kStripHead);
        strip.cells = QRectF(kEdge, strip.head.bottom() + 1, strip.head.width(), strip.lines * each);
        top = strip.cells.bottom() + kBetween;
    }
    return made;
}

QString FormatsView::bytesOf(const Strip& strip) const {
    return tr("%1 bytes").arg(format::integer(strip.stored.bytes));
}

QString FormatsView::figures(const Strip& strip) const {
    const QString bytes = bytesOf(strip);
    if (strip.stored.bytes == 0) return bytes;
    const double each = static_cast<double>(strip.stored.bytes) / static_cast<double>(strip.stored.nonzeros);
    return tr("%1 per nonzero, %2").arg(QString::number(each, 'f', 1), bytes);
}

bool FormatsView::possible(const Strip& strip) const {
    return strip.format != Format::diagonals || !m_rows->posed.masked;
}

/// Whether place `k` of a row's column holds a nonzero.
bool FormatsView::filled(const Strip& strip, int row, int k) const {
    if (row >= m_first + m_count) return false;
    return strip.format == Format::diagonals ? onDiagonal(*m_rows, row, strip.offsets[static_cast<std::size_t>(k)])
                                             : k < length(row);
}

QString FormatsView::spoken() const {
    QStringList all;
    for (const Strip& strip : strips()) {
        const QString name = nameOf(strip.format, *strip.variant);
        all << (possible(strip) ? tr("%1: %2; %3 (counted)").arg(name, strip.words, figures(strip))
                                : tr("%1: %2").arg(name, strip.words));
    }
    return all.join(u'\n');
}

void FormatsView::paintHead(QPainter& painter, const Strip& strip) const {
    QRectF rest = strip.head;
    drawShape(painter, QRectF(rest.left(), rest.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox),
              strip.variant->idea);
    rest.setLeft(rest.left() + kGlyphBox + 6);
    const auto width = [](const QFont& font, const QString& text) {
        return QFontMetricsF(font).horizontalAdvance(text);
    };
    const QFont bold = boldFont(TextSize::body), plain = textFont(TextSize::caption),
                strong = boldFont(TextSize::caption);
    const QString name = nameOf(strip.format, *strip.variant);
    QString numbers = figures(strip);
    writeText(painter, rest, Qt::AlignVCenter | Qt::AlignLeft, name, Role::text1, bold);
    rest.setLeft(rest.left() + width(bold, name) + 10);
    if (possible(strip)) {
        const QRectF glyph(rest.right() - kGlyphBox, rest.center().y() - kGlyphBox / 2.0, kGlyphBox, kGlyphBox);
        drawOriginGlyph(painter, glyph, Origin::counted);
        rest.setRight(glyph.left() - 5);
        // A large type leaves room for the sum alone.
        if (width(strong, numbers) > rest.width()) numbers = bytesOf(strip);
        writeText(painter, rest, Qt::AlignVCenter | Qt::AlignRight, numbers, Role::text1, strong);
        rest.setRight(rest.right() - width(strong, numbers) - 8);
    }
    if (rest.width() < 24) return;
    writeText(painter, rest, Qt::AlignVCenter | Qt::AlignLeft,
              QFontMetricsF(plain).elidedText(strip.words, Qt::ElideRight, rest.width()), Role::text2, plain);
}

/// Coordinates and rows: a column a nonzero, rows told apart by two shades.
void FormatsView::paintNonzeros(QPainter& painter, const Strip& strip) const {
    const double high = line(strip), each = strip.cells.width() / static_cast<double>(strip.stored.nonzeros);
    const double gap = each >= 4 ? 1 : 0;
    const QColor ink = colour(strip.variant->idea);
    const bool starts = strip.format == Format::rows;
    if (starts) {
        const double wide = strip.cells.width() / (m_count + 1);
        painter.setBrush(Qt::NoBrush);
        for (int i = 0; i <= m_count; ++i) {
            const bool chosen = m_first + i == m_row || m_first + i == m_row + 1;
            painter.setPen(QPen(chosen ? colour(Role::accent) : ink, (chosen ? 2 : 1) * lineScale()));
            painter.drawRect(QRectF(strip.cells.left() + i * wide + 0.5, strip.cells.top() + 0.5, wide - 2, high - 2));
        }
    }
    double left = strip.cells.left();
    for (int row = m_first; row < m_first + m_count; ++row) {
        QColor shade = row == m_row ? colour(Role::accent) : ink;
        if (row != m_row && row % 2 != 0) shade.setAlphaF(0.55F);
        for (int k = 0; k < length(row); ++k, left += each)
            for (int i = starts ? 1 : 0; i < 3; ++i)
                paintPlace(painter, QRectF(left, strip.cells.top() + i * high, each - gap, high - 1), shade, true);
    }
}

/// ELL, its slices and hybrid: a column a row, and the tail below.
void FormatsView::paintPlaces(QPainter& painter, const Strip& strip) const {
    const double high = line(strip), each = strip.cells.width() / gpu::sparse::kWarp;
    const QColor ink = colour(strip.variant->idea), waiting = colour(Role::text3);
    // A slice of fewer rows is stored whole.
    const int columns = strip.format == Format::sliced ? gpu::sparse::kWarp : m_count;
    for (int i = 0; i < columns; ++i) {
        const int row = m_first + i;
        for (int k = 0; k < strip.stored.width; ++k) {
            const bool holds = filled(strip, row, k);
            const QRectF box(strip.cells.left() + i * each, strip.cells.top() + k * high, each - 1, high - 1);
            paintPlace(painter, box, row == m_row ? colour(Role::accent) : holds ? ink : waiting, holds);
        }
    }
    if (strip.stored.tail == 0) return;
    const double top = strip.cells.bottom() - high;
    const double wide = std::min(each, strip.cells.width() * 0.8 / static_cast<double>(strip.stored.tail));
    const QColor coordinates = colour(gpu::findVariant("sparse", "coo")->idea);
    double left = strip.cells.left();
    for (int row = m_first; row < m_first + m_count; ++row)
        for (int k = strip.stored.width; k < length(row); ++k, left += wide)
            paintPlace(painter, QRectF(left, top + 1, std::max(1.0, wide - 1), high - 1),
                       row == m_row ? colour(Role::accent) : coordinates, true);
    writeText(painter, QRectF(left + 6, top - 2, 120, high + 4), Qt::AlignVCenter | Qt::AlignLeft, tr("tail"),
              Role::text2, textFont(TextSize::caption));
}

void FormatsView::paintNothing(QPainter& painter, const Strip& strip) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour(strip.variant->idea), 1.5 * lineScale(), Qt::DashLine));
    painter.drawRect(strip.cells.adjusted(1, 1, -1, -1));
    const QFont font = textFont(TextSize::caption);
    if (possible(strip) && strip.cells.height() >= QFontMetricsF(font).height() + 4)
        writeText(painter, strip.cells, Qt::AlignCenter, tr("nothing stored"), Role::text1, font);
}

void FormatsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    for (const Strip& strip : strips()) {
        painter.setRenderHint(QPainter::Antialiasing);
        paintHead(painter, strip);
        if (strip.stored.bytes == 0)
            paintNothing(painter, strip);
        else if (strip.format == Format::coordinates || strip.format == Format::rows)
            paintNonzeros(painter, strip);
        else
            paintPlaces(painter, strip);
    }
}

int FormatsView::rowAt(const Strip& strip, QPointF place) const {
    if (!strip.cells.contains(place) || strip.stored.bytes == 0) return -1;
    const double share = (place.x() - strip.cells.left()) / strip.cells.width();
    if (strip.format == Format::coordinates || strip.format == Format::rows) {
        auto nonzero = static_cast<std::int64_t>(share * static_cast<double>(strip.stored.nonzeros));
        for (int row = m_first; row < m_first + m_count; ++row)
            if ((nonzero -= length(row)) < 0) return row;
        return -1;
    }
    const int row = m_first + static_cast<int>(share * gpu::sparse::kWarp);
    return row < m_first + m_count ? row : -1;
}

void FormatsView::mousePressEvent(QMouseEvent* event) {
    for (const Strip& strip : strips())
        if (const int row = rowAt(strip, event->position()); row >= 0) return emit rowChosen(row);
}

void FormatsView::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (by == 0) return QWidget::keyPressEvent(event);
    emit rowChosen(m_row + by);
}

QString FormatsView::tipAt(QPoint place) const {
    for (const Strip& strip : strips()) {
        const int row = rowAt(strip, place);
        if (row >= 0) return tr("row %1: %2 nonzeros").arg(format::integer(row), format::integer(length(row)));
        if (!strip.head.contains(place)) continue;
        const auto all = storedRows(*m_rows, strip.format, 0, m_rows->count());
        return tr("%1: %2.\nThese %3 rows: %4. The whole matrix: %5 (counted).")
            .arg(nameOf(strip.format, *strip.variant), strip.words)
            .arg(m_count)
            .arg(figures(strip), format::bytes(all.bytes));
    }
    return {};
}

}  // namespace warplens::gui
