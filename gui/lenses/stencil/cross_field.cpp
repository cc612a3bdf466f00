// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/stencil/cross_field.hpp"

#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"

#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QTimer>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kWidth = 46, kHeight = 24, kText = 12;
constexpr QPoint kPlaces[] = {{62, 47}, {0, 47}, {124, 47}, {62, 0}, {62, 94}, {14, 77}, {110, 17}};
constexpr QSize kWhole(124 + kWidth, 94 + kHeight);
const char* const kNames[] = {"c0, centre", "c1, x−1", "c2, x+1", "c3, y−1", "c4, y+1", "c5, z−1", "c6, z+1"};

QString shortText(float weight) {
    const double magnitude = std::abs(static_cast<double>(weight));
    if (magnitude != 0 && (magnitude < 1e-3 || magnitude >= 1e4))
        return QString::number(static_cast<double>(weight), 'g', 2).replace(u'-', QChar(0x2212));
    QString text = format::significant(static_cast<double>(weight));
    if (text.contains(u'.'))
        while (text.endsWith(u'0') || text.endsWith(u'.')) {
            const bool point = text.endsWith(u'.');
            text.chop(1);
            if (point) break;
        }
    return text;
}

}  // namespace

CrossField::CrossField(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Coefficients"));
    setFixedSize(Length(kWhole.width()), Length(kWhole.height()));
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        auto* cell = new QLineEdit(this);
        cell->setObjectName(QStringLiteral("coefficient-%1").arg(i));
        cell->setAccessibleName(tr("Coefficient %1").arg(QString::fromUtf8(kNames[i])));
        cell->setAlignment(Qt::AlignCenter);
        connect(cell, &QLineEdit::editingFinished, this, [this, i] { take(i); });
        m_cells[i] = cell;
    }
}

double CrossField::scale() const { return double(width()) / kWhole.width(); }

void CrossField::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeCells();
}

void CrossField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // Whatever enlarges every widget has enlarged the cells once more than this field.
    if (event->type() == QEvent::StyleChange) QTimer::singleShot(0, this, &CrossField::placeCells);
}

void CrossField::placeCells() {
    // In projector mode everything is larger.
    const double k = scale();
    const QSize size = QSizeF(kWidth * k, kHeight * k).toSize();
    const QString style = QStringLiteral("padding: 0; min-height: %1px; font-size: %2px;")
                              .arg(size.height() - 2)
                              .arg(std::lround(kText * k));
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        if (m_cells[i]->styleSheet() != style) m_cells[i]->setStyleSheet(style);
        m_cells[i]->setFixedSize(size);
        m_cells[i]->move((QPointF(kPlaces[i]) * k).toPoint());
    }
}

void CrossField::setWeights(std::vector<float> weights) {
    m_weights = std::move(weights);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        QLineEdit* cell = m_cells[i];
        cell->setVisible(i < m_weights.size());
        if (i >= m_weights.size()) continue;
        if (!cell->hasFocus() || !cell->isModified()) cell->setText(shortText(m_weights[i]));
        cell->setToolTip(QStringLiteral("%1: %2").arg(QString::fromUtf8(kNames[i]), format::exact(m_weights[i])));
    }
    update();
}

void CrossField::take(std::size_t index) {
    QLineEdit* cell = m_cells[index];
    if (!cell->isModified() || index >= m_weights.size()) return;
    bool number = false;
    const float value = cell->text().trimmed().replace(QChar(0x2212), u'-').toFloat(&number);
    cell->setModified(false);
    if (!number || !std::isfinite(value)) {
        emit refused(tr("%1: '%2' is not a number; give one such as 0.154.")
                         .arg(QString::fromUtf8(kNames[index]), cell->text().left(20)));
        cell->setText(shortText(m_weights[index]));
        return;
    }
    std::vector<float> weights = m_weights;
    weights[index] = value;
    if (weights == m_weights) return cell->setText(shortText(value));
    emit edited(weights);
}

void CrossField::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour(Role::text3), 1));
    const double k = scale();
    const QPointF half(kWidth * k / 2, kHeight * k / 2);
    for (std::size_t i = 1; i < m_weights.size() && i < m_cells.size(); ++i)
        painter.drawLine(QPointF(kPlaces[0]) * k + half, QPointF(kPlaces[i]) * k + half);
}

}  // namespace warplens::gui
