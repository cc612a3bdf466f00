// SPDX-License-Identifier: Apache-2.0
#include "gui/views/heat_text.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <iterator>

namespace warplens::gui {

namespace {

constexpr Length kCell{10}, kCount{76};

}  // namespace

HeatText::HeatText(QWidget* parent) : SourceText(parent) {
    column()->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
}

int HeatText::numberWidth() const { return SourceText::numberWidth() + kCell + kCount; }

void HeatText::setLines(std::map<int, Line> lines, gpu::Idea idea) {
    m_lines = std::move(lines);
    m_idea = idea;
    m_highest = 0;
    for (const auto& [number, line] : m_lines) m_highest = std::max(m_highest, line.count);
    setAccessibleDescription(chosen() > 0 ? textOf(chosen()) : QString());
    column()->update();
}

void HeatText::setChosen(int line) {
    markLine(line);
    setAccessibleDescription(line > 0 ? textOf(line) : QString());
}

QString HeatText::textOf(int line) const {
    const auto at = m_lines.find(line);
    if (at == m_lines.end()) return {};
    return tr("line %1, %2; %3")
        .arg(line)
        .arg(format::integer(at->second.count), at->second.details.join(QStringLiteral("; ")));
}

void HeatText::paintBeside(QPainter& painter, const QRectF& row, int line) const {
    const auto at = m_lines.find(line);
    if (at == m_lines.end()) return;
    const QRectF cell(row.left(), row.top(), kCell, row.height());
    const double share = m_highest > 0 ? static_cast<double>(at->second.count) / static_cast<double>(m_highest) : 0;
    QColor ink = colour(m_idea);
    ink.setAlphaF(static_cast<float>(0.15 + 0.85 * share));
    if (at->second.count > 0) painter.fillRect(cell, ink);
    painter.save();
    painter.setFont(textFont(TextSize::caption));
    painter.setPen(colour(at->second.count == 0 ? Role::text3 : line == marked() ? Role::text1 : Role::text2));
    painter.drawText(QRectF(row.left() + kCell, row.top(), kCount - 6, row.height()), Qt::AlignRight | Qt::AlignVCenter,
                     format::integer(at->second.count));
    painter.restore();
}

int HeatText::lineAt(double y) const {
    for (const auto& [number, line] : m_lines)
        if (const QRectF row = rowOf(number); y >= row.top() && y < row.bottom()) return number;
    return 0;
}

bool HeatText::choose(int line) {
    if (line == 0) return false;
    setChosen(line);
    emit lineChosen(line);
    return true;
}

void HeatText::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::NoModifier && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
        auto at = event->key() == Qt::Key_Down ? m_lines.upper_bound(marked()) : m_lines.lower_bound(marked());
        if (event->key() == Qt::Key_Up) at = at == m_lines.begin() ? m_lines.end() : std::prev(at);
        if (at != m_lines.end()) choose(at->first);
        return;
    }
    SourceText::keyPressEvent(event);
}

void HeatText::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && choose(lineAt(event->position().y()))) return;
    SourceText::mousePressEvent(event);
}

bool HeatText::showTip(QEvent* event) {
    auto* const help = static_cast<QHelpEvent*>(event);
    const auto at = m_lines.find(lineAt(help->pos().y()));
    QToolTip::showText(help->globalPos(), at == m_lines.end() ? QString() : at->second.details.join(u'\n'), this);
    return true;
}

bool HeatText::viewportEvent(QEvent* event) {
    return event->type() == QEvent::ToolTip ? showTip(event) : SourceText::viewportEvent(event);
}

bool HeatText::eventFilter(QObject* watched, QEvent* event) {
    if (watched == column() && event->type() == QEvent::ToolTip) return showTip(event);
    if (watched == column() && event->type() == QEvent::MouseButtonPress) {
        setFocus(Qt::MouseFocusReason);
        return choose(lineAt(static_cast<QMouseEvent*>(event)->position().y()));
    }
    return SourceText::eventFilter(watched, event);
}

}  // namespace warplens::gui
