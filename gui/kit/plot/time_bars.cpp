// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/plot/time_bars.hpp"

#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QPainter>
#include <QPixmap>
#include <QStringList>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kLeft{16}, kRight{16};
constexpr Length kBarHeight{12};
constexpr Length kCap{8};
constexpr double kWhisker = 1.4, kNarrowestWhisker = 4;
constexpr Length kLabelGap{7};
constexpr double kTicksApart = 56;

}  // namespace

TimeBar TimeBar::of(const gpu::Variant& variant) {
    TimeBar bar;
    bar.name = QString::fromStdString(variant.id);
    bar.idea = variant.idea;
    return bar;
}

std::vector<TimeBar::Piece> TimeBar::piecesOf(const gpu::Stages& stages) {
    using Id = gpu::RunColumn::Id;
    std::vector<Piece> pieces;
    for (const auto& [id, ms] : {std::pair{Id::upload, stages.upload},
                                 {Id::layout, stages.layout},
                                 {Id::kernel, stages.kernel},
                                 {Id::download, stages.download},
                                 {Id::display, stages.display}})
        if (ms.value_or(0) > 0) pieces.push_back({id, *ms});
    return pieces;
}

void TimeBar::setTime(const gpu::Timing& time, std::vector<Piece> of) {
    medianMs = time.medianMs;
    pieces = std::move(of);
    if (!pieces.empty() || time.samples < 2) return;
    q1Ms = time.q1Ms;
    q3Ms = time.q3Ms;
}

double TimeBar::length() const {
    double sum = 0;
    for (const Piece& piece : pieces) sum += piece.ms;
    return pieces.empty() ? *medianMs : sum;
}

TimeBars::TimeBars(QWidget* parent) : Plot(parent), m_head(kHeadHeight), m_row(kRowHeight) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Chart of times"));
}

void TimeBars::setBars(std::vector<TimeBar> bars) {
    m_bars = std::move(bars);
    describe();
    update();
}

void TimeBars::setLimit(std::optional<double> ms, const QString& formula) {
    m_limit = ms;
    m_formula = formula;
    describe();
    update();
}

void TimeBars::setRanking(bool ranking, const QString& title) {
    m_ranking = ranking;
    m_title = title;
    describe();
    update();
}

void TimeBars::setUnit(const QString& unit) {
    m_unit = unit;
    setAccessibleName(unit == tr("ms") ? tr("Chart of times") : tr("Chart of counts"));
    update();
}

void TimeBars::setOrigin(std::optional<Origin> origin) {
    m_origin = origin;
    describe();
    update();
}

void TimeBars::setHeadHeight(int height) {
    m_head = height;
    update();
}

void TimeBars::setRowHeight(int height) {
    m_row = height;
    update();
}

void TimeBars::setScrollOffset(int pixels) {
    m_offset = pixels;
    update();
}

void TimeBars::setSelectedRow(int row) {
    m_selected = row;
    update();
}

Scale TimeBars::axis() const {
    double longest = m_limit.value_or(0);
    const QFontMetricsF metrics(textFont(TextSize::caption));
    double label = 0;
    for (const TimeBar& bar : m_bars) {
        if (!bar.medianMs) continue;
        longest = std::max({longest, bar.length(), bar.q3Ms.value_or(0)});
        label = std::max(label, metrics.horizontalAdvance(format::milliseconds(bar.length())));
    }
    // The longest bar leaves room for its number; ticks go on beside it.
    const double right = width() - kRight, room = right - label - kLabelGap - kCap - kLeft;
    if (longest <= 0 || room <= 0) return Scale(ScaleKind::linear, 0, 1, kLeft, kLeft);
    return Scale(ScaleKind::linear, 0, longest * (right - kLeft) / room, kLeft, right);
}

/// The lower edge of the last row with a bar; notes below it are no part of the scale.
double TimeBars::barsBottom() const {
    const auto last =
        std::find_if(m_bars.rbegin(), m_bars.rend(), [](const TimeBar& bar) { return bar.medianMs.has_value(); });
    return static_cast<double>(m_head) + static_cast<double>(m_bars.rend() - last) * m_row - m_offset;
}

void TimeBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    const Scale scale = axis();
    painter.save();
    painter.setClipRect(
        QRectF(0, m_head, width(), (height() - m_head) / m_row * m_row));  // whole rows, as the table has
    paintRows(painter, scale);
    painter.restore();
    paintAxis(painter, scale);
    painter.fillRect(QRectF(0, m_head - 1, width(), 1), colour(Role::line));
}

void TimeBars::paintRows(QPainter& painter, const Scale& scale) const {
    const auto topOf = [this](std::size_t row) {
        return static_cast<double>(m_head) + static_cast<double>(row) * m_row - m_offset;
    };
    if (m_selected >= 0 && m_selected < static_cast<int>(m_bars.size())) {
        painter.fillRect(QRectF(0, topOf(static_cast<std::size_t>(m_selected)), width(), m_row),
                         colour(Role::selection));
    }
    for (const double tick : scale.ticks(kTicksApart)) {
        if (tick > 0)
            painter.fillRect(QRectF(std::round(scale.pixel(tick)), m_head, 1, height() - m_head),
                             colour(Role::hairline));
    }
    painter.setFont(textFont(TextSize::caption));
    for (std::size_t row = 0; row < m_bars.size(); ++row) {
        const double top = topOf(row);
        if (top + m_row < m_head || top > height()) continue;
        const TimeBar& bar = m_bars[row];
        if (bar.medianMs) {
            paintBar(painter, scale, bar, top, static_cast<int>(row) == m_selected);
        } else {
            writeText(painter, QRectF(kLeft, top, width() - kLeft - kRight, m_row), Qt::AlignVCenter, bar.note,
                      static_cast<int>(row) == m_selected ? Role::text2 : Role::text3);
        }
    }
}

void TimeBars::paintPieces(QPainter& painter, const Scale& scale, const TimeBar& bar, double top) const {
    double from = 0;
    for (const TimeBar::Piece& piece : bar.pieces) {
        const double left = std::round(scale.pixel(from)), right = std::round(scale.pixel(from + piece.ms));
        paintStage(painter, QRectF(left, top + (m_row - kBarHeight) / 2.0, std::max(1.0, right - left), kBarHeight),
                   piece.stage, colour(bar.idea));
        from += piece.ms;
    }
}

void TimeBars::paintBar(QPainter& painter, const Scale& scale, const TimeBar& bar, double top, bool selected) const {
    const double middle = top + m_row / 2.0;
    const double end = scale.pixel(bar.length());
    const QColor ink = m_ranking ? colour(bar.idea) : colour(Role::text3);
    if (bar.pieces.empty())
        painter.fillRect(QRectF(kLeft, middle - kBarHeight / 2.0, std::max(1.0, end - kLeft), kBarHeight), ink);
    else
        paintPieces(painter, scale, bar, top);
    double right = end;
    if (bar.q1Ms && bar.q3Ms) {
        double from = scale.pixel(*bar.q1Ms), to = scale.pixel(*bar.q3Ms);
        if (const double missing = kNarrowestWhisker - (to - from); missing > 0) from -= missing / 2, to += missing / 2;
        painter.setPen(QPen(colour(Role::text1), kWhisker * lineScale(), Qt::SolidLine, Qt::FlatCap));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawLine(QPointF(from, middle), QPointF(to, middle));
        for (const double x : {from, to})
            painter.drawLine(QPointF(x, middle - kCap / 2.0), QPointF(x, middle + kCap / 2.0));
        right = std::max(right, to);
    }
    writeText(painter, QRectF(right + kLabelGap, top, width(), m_row), Qt::AlignVCenter,
              format::milliseconds(bar.length()),
              m_ranking  ? Role::text1
              : selected ? Role::text2
                         : Role::text3);
}

void TimeBars::paintAxis(QPainter& painter, const Scale& scale) const {
    painter.setFont(textFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    double right = width() - 4.0;
    if (m_origin && scale.valid()) {
        right -= kGlyphBox;
        painter.setRenderHint(QPainter::Antialiasing);
        drawOriginGlyph(painter, QRectF(right, (m_head - kGlyphBox) / 2.0, kGlyphBox, kGlyphBox), *m_origin);
        right -= kLabelGap;
    }
    const auto centred = [&](double x, const QString& text) {
        const double w = metrics.horizontalAdvance(text);
        return QRectF(std::clamp(x - w / 2, 4.0, std::max(4.0, right - w)), 0, w, m_head);
    };
    QRectF taken;
    if (m_limit && scale.valid()) {
        const double x = scale.pixel(*m_limit);
        QPen dashed(colour(Role::text1), 1.5 * lineScale(), Qt::CustomDashLine, Qt::FlatCap);
        dashed.setDashPattern({4 / 1.5, 3 / 1.5});
        painter.setPen(dashed);
        painter.drawLine(QPointF(x, m_head),
                         QPointF(x, std::max<double>(m_head, std::min<double>(height(), barsBottom()))));
        taken = centred(x, tr("limit"));
        writeText(painter, taken, Qt::AlignCenter, tr("limit"), Role::text1);
    }
    painter.setPen(colour(Role::text2));
    const std::vector<double> ticks = scale.ticks(kTicksApart);
    // A number stands at its line or not at all. The last one has the unit beside it: those before it make room.
    const QString unit = m_ranking ? m_unit : tr("CPU ms");
    QRectF after;
    for (std::size_t i = ticks.size(); i-- > 0;) {
        const QString text = tickText(ticks[i]);
        QRectF box = centred(scale.pixel(ticks[i]), text);
        const QRectF free = box.adjusted(-6, 0, 6, 0);
        // The limit's name is worth more than a tick's number.
        if (std::fabs(box.center().x() - scale.pixel(ticks[i])) > 2 || free.intersects(taken) || free.intersects(after))
            continue;
        painter.drawText(box, Qt::AlignCenter, text);
        if (after.isNull()) {
            QRectF beside(box.right() + kLabelGap, 0, metrics.horizontalAdvance(unit) + 1, m_head);
            if (beside.right() > right) beside.moveRight(box.left() - kLabelGap);
            if (!beside.intersects(taken)) {
                painter.drawText(beside, Qt::AlignCenter, unit);
                box |= beside;
            }
        }
        after = box;
    }
    if (ticks.empty() && !m_title.isEmpty())
        painter.drawText(QRectF(kLeft, 0, width() - kLeft, m_head), Qt::AlignVCenter, m_title);
}

int TimeBars::rowAt(double y) const {
    if (y < m_head || y >= height()) return -1;
    const int row = static_cast<int>(y - m_head + m_offset) / m_row;
    return row < static_cast<int>(m_bars.size()) ? row : -1;
}

void TimeBars::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position().y());
    if (row >= 0) emit rowChosen(row);
}

void TimeBars::wheelEvent(QWheelEvent* event) {
    // The table scrolls; this only follows.
    emit scrolled(event->angleDelta().y());
    event->accept();
}

void TimeBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_bars.size()) - 1;
    if (event->key() == Qt::Key_Up && m_selected > 0) return emit rowChosen(m_selected - 1);
    if (event->key() == Qt::Key_Down && m_selected < last) return emit rowChosen(m_selected + 1);
    QWidget::keyPressEvent(event);
}

QString TimeBars::spoken(const TimeBar& bar) const {
    if (!bar.medianMs) return bar.note.isEmpty() ? bar.name : bar.name + QStringLiteral(": ") + bar.note;
    QString text = tr("%1: %2 %3").arg(bar.name, format::milliseconds(bar.length()), m_unit);
    for (const TimeBar::Piece& piece : bar.pieces)
        text += tr(", %1 %2").arg(stageName(piece.stage), format::milliseconds(piece.ms));
    if (bar.q1Ms && bar.q3Ms) {
        text += tr(", quartiles %1 – %2").arg(format::milliseconds(*bar.q1Ms), format::milliseconds(*bar.q3Ms));
    }
    return text;
}

void TimeBars::describe() {
    QStringList lines;
    if (!m_title.isEmpty()) lines << m_title;
    for (const TimeBar& bar : m_bars) lines << spoken(bar);
    if (m_origin) lines << originExplanation(*m_origin);
    if (m_limit) lines << tr("limit %1 ms: %2").arg(format::milliseconds(*m_limit), m_formula);
    setAccessibleDescription(lines.join(u'\n'));
}

QString TimeBars::tipAt(QPoint place) const {
    const Scale scale = axis();
    if (m_limit && scale.valid() && std::abs(place.x() - scale.pixel(*m_limit)) < 6)
        return tr("limit %1 ms: %2").arg(format::milliseconds(*m_limit), m_formula);
    const int row = rowAt(place.y());
    return row < 0 ? QString() : spoken(m_bars[static_cast<std::size_t>(row)]);
}

using gpu::RunColumn;

void paintStage(QPainter& painter, const QRectF& box, RunColumn::Id stage, const QColor& kernel) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    switch (stage) {
        case RunColumn::upload: painter.fillRect(box, colour(Role::text3)); break;
        case RunColumn::layout:
            painter.fillRect(box, colour(Role::control));
            painter.fillRect(box, QBrush(colour(Role::text2), Qt::BDiagPattern));
            break;
        case RunColumn::download: painter.fillRect(box, colour(Role::text2)); break;
        case RunColumn::display:
            painter.setPen(colour(Role::text1));
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            break;
        default: painter.fillRect(box, kernel); break;
    }
    painter.restore();
}

QString stageName(RunColumn::Id stage) {
    const QString title = QString::fromUtf8(gpu::runColumn(stage).title).toLower();
    return title.section(u' ', 0, 0);
}

QIcon stageIcon(RunColumn::Id stage) {
    if (stage != RunColumn::upload && stage != RunColumn::layout && stage != RunColumn::download &&
        stage != RunColumn::display)
        return {};
    constexpr int kSharp = 2;  // also on a dense screen
    const int side = kGlyphBox;
    QPixmap picture(QSize(side, side) * kSharp);
    picture.setDevicePixelRatio(kSharp);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintStage(painter, QRectF(side / 4.0, side / 4.0, side / 2.0, side / 2.0), stage, {});
    painter.end();
    return QIcon(picture);
}

}  // namespace warplens::gui
