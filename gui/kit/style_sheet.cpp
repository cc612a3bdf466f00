// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QRegularExpression>
#include <utility>

namespace warplens::gui {

namespace {

// @name stands for a token. Radii: 3 controls, 2 marks and boxes, 0 docks and panes. No gradients, no shadows.
constexpr const char* kFrames = R"(
QMainWindow, QDialog { background: @dock; }
QWidget[look="strip"] { background: @strip; }
QWidget[look="canvas"] { background: @canvas; }
QWidget[look="dock"] { background: @dock; }
QLabel[look="badge"] { color: @text1; border: 1px solid @text1; border-radius: 2px; padding: 0 3px; font-size: 12px; }
QLabel[look="last-key"] { background: @accentFill; color: @onAccent; border-radius: 3px; padding: 6px 16px;
    font-size: 16px; font-weight: bold; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QSplitter::handle { background: @line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: @accent; }
QDockWidget { font-weight: bold; color: @text1; }
QDockWidget::title { background: @dock; text-align: left; padding: 8px 12px; border-bottom: 1px solid @hairline; }
QStatusBar { background: @strip; border-top: 1px solid @line; font-size: 12px; color: @text2; min-height: 27px; }
QStatusBar::item { border: none; }
QStatusBar QToolButton, QStatusBar QPushButton { min-height: 20px; padding: 0 4px; }
QMenuBar { background: @strip; color: @text1; padding: 0 4px; }
QMenuBar::item { background: transparent; padding: 6px 9px; border-radius: 3px; }
QMenuBar::item:selected { background: @selection; }
QMenu { background: @control; color: @text1; border: 1px solid @line; padding: 4px 0; }
QMenu::item { padding: 5px 24px 5px 24px; }
QMenu::item:selected { background: @selection; }
QMenu::item:disabled { color: @text3; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 0; }
QMenu::icon { padding-left: 6px; }
QToolTip { background: @control; color: @text1; border: 1px solid @line; padding: 4px 6px; }
QScrollArea { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: @mark; border-radius: 2px; margin: 2px; }
QScrollBar::handle:hover { background: @text3; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

constexpr const char* kControls = R"(
QPushButton, QToolButton { background: @control; color: @text1; border: 1px solid @line; border-radius: 3px;
    padding: 0 10px; min-height: 26px; }
QToolButton { padding: 0 6px; }
QPushButton:hover, QToolButton:hover { border-color: @text3; }
QPushButton:pressed, QToolButton:pressed { background: @selection; }
QPushButton:checked, QToolButton:checked { background: @selection; border-color: @accent; }
QPushButton:disabled, QToolButton:disabled { color: @text3; background: @dock; }
QPushButton[look="primary"] { background: @accentFill; color: @onAccent; border: 1px solid @accentFill;
    font-weight: bold; }
QPushButton[look="primary"]:hover { border-color: @text1; }
QPushButton[look="primary"]:pressed { background: @selection; color: @text1; }
QPushButton[look="primary"]:disabled { background: @control; border-color: @line; color: @text3; }
QPushButton[look="flat"], QToolButton[look="flat"] { background: transparent; border: 1px solid transparent; }
QPushButton[look="flat"]:hover, QToolButton[look="flat"]:hover { background: @control; border-color: @line; }
QPushButton[look="flat"]:checked, QToolButton[look="flat"]:checked { background: @selection; border-color: @accent; }
QPushButton[look="segment"] { background: @control; border: 1px solid @line; border-radius: 0; }
QPushButton[look="segment"]:checked { background: @selection; border-bottom: 2px solid @accent; font-weight: bold; }
QDialog[look="popup"] { border: 1px solid @line; }
QPushButton[look="page"] { background: transparent; border: none; border-radius: 0; padding: 0 14px;
    min-height: 42px; color: @text2; border-bottom: 2px solid transparent; }
QPushButton[look="page"]:hover { color: @text1; }
QPushButton[look="page"]:checked { color: @text1; font-weight: bold; border-bottom: 2px solid @accent; }
QPushButton[look="answer"] { text-align: left; padding: 0 12px; }
QToolButton::menu-indicator { image: none; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: @field; border: 1px solid @line;
    border-radius: 3px; padding: 0 6px; min-height: 24px; selection-background-color: @selection;
    selection-color: @text1; }
QSpinBox, QDoubleSpinBox, QComboBox { color: @text1; }
QComboBox { background: @control; }
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: @text3; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: @text3;
    background: @dock; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/warplens/controls/chevron-down.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @control; color: @text1; border: 1px solid @line;
    selection-background-color: @selection; selection-color: @text1; outline: none; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; border: none; width: 16px;
    background: transparent; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; border: none;
    width: 16px; background: transparent; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/warplens/controls/chevron-up.svg); width: 10px;
    height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/warplens/controls/chevron-down.svg);
    width: 10px; height: 10px; }
QCheckBox { spacing: 8px; color: @text1; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid @text3;
    border-radius: 2px; background: @field; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accentFill;
    border-color: @accentFill; image: url(:/warplens/controls/check.svg); }
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate { background: @accentFill;
    border-color: @accentFill; image: url(:/warplens/controls/partial.svg); }
QCheckBox::indicator:disabled { background: @dock; border-color: @line; }
QSlider { min-height: 20px; background: transparent; }
QSlider::groove:horizontal { height: 3px; background: @mark; border-radius: 1px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 1px; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -5px 0; border-radius: 6px; background: @handle; }
QSlider::handle:horizontal:hover { background: @accent; }
QSlider::sub-page:horizontal:disabled, QSlider::handle:horizontal:disabled { background: @text3; }
QProgressBar { background: @field; border: 1px solid @line; border-radius: 3px; max-height: 12px;
    text-align: center; color: @text1; font-size: 12px; }
QProgressBar::chunk { background: @accentFill; border-radius: 2px; }
)";

constexpr const char* kViews = R"(
QLabel { background: transparent; color: @text1; }
QLabel[look="title"] { font-weight: bold; }
QLabel[look="caption"] { font-size: 12px; color: @text2; }
QLabel[look="hint"] { font-size: 12px; color: @text3; }
QLabel[look="label"] { color: @text2; }
QLabel[look="figure"] { font-size: 19px; }
QAbstractItemView { background: @dock; color: @text1; border: none; outline: none;
    selection-background-color: @selection; selection-color: @text1; gridline-color: @hairline; }
QTableView::item, QTreeView::item, QListView::item { border: none; }
QTableView::item { border-bottom: 1px solid @hairline; padding: 0 3px; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected { background: @selection;
    color: @text1; }
QHeaderView { background: @dock; border: none; }
QHeaderView::section { background: @dock; color: @text2; font-size: 12px; font-weight: normal; border: none;
    border-bottom: 1px solid @line; padding: 0 6px; }
QHeaderView::section:hover { color: @text1; }
QTableCornerButton::section { background: @dock; border: none; }
QPlainTextEdit, QTextEdit { background: @field; color: @text1; border: none;
    selection-background-color: @selection; selection-color: @text1; }
QTabBar { background: @dock; }
QTabBar::tab { background: transparent; color: @text2; padding: 6px 12px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text1; border-bottom: 2px solid @accent; }
QTabBar::tab:hover { color: @text1; }
QTabWidget::pane { border: none; }
QGroupBox { border: none; margin-top: 20px; font-weight: bold; }
QGroupBox::title { subcontrol-origin: margin; left: 0; }
)";

/// What is for a projector with its mode on or off, and so not enlarged.
constexpr char kForProjector[] = R"(
QPushButton[projector="true"] { font-size: 20px; min-height: 42px; }
)";

/// With larger type eight pages have to stand beside the menus in a window 1280 pixels wide.
constexpr char kWhenEnlarged[] = R"(
QPushButton[look="page"] { padding: 0 9px; }
)";

/// Lengths of the sheet at the present scale of type; lines of one and two pixels stay.
QString enlarged(const QString& sheet) {
    static const QRegularExpression length(QStringLiteral("(\\d+)px"));
    QString larger;
    qsizetype done = 0;
    for (auto at = length.globalMatch(sheet); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        const int plain = match.captured(1).toInt();
        // A radius beyond half of its box is no radius at all.
        if (sheet.mid(0, match.capturedStart()).endsWith(QStringLiteral("border-radius: "))) {
            larger += sheet.mid(done, match.capturedStart() - done) +
                      QStringLiteral("%1px").arg(static_cast<int>(plain * typeScale()));
            done = match.capturedEnd();
            continue;
        }
        larger += sheet.mid(done, match.capturedStart() - done) +
                  QStringLiteral("%1px").arg(plain > 2 ? static_cast<int>(Length(plain)) : plain);
        done = match.capturedEnd();
    }
    return larger + sheet.mid(done);
}

}  // namespace

QString Theme::styleSheet(Scheme scheme) {
    QString sheet = QLatin1String(kFrames) + QLatin1String(kControls) + QLatin1String(kViews);
    const std::pair<const char*, QColor> names[] = {
        // Longer names first where one begins another.
        {"accentFill", colour(Role::accentFill, scheme)},
        {"accent", colour(Role::accent, scheme)},
        {"onAccent", colour(Role::onAccent, scheme)},
        {"canvas", colour(Role::canvas, scheme)},
        {"dock", colour(Role::dock, scheme)},
        {"strip", colour(Role::strip, scheme)},
        {"control", colour(Role::control, scheme)},
        {"field", colour(Role::field, scheme)},
        {"line", colour(Role::line, scheme)},
        {"hairline", colour(Role::hairline, scheme)},
        {"text1", colour(Role::text1, scheme)},
        {"text2", colour(Role::text2, scheme)},
        {"text3", colour(Role::text3, scheme)},
        {"selection", colour(Role::selection, scheme)},
        // Grooves and scroll handles stand between line and text; a slider's handle is text 1.
        {"mark", scheme == Scheme::dark ? QColor(0x6a, 0x6a, 0x6a) : QColor(0xa8, 0xa8, 0xa8)},
        {"handle", colour(Role::text1, scheme)},
    };
    for (const auto& [name, value] : names) sheet.replace(u'@' + QLatin1String(name), value.name());
    return (typeScale() > 1 ? enlarged(sheet) + QLatin1String(kWhenEnlarged) : sheet) + QLatin1String(kForProjector);
}

}  // namespace warplens::gui
