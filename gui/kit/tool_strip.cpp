// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/tool_strip.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme.hpp"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace warplens::gui {

namespace {

constexpr Length kSide{9}, kBetween{7};
constexpr int kToolGap = 4;

}  // namespace

KeyButton::KeyButton(const QString& name, const QString& key, QWidget* parent)
    : QPushButton(parent), m_name(name), m_key(key) {
    setWidgetText(this, {.look = "flat", .name = name});
}

void KeyButton::setKey(const QString& key) {
    m_key = key;
    updateGeometry();
    update();
}

QSize KeyButton::sizeHint() const {
    const int name = fontMetrics().horizontalAdvance(m_name);
    const int key = QFontMetrics(textFont(TextSize::caption)).horizontalAdvance(m_key);
    return {name + kBetween + key + 2 * kSide, QPushButton::sizeHint().height()};
}

void KeyButton::paintEvent(QPaintEvent* event) {
    QPushButton::paintEvent(event);  // frame and background; the text is empty
    QPainter painter(this);
    QRect line = rect().adjusted(kSide, 0, -kSide, 0);
    writeText(painter, line, Qt::AlignVCenter | Qt::AlignLeft, m_name, isEnabled() ? Role::text1 : Role::text3, font());
    line.setLeft(line.left() + fontMetrics().horizontalAdvance(m_name) + kBetween);
    writeText(painter, line, Qt::AlignVCenter | Qt::AlignLeft, m_key, isChecked() ? Role::text2 : Role::text3,
              textFont(TextSize::caption));
}

ToolStrip::ToolStrip(QWidget* parent)
    : QWidget(parent), m_row(makeRow(this, {kGap, 0, kGap, 0}, kToolGap)), m_more(new QToolButton(this)) {
    setLook(this, "dock");
    setFixedHeight(kStripHeight);
    setWidgetText(
        m_more,
        {.id = "more-tools", .look = "flat", .name = tr("More tools"), .tip = tr("Tools that have no room here")});
    m_more->setText(QStringLiteral("…"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    fill(m_row, {m_more, spring()});
    m_more->hide();
    on(this, {QEvent::Resize}, [this] { fold(); });
}

void ToolStrip::addTool(QWidget* tool, QAction* whenFolded) {
    m_row->insertWidget(static_cast<int>(m_tools.size()), tool);
    m_tools.push_back({tool, whenFolded});
}

void ToolStrip::addButton(QAbstractButton* button) {
    auto* folded = new QAction(button->text(), this);
    connect(folded, &QAction::triggered, button, &QAbstractButton::click);
    addTool(button, folded);
}

void ToolStrip::addRight(QWidget* widget) {
    m_row->addWidget(widget);
    m_right.push_back(widget);
}

int ToolStrip::widthWith(std::size_t unfolded) const {
    int width = 2 * kGap;
    std::size_t foldable = 0, folded = 0;
    for (const Tool& tool : m_tools) {
        const bool shown = tool.whenFolded == nullptr || foldable++ < unfolded;
        if (shown)
            width += tool.widget->sizeHint().width() + kToolGap;
        else
            ++folded;
    }
    if (folded > 0) width += m_more->sizeHint().width() + kToolGap;
    for (const QWidget* widget : m_right) width += widget->minimumSizeHint().width() + kToolGap;
    return width;
}

void ToolStrip::fold() {
    std::size_t fits = m_tools.size();
    while (fits > 0 && widthWith(fits) > width()) --fits;
    std::size_t foldable = 0;
    bool any = false;
    m_more->menu()->clear();
    for (const Tool& tool : m_tools) {
        const bool shown = tool.whenFolded == nullptr || foldable++ < fits;
        tool.widget->setVisible(shown);
        if (shown) continue;
        m_more->menu()->addAction(tool.whenFolded);
        any = true;
    }
    m_more->setVisible(any);
}

bool ToolStrip::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) fold();
    return QWidget::event(event);
}

}  // namespace warplens::gui
