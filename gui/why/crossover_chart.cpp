// SPDX-License-Identifier: Apache-2.0
#include "gui/why/crossover_chart.hpp"

#include "gui/kit/theme/glyphs.hpp"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

double wide(const QFont& font, const QString& text) { return QFontMetricsF(font).horizontalAdvance(text); }

QColor between(const QColor& from, const QColor& to, double share) {
    const auto mixed = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
    return {mixed(from.red(), to.red()), mixed(from.green(), to.green()), mixed(from.blue(), to.blue())};
}

}  // namespace

CrossoverChart::CrossoverChart(QWidget* parent) : Plot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Map over two axes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize CrossoverChart::sizeHint() const { return {760, 480}; }

QSize CrossoverChart::minimumSizeHint() const { return {320, 200}; }

void CrossoverChart::setMap(Map map) {
    m_map = std::move(map);
    const int columns = static_cast<int>(m_map.columns.size()), rows = static_cast<int>(m_map.rows.size());
    m_chosen = {std::clamp(m_chosen.x(), 0, std::max(0, columns - 1)),
                std::clamp(m_chosen.y(), 0, std::max(0, rows - 1))};
    const Cell* cell = at(m_chosen);
    setAccessibleDescription(cell == nullptr ? QString() : cell->spoken);
    update();
}

const CrossoverChart::Cell* CrossoverChart::at(QPoint cell) const {
    const auto columns = static_cast<int>(m_map.columns.size());
    if (cell.x() < 0 || cell.y() < 0 || cell.x() >= columns || cell.y() >= m_map.rows.size()) return nullptr;
    return &m_map.cells[static_cast<std::size_t>(cell.y() * columns + cell.x())];
}

void CrossoverChart::choose(QPoint cell) {
    if (at(cell) == nullptr || cell == m_chosen) return;
    m_chosen = cell;
    setAccessibleDescription(at(cell)->spoken);
    update();
    emit cellChosen(cell);
}

QRectF CrossoverChart::area() const {
    const QFont caption = textFont(TextSize::caption);
    double left = 0;
    for (const QString& row : m_map.rows) left = std::max(left, wide(textFont(TextSize::body), row));
    return QRectF(rect()).adjusted(left + QFontMetricsF(caption).height() + 3 * kGap, kGap, -kDockMargin,
                                   -2.0 * kRowHeight - 4);
}

QRectF CrossoverChart::cellRect(QPoint cell) const {
    const QRectF box = area();
    const double width = box.width() / std::max<double>(1, static_cast<double>(m_map.columns.size()));
    const double height = box.height() / std::max<double>(1, static_cast<double>(m_map.rows.size()));
    return {box.left() + cell.x() * width, box.top() + cell.y() * height, width, height};
}

std::optional<QPoint> CrossoverChart::cellAt(QPointF place) const {
    for (int row = 0; row < m_map.rows.size(); ++row)
        for (int column = 0; column < m_map.columns.size(); ++column)
            if (cellRect({column, row}).contains(place)) return QPoint(column, row);
    return std::nullopt;
}

void CrossoverChart::paintCell(QPainter& painter, const QRectF& box, const Cell& cell) const {
    const QFont bold = boldFont(TextSize::body), plain = textFont(TextSize::caption),
                figures = boldFont(TextSize::sentence);
    const QColor background = cell.idea           ? colour(*cell.idea)
                              : cell.share        ? between(colour(Role::dock), colour(Role::bars), *cell.share)
                              : cell.same.empty() ? colour(Role::dock)
                                                  : colour(Role::control);
    const QColor ink = cell.idea || cell.share ? inkOn(background)
                       : cell.same.empty()     ? colour(Role::text3)
                                               : colour(Role::text1);
    painter.setPen(QPen(colour(Role::hairline), 1));
    painter.setBrush(background);
    painter.drawRect(box);
    painter.setBrush(Qt::NoBrush);
    const double mark = kGlyphBox, room = box.width() - 8;
    const QFontMetricsF names(bold), small(plain), large(figures);
    // What does not fit goes: first what it is ahead of, then the name, whose shape and colour stay; in a low cell the
    // figure stands in the name's place.
    const bool low = !cell.figure.isEmpty() && names.height() + large.height() > box.height() - 2;
    // Those that share a cell are the same by a word, too.
    const std::size_t marks = cell.idea ? 1 : std::min<std::size_t>(cell.same.size(), 4);
    const double shapes = static_cast<double>(marks) * (mark + 4);
    const QString both = cell.name + u' ' + cell.figure;
    const bool word = !cell.same.empty() && shapes + names.horizontalAdvance(both) <= room - 4 * lineScale();
    // Without room for both the word is worth more than the figure, which then is close to 1.
    const QString& title = !low ? cell.name : word ? both : cell.same.empty() ? cell.figure : cell.name;
    const bool detail = !cell.detail.isEmpty() && small.horizontalAdvance(cell.detail) <= room &&
                        names.height() + large.height() + small.height() <= box.height() - 4;
    const bool name = shapes + names.horizontalAdvance(title) <= room;
    const bool figure = !low && !cell.figure.isEmpty();
    double y = box.center().y() - (names.height() + (figure ? large.height() : 0) + (detail ? small.height() : 0)) / 2;
    double x = box.center().x() - (shapes + (name ? names.horizontalAdvance(title) : -4)) / 2;
    for (std::size_t i = 0; i < marks; ++i, x += mark + 4) {
        const QRectF place(x, y + (names.height() - mark) / 2, mark, mark);
        if (cell.idea)
            drawShape(painter, place, shapeOf(*cell.idea), ink);
        else
            drawShape(painter, place, cell.same[i]);
    }
    painter.setPen(ink);
    painter.setFont(bold);
    if (name)
        painter.drawText(QRectF(x, y, names.horizontalAdvance(title) + 2, names.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, title);
    y += names.height();
    if (figure) {
        painter.setFont(large.horizontalAdvance(cell.figure) <= room ? figures : bold);
        painter.drawText(QRectF(box.left(), y, box.width(), large.height()), Qt::AlignCenter, cell.figure);
        y += large.height();
    }
    paintOrigin(painter, box, cell,
                std::max(names.horizontalAdvance(title) + shapes, figure ? wide(figures, cell.figure) : 0));
    if (!detail) return;
    painter.setFont(plain);
    painter.setPen(ink);
    painter.drawText(QRectF(box.left(), y, box.width(), small.height()), Qt::AlignCenter, cell.detail);
}

/// In the corner, where it touches no words: `taken` is their width.
void CrossoverChart::paintOrigin(QPainter& painter, const QRectF& box, const Cell& cell, double taken) const {
    const double mark = kGlyphBox;
    if (!cell.origin || box.width() - taken < 2 * (mark + 4) || box.height() < mark + 6) return;
    const QRectF place(box.right() - mark - 3, box.top() + 3, mark, mark);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(Role::dock));
    painter.drawRoundedRect(place.adjusted(-1, -1, 1, 1), 3, 3);
    painter.setBrush(Qt::NoBrush);
    drawOriginGlyph(painter, place, *cell.origin);
}

void CrossoverChart::paintEvent(QPaintEvent*) {
    if (m_map.cells.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = area();
    const QFont body = textFont(TextSize::body), caption = textFont(TextSize::caption);
    for (int row = 0; row < m_map.rows.size(); ++row)
        for (int column = 0; column < m_map.columns.size(); ++column)
            paintCell(painter, cellRect({column, row}).adjusted(1, 1, -1, -1), *at({column, row}));
    painter.setPen(colour(Role::text2));
    painter.setFont(body);
    for (int row = 0; row < m_map.rows.size(); ++row) {
        const QRectF cell = cellRect({0, row});
        painter.drawText(QRectF(0, cell.top(), box.left() - kGap, cell.height()), Qt::AlignRight | Qt::AlignVCenter,
                         m_map.rows[row]);
    }
    for (int column = 0; column < m_map.columns.size(); ++column) {
        const QRectF cell = cellRect({column, 0});
        const QString& size = m_map.columns[column];
        painter.setFont(wide(body, size) <= cell.width() - 6 ? body : caption);
        painter.drawText(QRectF(cell.left(), box.bottom() + 2, cell.width(), kRowHeight), Qt::AlignCenter, size);
    }
    writeText(painter, QRectF(box.left(), box.bottom() + kRowHeight, box.width(), kRowHeight), Qt::AlignCenter,
              m_map.columnTitle, Role::text3, caption);
    painter.save();
    painter.translate(kGap, box.center().y());
    painter.rotate(-90);
    const double high = QFontMetricsF(caption).height();
    painter.drawText(QRectF(-box.height() / 2, 0, box.height(), high), Qt::AlignCenter, m_map.rowTitle);
    painter.restore();
    if (at(m_chosen) == nullptr) return;
    painter.setBrush(Qt::NoBrush);
    const QRectF chosen = cellRect(m_chosen).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(colour(Role::canvas), 5 * lineScale()));
    painter.drawRect(chosen);
    painter.setPen(QPen(colour(Role::accent), 2.5 * lineScale()));
    painter.drawRect(chosen);
}

void CrossoverChart::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position()); cell && event->button() == Qt::LeftButton) return choose(*cell);
    QWidget::mousePressEvent(event);
}

void CrossoverChart::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return choose(m_chosen + QPoint(-1, 0));
        case Qt::Key_Right: return choose(m_chosen + QPoint(1, 0));
        case Qt::Key_Up: return choose(m_chosen + QPoint(0, -1));
        case Qt::Key_Down: return choose(m_chosen + QPoint(0, 1));
        case Qt::Key_Return:
        case Qt::Key_Enter: emit taken(); return;
        default: QWidget::keyPressEvent(event);
    }
}

QString CrossoverChart::tipAt(QPoint place) const {
    const auto cell = cellAt(place);
    return cell ? at(*cell)->spoken : QString();
}

}  // namespace warplens::gui
