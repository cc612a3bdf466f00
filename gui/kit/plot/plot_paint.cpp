// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/paint.hpp"
#include "gui/kit/plot/plot_data.hpp"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kWords{16}, kLegendRow{18}, kTitleBelow{20}, kSample{18};
constexpr double kBeside = 6, kBelow = 4;  // pixels between an axis and its numbers
constexpr int kNamesInARow = 2, kFillAlpha = 46;

double wide(const QFont& font, const QString& text) { return QFontMetricsF(font).horizontalAdvance(text); }

QRectF around(QPointF at, double size) { return {at.x() - size / 2, at.y() - size / 2, size, size}; }

bool finite(QPointF at) { return std::isfinite(at.x()) && std::isfinite(at.y()); }

/// Of points that share a column of pixels the first, the lowest, the highest and the last: no more can be seen. Or the
/// highest alone.
QPolygonF thinned(const QPolygonF& line, bool peaks) {
    QPolygonF kept;
    for (qsizetype first = 0, next = 0; first < line.size(); first = next) {
        qsizetype low = first, high = first;
        for (next = first; next < line.size() && std::floor(line[next].x()) == std::floor(line[first].x()); ++next) {
            if (line[next].y() < line[low].y()) low = next;
            if (line[next].y() > line[high].y()) high = next;
        }
        if (peaks && next - first > 2) {
            kept << QPointF(line[first].x(), line[low].y());
            continue;
        }
        qsizetype before = -1;
        for (const qsizetype i : {first, std::min(low, high), std::max(low, high), next - 1})
            if (i > before) kept << line[before = i];
    }
    return kept;
}

QPen penOf(const LineMark& line) {
    QPen pen(line.ink.colour(), line.width * lineScale(), Qt::SolidLine,
             line.dashes.isEmpty() ? Qt::RoundCap : Qt::FlatCap, Qt::RoundJoin);
    if (!line.dashes.isEmpty()) pen.setDashPattern(line.dashes);
    return pen;
}

class PlotPainter {
public:
    PlotPainter(QPainter& painter, const QRectF& box, const PlotData& plot)
        : m_painter(painter), m_box(box), m_plot(plot), m_places(placesIn(box, plot)), m_area(m_places.area) {}

    void paint(int chosen) {
        m_painter.save();
        m_painter.setFont(textFont(TextSize::caption));
        const bool empty = m_plot.isEmpty();
        if (m_plot.ground) m_painter.fillRect(m_box, colour(Role::dock));
        if (!empty && m_plot.pointer == Pointer::band) paintPointer(chosen);
        if (!empty || m_plot.axesWhenEmpty) {
            paintRanks();
            paintAcross();
        }
        if (empty)
            writeText(m_painter, m_area, Qt::AlignCenter | Qt::TextWordWrap, m_plot.empty, Role::text2);
        else
            paintInside(chosen);
        m_painter.restore();
    }

    void operator()(const LineMark& line) { paintLine(line); }
    void operator()(const PointMark& dots) {
        if (dots.ink) {
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(dots.ink->colour());
            const double radius = dots.size / 2 * lineScale();
            for (const QPointF& at : dots.at)
                if (const QPointF place = m_places.place(at); finite(place))
                    m_painter.drawEllipse(place, radius, radius);
            m_painter.setBrush(Qt::NoBrush);
            return;
        }
        for (const QPointF& at : dots.at)
            if (const QPointF place = m_places.place(at); finite(place))
                drawShape(m_painter, around(place, dots.size == 14 ? double(kGlyphBox) : dots.size), dots.idea);
    }
    void operator()(const WhiskerMark& mark) {
        m_painter.setPen(QPen(mark.ink.colour(), lineScale()));
        for (const auto& [at, low, high] : mark.whiskers) {
            const QPointF from = m_places.place({at, low}), to = m_places.place({at, high});
            if (finite(from) && finite(to)) m_painter.drawLine(from, to);
        }
    }
    void operator()(const BarMark& mark) { paintBars(mark); }
    void operator()(const BandMark& band) {
        const double from = m_places.x.pixel(band.from), to = m_places.x.pixel(band.to);
        if (!std::isfinite(from) || !std::isfinite(to)) return;
        m_painter.fillRect(QRectF(from, m_area.top(), to - from, m_area.height()), band.ink.colour());
        if (!band.handles) return;
        for (const double end : {std::round(from), std::round(to)}) {
            m_painter.fillRect(QRectF(end - 1, m_area.top() - 4, 2, m_area.height() + 8), colour(Role::accent));
            m_painter.fillRect(QRectF(end - 4, m_area.top() - 10, 8, 12), colour(Role::accent));
        }
    }
    void operator()(const RuleMark& rule) {
        const double at = (rule.upright ? m_places.x : m_places.y).pixel(rule.at);
        if (!std::isfinite(at)) return;
        m_painter.setPen(QPen(rule.ink.colour(), rule.width * lineScale()));
        if (rule.upright)
            m_painter.drawLine(QPointF(at, m_area.top()), QPointF(at, m_area.bottom()));
        else
            m_painter.drawLine(QPointF(m_area.left(), at), QPointF(m_area.right(), at));
    }
    void operator()(const CellMark& cell) { paintCell(cell); }
    void operator()(const TextMark& text) {
        const QPointF at = m_places.place(text.at);
        if (finite(at))
            writeText(m_painter, QRectF(at.x() + kGap, at.y() - kWords / 2.0, m_box.right() - at.x(), kWords),
                      Qt::AlignLeft | Qt::AlignVCenter, text.text, text.ink);
    }
    void operator()(const StatusAtFoot& status) {
        const double mark = kGlyphBox;
        drawStatusGlyph(m_painter, around({m_places.x.pixel(status.at), m_area.bottom() - mark / 2 - 2}, mark),
                        status.state);
    }

private:
    /// The numbers of the vertical axis, its title, and what stands above.
    void paintRanks() {
        const PlotAxis& axis = m_plot.y;
        const QFont font = textFont(axis.size);
        m_painter.setFont(font);
        for (const double tick : axis.bare ? std::vector<double>() : ticksOf(axis, m_places.y)) {
            const double y = m_places.y.pixel(tick);
            if (axis.grid)
                m_painter.fillRect(QRectF(m_area.left(), std::round(y), m_area.width(), 1), colour(Role::hairline));
            const double high = QFontMetricsF(font).height();
            writeText(m_painter, QRectF(m_box.left(), y - high / 2, m_area.left() - kBeside - m_box.left(), high),
                      Qt::AlignRight | Qt::AlignVCenter, textAt(axis, tick), Role::text2);
        }
        const QFont caption = textFont(TextSize::caption);
        m_painter.setFont(caption);
        if (m_plot.second)
            for (const double tick : ticksOf(*m_plot.second, m_places.second))
                writeText(m_painter,
                          QRectF(m_area.right() + kGap, m_places.second.pixel(tick) - kWords / 2.0,
                                 m_box.right() - m_area.right() - kGap, kWords),
                          Qt::AlignLeft | Qt::AlignVCenter, m_plot.second->text(tick), Role::text2);
        if (!axis.title.isEmpty()) {
            m_painter.save();
            m_painter.translate(m_box.left() + kGap, m_area.center().y());
            m_painter.rotate(-90);
            writeText(m_painter, QRectF(-m_area.height() / 2, 0, m_area.height(), QFontMetricsF(caption).height()),
                      Qt::AlignCenter, axis.title, Role::text3);
            m_painter.restore();
        }
        if (m_plot.head.isEmpty()) return;
        const double left = m_box.left() + kDockMargin, mark = kGlyphBox;
        writeText(m_painter, QRectF(left, m_box.top(), m_box.right() - left, kRowHeight),
                  Qt::AlignLeft | Qt::AlignVCenter, m_plot.head, Role::text2);
        if (m_plot.origin)
            drawOriginGlyph(
                m_painter,
                QRectF(left + wide(caption, m_plot.head) + kGap, m_box.top() + (kRowHeight - mark) / 2, mark, mark),
                *m_plot.origin);
    }

    /// The numbers of the horizontal axis and its titles.
    void paintAcross() {
        const PlotAxis& axis = m_plot.x;
        const QFont caption = textFont(TextSize::caption), large = textFont(axis.size);
        const double high = axis.size == TextSize::caption ? double(kWords) : double(kRowHeight);
        const double top = m_area.bottom() + kBelow;
        m_painter.setFont(caption);
        const double end = axis.end.isEmpty() ? m_box.right() : m_box.right() - kBelow - wide(caption, axis.end);
        if (!axis.end.isEmpty())
            writeText(m_painter, QRectF(end - 1, top, m_box.right() - kBelow - end + 1, high),
                      Qt::AlignRight | Qt::AlignVCenter, axis.end, Role::text2);
        const std::vector<QRectF> taken = paintStrong(top, high);
        for (const double tick : ticksOf(axis, m_places.x)) {
            const double x = m_places.x.pixel(tick);
            if (axis.grid)
                m_painter.fillRect(QRectF(std::round(x), m_area.top(), 1, m_area.height()), colour(Role::hairline));
            const QString text = textAt(axis, tick);
            const bool category = axis.kind == ScaleKind::category;
            const double room = category ? m_places.band(tick).width() : wide(caption, text) + 2;
            // A number that touches the words at the end goes; at the edge it moves inwards.
            if (!axis.end.isEmpty() && x + room / 2 > end - kGap) continue;
            const double left =
                category ? x - room / 2
                         : std::clamp(x - room / 2, m_box.left(), std::max(m_box.left(), m_box.right() - room));
            if (std::ranges::any_of(taken, [&](const QRectF& box) {
                    return box.intersects(QRectF(left - kGap, top, room + 2 * kGap, high));
                }))
                continue;
            m_painter.setFont(wide(large, text) <= room - 6 ? large : caption);
            writeText(m_painter, QRectF(left, top, room, high), Qt::AlignCenter, text, Role::text2);
        }
        m_painter.setFont(caption);
        if (m_plot.foot)
            m_painter.fillRect(QRectF(m_area.left(), m_area.bottom(), m_area.width(), 1), colour(Role::text3));
        if (axis.title.isEmpty()) return;
        const QString title = titleOf(axis, m_area.width());
        // A long one takes the room beside the plot as well.
        const QRectF& across = wide(caption, title) <= m_area.width() ? m_area : m_box;
        writeText(m_painter,
                  QRectF(across.left(), m_area.bottom() + kTitleBelow + high - kWords, across.width(), kWords),
                  Qt::AlignCenter, title, Role::text2);
    }

    /// Two that would overlap move apart.
    std::vector<QRectF> paintStrong(double top, double high) {
        std::vector<QRectF> boxes;
        const QFont bold = boldFont(TextSize::caption);
        for (const double value : m_plot.x.strong) {
            const double room = wide(bold, m_plot.x.text(value)) + 2;
            const double left = m_places.x.pixel(value) - room / 2;
            boxes.emplace_back(std::clamp(left, m_box.left() + 2, std::max(m_box.left() + 2, m_box.right() - room - 2)),
                               top, room, high);
        }
        for (std::size_t i = 1; i < boxes.size(); ++i)
            if (const double overlap = boxes[i - 1].right() + kGap - boxes[i].left(); overlap > 0) {
                boxes[i - 1].translate(-overlap / 2, 0);
                boxes[i].translate(overlap / 2, 0);
            }
        for (std::size_t i = 0; i < boxes.size(); ++i)
            writeText(m_painter, boxes[i], Qt::AlignCenter, m_plot.x.text(m_plot.x.strong[i]), Role::accent, bold);
        m_painter.setFont(textFont(TextSize::caption));
        return boxes;
    }

    void paintInside(int chosen) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setBrush(Qt::NoBrush);
        const auto behind = [](const PlotMark& mark) {
            const auto* line = std::get_if<LineMark>(&mark);
            return line != nullptr && !line->strong;
        };
        if (m_plot.faded) m_painter.setOpacity(0.45);
        for (const bool first : {true, false})
            for (const PlotMark& mark : m_plot.marks)
                if (behind(mark) == first) std::visit(*this, mark);
        m_painter.setOpacity(1);
        if (m_plot.pointer != Pointer::band) paintPointer(chosen);
        if (m_plot.legend == LegendPlace::below) paintNamesBelow();
        if (m_plot.legend == LegendPlace::ends) paintNamesAtTheEdge();
        if (m_plot.legend == LegendPlace::beside) paintNamesBeside();
        m_painter.setFont(textFont(TextSize::caption));
        if (!m_plot.note.isEmpty())
            writeText(m_painter, QRectF(m_box.left(), m_area.top() + 2, m_area.right() - kBelow - m_box.left(), kWords),
                      Qt::AlignRight | Qt::AlignVCenter, m_plot.note, Role::text3);
        if (m_plot.speaks && chosen >= 0 && chosen < m_plot.choices.size())
            writeText(m_painter, QRectF(m_box.left(), m_box.top(), m_box.width(), kWords),
                      Qt::AlignRight | Qt::AlignVCenter, m_plot.choices.spoken(chosen), Role::text1);
    }

    QString textAt(const PlotAxis& axis, double tick) const {
        return axis.kind == ScaleKind::category ? axis.categories.value(static_cast<int>(tick)) : axis.text(tick);
    }

    void paintLine(const LineMark& line) {
        QPolygonF part;
        const auto draw = [&] {
            if (line.fill && part.size() > 1) {
                QPolygonF area = thinned(part, line.peaks);
                area << QPointF(part.back().x(), m_area.bottom()) << QPointF(part.front().x(), m_area.bottom());
                QColor ink = line.fill->colour();
                ink.setAlpha(kFillAlpha);
                QPainterPath path;
                path.addPolygon(area);
                m_painter.fillPath(path, ink);
            }
            m_painter.setPen(penOf(line));
            if (part.size() == 1) m_painter.drawPoint(part.front());
            if (part.size() > 1) {
                const QPolygonF points = thinned(part, line.peaks);
                if (line.halo) {
                    m_painter.setPen(QPen(colour(Role::dock), (line.width + 2.6) * lineScale(), Qt::SolidLine,
                                          Qt::RoundCap, Qt::RoundJoin));
                    m_painter.drawPolyline(points);
                    m_painter.setPen(penOf(line));
                }
                m_painter.drawPolyline(points);
            }
            part.clear();
        };
        for (const QPointF& at : line.at) {
            const QPointF place(m_places.x.pixel(at.x()), (line.second ? m_places.second : m_places.y).pixel(at.y()));
            if (!finite(place)) {
                draw();
                continue;
            }
            if (line.stepped && !part.isEmpty()) part << QPointF(place.x(), part.back().y());
            part << place;
        }
        draw();
    }

    /// Whatever is more than nothing is seen; bars in one column of pixels are the highest of them.
    void paintBars(const BarMark& mark) {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t i = 0, next = 0; i < mark.bars.size(); i = next) {
            const BarMark::Bar& first = mark.bars[i];
            const double left = m_places.x.pixel(first.from);
            double highest = first.top, right = m_places.x.pixel(first.to);
            for (next = i + 1; next < mark.bars.size() && m_places.x.pixel(mark.bars[next].to) - left <= 1; ++next) {
                highest = std::max(highest, mark.bars[next].top);
                right = m_places.x.pixel(mark.bars[next].to);
            }
            const double top = m_places.y.pixel(highest), foot = m_places.y.pixel(first.foot);
            if (!finite({left, right}) || !finite({top, foot}) || highest == first.foot) continue;
            const double gap = right - left >= 3 ? 1 : 0;
            const QRectF bar(left, std::min({top, foot, std::max(top, foot) - 1}), std::max(1.0, right - left - gap),
                             std::max(1.0, std::abs(foot - top)));
            m_painter.fillRect(bar, mark.ink.colour());
            if (!mark.outline) continue;
            m_painter.setPen(QPen(mark.outline->colour(), 1));
            m_painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        m_painter.setRenderHint(QPainter::Antialiasing);
    }

    void paintPointer(int chosen) {
        if (chosen < 0 || chosen >= m_plot.choices.size()) return;
        const QPointF value = m_plot.choices.at[chosen], at = m_places.place(value);
        const QColor ink = colour(Role::accent);
        switch (m_plot.pointer) {
            case Pointer::none: return;
            case Pointer::rule: {
                m_painter.setPen(QPen(ink, 1.6 * lineScale()));
                m_painter.drawLine(QPointF(at.x(), m_area.top()), QPointF(at.x(), m_area.bottom()));
                if (!finite(at)) return;
                m_painter.setBrush(ink);
                m_painter.drawEllipse(at, 5, 5);
                m_painter.setBrush(Qt::NoBrush);
                if (m_plot.pointerText != nullptr) paintPointerText(at, m_plot.pointerText(value.y()));
                return;
            }
            case Pointer::band:
                m_painter.setRenderHint(QPainter::Antialiasing);
                m_painter.setPen(QPen(ink, 2 * lineScale()));
                m_painter.setBrush(colour(Role::selection));
                m_painter.drawRect(m_places.band(value.x()));
                m_painter.setBrush(Qt::NoBrush);
                m_painter.setRenderHint(QPainter::Antialiasing, false);
                return;
            case Pointer::frame: {
                const QRectF box = m_places.cell(value).adjusted(1, 1, -1, -1);
                m_painter.setPen(QPen(colour(Role::canvas), 5 * lineScale()));
                m_painter.drawRect(box);
                m_painter.setPen(QPen(ink, 2.5 * lineScale()));
                m_painter.drawRect(box);
                return;
            }
            case Pointer::callout: return paintCallout(at, m_plot.choices.spoken(chosen));
            case Pointer::ring:
                if (!finite(at)) return;
                m_painter.setPen(QPen(ink, 2 * lineScale()));
                m_painter.drawEllipse(at, 7, 7);
                return;
        }
    }

    /// What is said of the one chosen in a box beside it, led to it by a line.
    void paintCallout(QPointF at, const QString& said) {
        const QFont bold = boldFont(TextSize::caption), plain = textFont(TextSize::caption);
        const QStringList lines = said.split(u'\n');
        double most = 0;
        for (const QString& line : lines) most = std::max(most, wide(bold, line));
        const double high = Length(17);
        QRectF box(0, m_area.top() + 4, most + 24, high * static_cast<double>(lines.size()) + 10);
        const bool left = at.x() - 24 - box.width() > m_area.left();
        box.moveLeft(left ? at.x() - 24 - box.width() : std::min(at.x() + 24, m_box.right() - box.width() - 4));
        m_painter.setPen(QPen(colour(Role::text2), 1));
        const QPointF corner(at.x(), box.center().y());
        m_painter.drawLine(QPointF(left ? box.right() : box.left(), corner.y()), corner);
        if (std::isfinite(at.y())) m_painter.drawLine(corner, at);
        m_painter.setPen(QPen(colour(Role::line), 1));
        m_painter.setBrush(colour(Role::field));
        m_painter.drawRoundedRect(box, 2, 2);
        m_painter.setBrush(Qt::NoBrush);
        for (qsizetype i = 0; i < lines.size(); ++i)
            writeText(m_painter, QRectF(box.left(), box.top() + 5 + high * static_cast<double>(i), box.width(), high),
                      Qt::AlignCenter, lines[i], Role::text1, i == 0 ? bold : plain);
    }

    void paintPointerText(QPointF at, const QString& text) {
        const bool left = at.x() > m_area.right() - Length(84);
        const double above = at.y() - Length(20) < m_area.top() ? at.y() + kBelow : at.y() - Length(20);
        m_painter.setFont(textFont(TextSize::caption));
        writeText(m_painter, QRectF(left ? at.x() - Length(88) : at.x() + kGap, above, Length(80), kWords),
                  (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text, Role::text1);
    }

    void paintCell(const CellMark& cell) {
        const QRectF box = m_places.cell(QPointF(cell.column, cell.row)).adjusted(1, 1, -1, -1);
        const QFont bold = boldFont(TextSize::body), plain = textFont(TextSize::caption),
                    figures = boldFont(TextSize::sentence);
        const QColor background = cell.ink.colour(), ink = cell.words ? colour(*cell.words) : inkOn(background);
        m_painter.setPen(QPen(colour(Role::hairline), 1));
        m_painter.setBrush(background);
        m_painter.drawRect(box);
        m_painter.setBrush(Qt::NoBrush);
        const double mark = kGlyphBox, room = box.width() - 8;
        const QFontMetricsF names(bold), small(plain), large(figures);
        const bool low = !cell.figure.isEmpty() && names.height() + large.height() > box.height() - 2;
        // Those that share a cell are the same by a word, too.
        const bool shared = cell.ideas.size() > 1;
        const std::size_t marks = std::min<std::size_t>(cell.ideas.size(), 4);
        const double shapes = static_cast<double>(marks) * (mark + 4);
        const QString both = cell.name + u' ' + cell.figure;
        const bool word = shared && shapes + names.horizontalAdvance(both) <= room - 4 * lineScale();
        // Without room for both the word is worth more than the figure, which then is close to 1.
        const QString& title = !low ? cell.name : word ? both : shared ? cell.name : cell.figure;
        const bool detail = !cell.detail.isEmpty() && small.horizontalAdvance(cell.detail) <= room &&
                            names.height() + large.height() + small.height() <= box.height() - 4;
        const bool name = shapes + names.horizontalAdvance(title) <= room, figure = !low && !cell.figure.isEmpty();
        double y =
            box.center().y() - (names.height() + (figure ? large.height() : 0) + (detail ? small.height() : 0)) / 2;
        double x = box.center().x() - (shapes + (name ? names.horizontalAdvance(title) : -4)) / 2;
        for (std::size_t i = 0; i < marks; ++i, x += mark + 4) {
            const QRectF place(x, y + (names.height() - mark) / 2, mark, mark);
            if (cell.plainShapes)
                drawShape(m_painter, place, shapeOf(cell.ideas[i]), ink);
            else
                drawShape(m_painter, place, cell.ideas[i]);
        }
        const auto write = [&](const QRectF& place, int side, const QString& text, const QFont& font) {
            m_painter.setFont(font);
            m_painter.setPen(ink);
            m_painter.drawText(place, side | Qt::AlignVCenter, text);
        };
        if (name) write({x, y, names.horizontalAdvance(title) + 2, names.height()}, Qt::AlignLeft, title, bold);
        y += names.height();
        if (figure) {
            write({box.left(), y, box.width(), large.height()}, Qt::AlignHCenter, cell.figure,
                  large.horizontalAdvance(cell.figure) <= room ? figures : bold);
            y += large.height();
        }
        const double taken =
            std::max(names.horizontalAdvance(title) + shapes, figure ? large.horizontalAdvance(cell.figure) : 0);
        if (detail) write({box.left(), y, box.width(), small.height()}, Qt::AlignHCenter, cell.detail, plain);
        // In the corner, where it touches no words.
        if (!cell.origin || box.width() - taken < 2 * (mark + 4) || box.height() < mark + 6) return;
        const QRectF place(box.right() - mark - 3, box.top() + 3, mark, mark);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colour(Role::dock));
        m_painter.drawRoundedRect(place.adjusted(-1, -1, 1, 1), 3, 3);
        m_painter.setBrush(Qt::NoBrush);
        drawOriginGlyph(m_painter, place, *cell.origin);
    }

    void paintNamesBelow() {
        m_painter.setFont(textFont(TextSize::caption));
        const QFontMetricsF metrics(m_painter.font());
        const double column = (m_box.width() - 2.0 * kDockMargin) / kNamesInARow;
        int i = 0;
        for (const auto& [name, mark] : namesOf(m_plot)) {
            const auto& line = std::get<LineMark>(*mark);
            const QRectF box(m_box.left() + kDockMargin + i % kNamesInARow * column,
                             m_places.legendTop + i / kNamesInARow * kLegendRow, column - kGap, kLegendRow);
            ++i;
            const double middle = box.center().y();
            m_painter.setPen(penOf(line));
            m_painter.drawLine(QPointF(box.left(), middle), QPointF(box.left() + kSample, middle));
            double left = box.left() + kSample + 6;
            if (line.idea) {
                drawShape(m_painter, QRectF(left, middle - kGlyphBox / 2.0, kGlyphBox, kGlyphBox), *line.idea);
                left += kGlyphBox + 4;
            }
            const QRectF words(left, box.top(), box.right() - left, box.height());
            writeText(m_painter, words, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(name, Qt::ElideRight, words.width()), line.strong ? Role::text1 : Role::text2);
        }
    }

    /// The last point of a line; none: nothing of it is finite.
    std::optional<QPointF> endOf(const LineMark& line) const {
        for (auto at = line.at.rbegin(); at != line.at.rend(); ++at)
            if (const QPointF place = m_places.place(*at); finite(place)) return place;
        return std::nullopt;
    }

    struct Name {
        QPointF at;
        const LineMark* line;
    };
    /// Each at the height of its last point, moved down where the one above is in its place.
    std::vector<Name> apart(double high) const {
        std::vector<Name> names;
        for (const auto& [name, mark] : namesOf(m_plot))
            if (const auto end = endOf(std::get<LineMark>(*mark))) names.push_back({*end, &std::get<LineMark>(*mark)});
        std::ranges::stable_sort(names, {}, [](const Name& name) { return name.at.y(); });
        // From the foot up first, as there is nothing below it to go to.
        double below = m_area.bottom() + high / 2;
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            name->at.setY(std::min(name->at.y(), below));
            below = name->at.y() - high;
        }
        double above = m_area.top() - high;
        for (Name& name : names) {
            name.at.setY(std::max(name.at.y(), above));
            above = name.at.y() + high;
        }
        return names;
    }

    void paintNamesAtTheEdge() {
        const QFont font = textFont(TextSize::body);
        const double high = QFontMetricsF(font).height(), mark = kGlyphBox, x = m_area.right() + kGap;
        for (const auto& [at, line] : apart(high)) {
            if (line->idea) drawShape(m_painter, QRectF(x, at.y() - mark / 2, mark, mark), *line->idea);
            writeText(m_painter, QRectF(x + mark + 4, at.y() - high / 2, m_box.right() - x, high),
                      Qt::AlignLeft | Qt::AlignVCenter, line->name, Role::text1, font);
        }
    }

    void paintNamesBeside() {
        const QFont font = textFont(TextSize::caption);
        m_painter.setFont(font);
        for (const auto& [name, mark] : namesOf(m_plot))
            if (const auto end = endOf(std::get<LineMark>(*mark)))
                writeText(m_painter, QRectF(end->x() + kGap, end->y() - Length(9), wide(font, name) + 2, Length(18)),
                          Qt::AlignLeft | Qt::AlignVCenter, name, Role::text1);
    }

    QPainter& m_painter;
    const QRectF m_box;
    const PlotData& m_plot;
    const PlotPlaces m_places;
    const QRectF m_area;
};

}  // namespace

void paintPlot(QPainter& painter, const QRectF& box, const PlotData& plot, int chosen) {
    PlotPainter(painter, box, plot).paint(chosen);
}

}  // namespace warplens::gui
