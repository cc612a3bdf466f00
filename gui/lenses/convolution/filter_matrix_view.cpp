// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/convolution/filter_matrix_view.hpp"

#include "gui/kit/theme/format.hpp"

#include <QKeyEvent>
#include <QLineEdit>
#include <QStringList>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kCellWidth = 32;
/// The matrix of a large filter is drawn in this square, without numbers.
constexpr double kWidest = 7 * kCellWidth;
constexpr int kMostLost = 4;  // no more than one weight of so many reads as zero and is none

QColor blend(const QColor& a, const QColor& b, double t) {
    const auto mix = [t](float from, float to) { return from + (to - from) * static_cast<float>(t); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

/// As short as a cell is narrow: ".137", "−1", "1.25"; with two decimals ".14".
QString shortText(float weight, int decimals) {
    if (weight == std::round(weight) && std::abs(weight) < 1000)
        return format::integer(static_cast<std::int64_t>(weight));
    if (std::abs(weight) >= 1) return format::significant(weight, decimals);
    QString text = QString::number(std::abs(weight), 'f', decimals);
    if (text.startsWith(QStringLiteral("0."))) text.remove(0, 1);
    return weight < 0 ? QChar(0x2212) + text : text;
}

bool beginsNumber(const QKeyEvent& key) {
    const QString typed = key.text();
    return typed.size() == 1 && (typed[0].isDigit() || QStringLiteral("-+.").contains(typed[0]));
}

}  // namespace

QString matrixText(int width, const std::vector<float>& weights) {
    QStringList rows;
    for (auto row = weights.begin(); row != weights.end(); row += width) {
        QStringList values;
        // Nine digits give every float back.
        for (auto value = row; value != row + width; ++value) values << QString::number(*value, 'g', 9);
        rows << values.join(u',');
    }
    return rows.join(u';');
}

FilterMatrixView::FilterMatrixView(QWidget* parent) : Plot(parent), m_editor(new QLineEdit(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_editor->hide();
    m_editor->setAccessibleName(tr("Weight"));
    m_editor->installEventFilter(this);
    describe();
}

void FilterMatrixView::setMatrix(int width, int height, std::vector<float> weights) {
    Q_ASSERT(weights.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    if (width != m_width || height != m_height) {
        closeEditor();
        m_current = {width / 2, height / 2};
    }
    m_width = width;
    m_height = height;
    m_weights = std::move(weights);
    describe();
    updateGeometry();
    update();
}

void FilterMatrixView::setEditable(bool editable) {
    m_editable = editable;
    if (!editable) closeEditor();
    describe();
}

QSize FilterMatrixView::sizeHint() const {
    const QSizeF cell = cellSize();
    return {static_cast<int>(std::ceil(cell.width() * m_width)) + 1,
            static_cast<int>(std::ceil(cell.height() * m_height)) + 1};
}

QSizeF FilterMatrixView::cellSize() const {
    const double width = typeScale() * std::min(kCellWidth, kWidest / std::max(m_width, m_height > 9 ? m_height : 1));
    return {width, std::min<double>(kRowHeight, width)};
}

QRectF FilterMatrixView::cell(int column, int row) const {
    const QSizeF size = cellSize();
    // Edges on whole pixels: cells of broken width would leave gaps between them.
    const double left = std::round(column * size.width()), right = std::round((column + 1) * size.width());
    const double top = std::round(row * size.height()), bottom = std::round((row + 1) * size.height());
    return {left + 0.5, top + 0.5, right - left, bottom - top};
}

QPoint FilterMatrixView::cellAt(QPointF position) const {
    const QSizeF size = cellSize();
    return {std::clamp(static_cast<int>(position.x() / size.width()), 0, m_width - 1),
            std::clamp(static_cast<int>(position.y() / size.height()), 0, m_height - 1)};
}

int FilterMatrixView::decimals() const {
    const QFontMetricsF metrics(textFont(TextSize::caption));
    if (cellSize().height() < metrics.height()) return 0;
    const double room = cellSize().width() - 2;  // the lines on both sides
    for (const int decimals : {3, 2}) {
        if (!std::ranges::all_of(m_weights,
                                 [&](float w) { return metrics.horizontalAdvance(shortText(w, decimals)) <= room; }))
            continue;
        // A grid of ".00" says less than its shades do.
        const double least = 0.5 * std::pow(10, -decimals);
        const auto lost = std::ranges::count_if(m_weights, [&](float w) { return w != 0 && std::abs(w) < least; });
        return kMostLost * lost > std::ssize(m_weights) ? 0 : decimals;
    }
    return 0;
}

void FilterMatrixView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    float largest = 0;
    for (const float w : m_weights) largest = std::max(largest, std::abs(w));
    const int digits = decimals();
    const bool lines = cellSize().width() >= 6;
    painter.setFont(textFont(TextSize::caption));
    for (int y = 0; y < m_height; ++y) {
        for (int x = 0; x < m_width; ++x) {
            const float w = weight({x, y});
            // Where no numbers stand small weights beside a large one are to be seen, too.
            const double linear = largest > 0 ? std::abs(w) / largest : 0,
                         share = digits > 0 ? linear : std::cbrt(linear);
            const QRectF box = cell(x, y);
            painter.setPen(lines ? QPen(colour(Role::line), 1) : QPen(Qt::NoPen));
            painter.setBrush(
                blend(colour(Role::field), colour(w < 0 ? Role::weightNegative : Role::weightPositive), share));
            lines ? painter.drawRect(box) : painter.fillRect(box.translated(-0.5, -0.5), painter.brush());
            if (digits == 0) continue;
            writeText(painter, box, Qt::AlignCenter, shortText(w, digits), Role::text1);
        }
    }
    if (!lines) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(colour(Role::line));
        painter.drawRect(QRectF(0.5, 0.5, cellSize().width() * m_width, cellSize().height() * m_height));
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour(Role::accent), 2));
        painter.drawRect(cell(m_current.x(), m_current.y()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void FilterMatrixView::setCurrentCell(QPoint at) {
    at = {std::clamp(at.x(), 0, m_width - 1), std::clamp(at.y(), 0, m_height - 1)};
    if (std::exchange(m_current, at) == at) return;
    describe();
    update();
}

void FilterMatrixView::describe() {
    setAccessibleName(tr("Filter matrix, %1 by %2").arg(m_width).arg(m_height));
    QString what =
        tr("Row %1, column %2: %3").arg(m_current.y() + 1).arg(m_current.x() + 1).arg(format::exact(weight(m_current)));
    if (m_editable) what += tr(". Type to change it.");
    setAccessibleDescription(what);
}

void FilterMatrixView::edit(const QString& first) {
    if (!m_editable) return;
    QRectF box = cell(m_current.x(), m_current.y());
    // Wide enough to type in, and inside the widget as far as that goes.
    box.setWidth(std::max(box.width(), 72.0));
    box.setHeight(std::max<double>(box.height(), kRowHeight));
    box.moveLeft(std::clamp(box.left(), 0.0, std::max(0.0, width() - box.width())));
    box.moveTop(std::clamp(box.top(), 0.0, std::max(0.0, height() - box.height())));
    m_editor->setGeometry(box.toAlignedRect());
    m_editor->setText(first.isEmpty() ? QString::number(weight(m_current), 'g', 9) : first);
    m_editor->show();
    m_editor->setFocus();
    if (first.isEmpty()) m_editor->selectAll();
}

void FilterMatrixView::commit() {
    if (m_editor->isHidden()) return;
    bool number = false;
    const float value = m_editor->text().replace(QChar(0x2212), u'-').trimmed().toFloat(&number);
    if (!number || !std::isfinite(value)) {
        QToolTip::showText(m_editor->mapToGlobal(QPoint(0, m_editor->height())),
                           tr("Not a number: write it as 0.25 or −1"), m_editor);
        return m_editor->selectAll();
    }
    closeEditor();
    float& old = m_weights[static_cast<std::size_t>(m_current.y() * m_width + m_current.x())];
    if (old == value) return;
    old = value;
    describe();
    update();
    emit matrixEdited(text());
}

bool FilterMatrixView::editNext(int step) {
    const int next = m_current.y() * m_width + m_current.x() + step;
    if (next < 0 || next >= m_width * m_height) return false;  // Tab leaves at either end
    commit();
    if (!m_editor->isHidden()) return true;  // what is typed is no number
    setCurrentCell({next % m_width, next / m_width});
    edit();
    return true;
}

void FilterMatrixView::closeEditor() {
    if (m_editor->isHidden()) return;
    const bool back = m_editor->hasFocus();
    m_editor->hide();
    if (back) setFocus();
}

bool FilterMatrixView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_editor && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
            case Qt::Key_Return:
            case Qt::Key_Enter: commit(); return true;
            case Qt::Key_Escape: closeEditor(); return true;
            case Qt::Key_Up:
                commit();
                setCurrentCell(m_current - QPoint(0, 1));
                return true;
            case Qt::Key_Down:
                commit();
                setCurrentCell(m_current + QPoint(0, 1));
                return true;
            case Qt::Key_Tab:
            case Qt::Key_Backtab:
                if (editNext(static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab ? 1 : -1)) return true;
                break;
            default: break;
        }
    }
    if (watched == m_editor && event->type() == QEvent::FocusOut && !m_editor->isHidden()) {
        bool number = false;
        m_editor->text().replace(QChar(0x2212), u'-').trimmed().toFloat(&number);
        number ? commit() : closeEditor();
    }
    return QWidget::eventFilter(watched, event);
}

void FilterMatrixView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left: return setCurrentCell(m_current - QPoint(1, 0));
        case Qt::Key_Right: return setCurrentCell(m_current + QPoint(1, 0));
        case Qt::Key_Up: return setCurrentCell(m_current - QPoint(0, 1));
        case Qt::Key_Down: return setCurrentCell(m_current + QPoint(0, 1));
        case Qt::Key_Home: return setCurrentCell({0, m_current.y()});
        case Qt::Key_End: return setCurrentCell({m_width - 1, m_current.y()});
        case Qt::Key_F2:
        case Qt::Key_Return:
        case Qt::Key_Enter: return edit();
        default: break;
    }
    if (m_editable && beginsNumber(*event)) return edit(event->text());
    QWidget::keyPressEvent(event);
}

bool FilterMatrixView::event(QEvent* event) {
    // Digits and signs are shortcuts of the window: they choose variants and zoom.
    if (event->type() == QEvent::ShortcutOverride && m_editable && beginsNumber(*static_cast<QKeyEvent*>(event)))
        event->accept();
    return Plot::event(event);
}

void FilterMatrixView::mousePressEvent(QMouseEvent* event) { setCurrentCell(cellAt(event->position())); }

void FilterMatrixView::mouseDoubleClickEvent(QMouseEvent* event) {
    setCurrentCell(cellAt(event->position()));
    edit();
}

QString FilterMatrixView::tipAt(QPoint place) const {
    const QPoint at = cellAt(place);
    return tr("Row %1, column %2: %3").arg(at.y() + 1).arg(at.x() + 1).arg(format::exact(weight(at)));
}

}  // namespace warplens::gui
