// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that is its tools: the strip above the panes, commands and keys, the wipe line.
#include "gui/compare/compare_page.hpp"
#include "gui/compare/difference_panel.hpp"
#include "gui/compare/go_to_box.hpp"
#include "gui/compare/magnifier.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/tool_strip.hpp"
#include "gui/picture/colour_map_button.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/profile_panel.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/session/shown_variants.hpp"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr double kWipeStep = 0.02;
constexpr int kNumberKeys = 9;

}  // namespace

/// Panes in one row, or in two.
QString ComparePage::layoutName(int panes) {
    constexpr const char* kNames[] = {"1", "1 × 2", "1 × 3", "2 × 2", "3 + 2", "2 × 3"};
    return QString::fromUtf8(kNames[panes - 1]);
}

void ComparePage::makeActions() {
    m_wipeAction = makeAction("wipe", tr("&Wipe line"), QKeySequence(Qt::Key_W));
    m_wipeAction->setCheckable(true);
    m_wipeAction->setToolTip(tr("A line with the reference on one side and the current result on the other; drag it."));
    connect(m_wipeAction, &QAction::triggered, this, &ComparePage::toggleWipe);
    const auto on = [this](const char* name, const QString& text, const QKeySequence& key, auto&& what) {
        connect(makeAction(name, text, key), &QAction::triggered, this, what);
    };
    on("wipe-turn", tr("Turn the wipe &line"), QKeySequence(Qt::Key_O), [this] { turnWipe(); });
    on("wipe-swap", tr("&Swap the sides of the wipe line"), QKeySequence(Qt::Key_S), [this] {
        m_wipe.swapped = !m_wipe.swapped;
        placeWipe();
    });
    on("wipe-back", tr("Wipe line left or up"), QKeySequence(Qt::Key_BracketLeft),
       [this] { moveWipe(m_wipe.at - kWipeStep); });
    on("wipe-on", tr("Wipe line right or down"), QKeySequence(Qt::Key_BracketRight),
       [this] { moveWipe(m_wipe.at + kWipeStep); });
    m_differenceAction = makeAction("difference", tr("&Difference"), QKeySequence(Qt::Key_D));
    m_differenceAction->setCheckable(true);
    m_differenceAction->setToolTip(
        tr("The current result minus the baseline, the reference or the double reference, in the last pane, with its "
           "figures."));
    connect(m_differenceAction, &QAction::toggled, this, &ComparePage::setDifference);
    on("difference-metric-next", tr("&Next metric of the difference"), QKeySequence(Qt::SHIFT | Qt::Key_D),
       [this] { m_differencePanel->nextMetric(); });
    m_exactAction = makeAction("double-reference", tr("Pane of the dou&ble reference"), QKeySequence(Qt::Key_G));
    m_exactAction->setCheckable(true);
    m_exactAction->setToolTip(tr("What the check compares the current result with, computed in double precision."));
    connect(m_exactAction, &QAction::toggled, this, &ComparePage::setExactPane);
    on("reference-double", tr("Reference double reference"), QKeySequence(Qt::SHIFT | Qt::Key_G),
       [this] { m_session.lookedAt().setReference(kExactKey.toStdString()); });
    m_magnifyAction = makeAction("magnifier", tr("&Magnifier"), QKeySequence(Qt::Key_M));
    m_magnifyAction->setCheckable(true);
    m_magnifyAction->setToolTip(tr("The surroundings of the pixel under the cursor, with its exact values."));
    m_regionsAction = makeAction("paint-mask", tr("&Paint a mask"), QKeySequence(Qt::Key_B));
    m_regionsAction->setCheckable(true);
    m_regionsAction->setToolTip(tr("Wand, brush, eraser and polygon: which pixels a task is for."));
    connect(m_regionsAction, &QAction::toggled, &m_session.regions(), &RegionTools::setOn);
    // Its keys are heard by what the page holds: W is the wand then, and not the wipe.
    connect(m_regionsAction, &QAction::toggled, this, [this](bool painting) {
        if (painting && !isAncestorOf(QApplication::focusWidget()) && resultView() != nullptr) resultView()->setFocus();
    });
    connect(&m_session.regions(), &RegionTools::changed, this,
            [this] { m_regionsAction->setChecked(m_session.regions().on()); });
    on("go-to-pixel", tr("&Go to a pixel..."), QKeySequence(Qt::CTRL | Qt::Key_G), [this] { askForPlace(); });
    const auto toggle = [this](const char* name, const QString& text, const QKeySequence& key, auto read, auto write) {
        QAction* action = makeAction(name, text, key);
        action->setCheckable(true);
        action->setChecked((m_grid->viewState()->*read)());
        connect(action, &QAction::triggered, this, [this, write](bool set) { (m_grid->viewState()->*write)(set); });
        connect(m_grid->viewState(), &ViewState::displayChanged, action,
                [this, action, read] { action->setChecked((m_grid->viewState()->*read)()); });
    };
    toggle("pixel-values", tr("Write &values on large pixels"), QKeySequence(Qt::Key_V), &ViewState::pixelValues,
           &ViewState::setPixelValues);
    toggle("mark-out-of-range", tr("Mark values outside the &range"), QKeySequence(Qt::Key_R), &ViewState::markOutside,
           &ViewState::setMarkOutside);
    on("ask-gamma", tr("Display gamma..."), {}, [this] { m_range->askGamma(); });
    // Nine keys are one line of the key sheet.
    const auto numbered = [this](const char* name, int number, const QKeySequence& key, const QString& sheetKeys,
                                 const QString& sheetText) {
        QAction* action = makeAction(qPrintable(QString::fromUtf8(name) + QString::number(number)), {}, key);
        action->setProperty("sheetKeys", number == 1 ? sheetKeys : QString());
        action->setProperty("sheetText", number == 1 ? sheetText : QString());
        return action;
    };
    for (int number = 1; number <= kNumberKeys; ++number) {
        m_choose << numbered("choose-", number, QKeySequence(Qt::Key_0 + number), tr("1 to 9"),
                             tr("Choose the input or a result"));
        connect(m_choose.back(), &QAction::triggered, this, [this, number] { choose(number); });
        m_refer << numbered("reference-", number, QKeySequence(Qt::SHIFT | (Qt::Key_0 + number)), tr("Shift+1 to 9"),
                            tr("Choose the reference"));
        connect(m_refer.back(), &QAction::triggered, this, [this, number] {
            const auto entries = lineup(m_session.variants());
            m_session.lookedAt().setReference(entries[static_cast<std::size_t>(number) - 1].key.toStdString());
        });
    }
}

void ComparePage::nameChoices() {
    const auto entries = lineup(m_session.variants());
    for (int i = 0; i < kNumberKeys; ++i) {
        const bool there = i < std::ssize(entries);
        const QString title = there ? entries[static_cast<std::size_t>(i)].title : QString();
        m_choose[i]->setText(tr("Show %1").arg(title));
        m_refer[i]->setText(tr("Reference %1").arg(title));
        for (QAction* action : {m_choose[i], m_refer[i]}) {
            action->setEnabled(there);
            action->setVisible(there);
        }
    }
}

void ComparePage::choose(int number) {
    const QString key = lineup(m_session.variants())[static_cast<std::size_t>(number) - 1].key;
    m_inputChosen = key == kInputKey;
    m_inputAlone = m_inputChosen && m_paneCount == 1;
    if (!m_inputChosen) m_session.request().setCurrent(key.toStdString());
    refresh();
}

void ComparePage::toggleWipe() {
    const int index = m_grid->current();
    const QString key = index < 0 ? QString() : m_grid->panes()[static_cast<std::size_t>(index)].key;
    const bool comparable = index >= 0 && m_grid->pane(index)->comparable();
    const QString place = comparable ? key : QString::fromStdString(m_session.request().current());
    m_wipeKey = m_wipeKey == place ? QString() : place;
    placeWipe();
}

void ComparePage::placeWipe() {
    m_grid->setWipe(m_wipeKey, m_wipe);
    m_wipeAction->setChecked(!m_wipeKey.isEmpty());
}

void ComparePage::moveWipe(double at) {
    m_wipe.at = std::clamp(at, 0.0, 1.0);
    placeWipe();
}

void ComparePage::turnWipe() {
    m_wipe.line = m_wipe.line == Qt::Vertical ? Qt::Horizontal : Qt::Vertical;
    placeWipe();
}

QWidget* ComparePage::makeSide() {
    auto* inside = new QWidget;
    setLook(inside, "dock");
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_differencePanel);
    column->addWidget(m_magnifier);
    column->addWidget(m_profile);
    column->addWidget(m_figures, 1);
    column->addStretch(0);
    auto* side = new QScrollArea(this);
    side->setWidgetResizable(true);
    side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side->setFocusPolicy(Qt::NoFocus);
    constexpr int kBar = 10;  // a scroll bar
    side->setMaximumWidth(DifferencePanel::kWidth + kBar);
    side->setWidget(inside);
    m_differencePanel->hide();
    m_magnifier->hide();
    m_profile->hide();
    m_figures->hide();
    side->hide();
    connect(m_magnifyAction, &QAction::toggled, m_magnifier, &QWidget::setVisible);
    connect(m_profileAction, &QAction::toggled, m_profile, &QWidget::setVisible);
    const auto follow = [this, side] {
        // A table alone takes no more than a quarter of a small window from the pictures.
        const bool wide =
            m_magnifyAction->isChecked() || m_differenceAction->isChecked() || m_profileAction->isChecked();
        side->setMinimumWidth((wide ? DifferencePanel::kWidth : m_figures->minimumWidth()) + kBar);
        side->setVisible(wide || !m_figures->isHidden());
    };
    connect(this, &ComparePage::figuresShown, side, follow);
    for (const QAction* action : {m_magnifyAction, m_differenceAction, m_profileAction})
        connect(action, &QAction::toggled, side, follow);
    return side;
}

void ComparePage::showFigures() {
    const gpu::RunRecord* record = m_session.results().of(m_session.request().current());
    const gpu::Family* family = m_session.parameters().family();
    const bool any = family != nullptr && family->info().makesTables && record != nullptr &&
                     !m_session.results().stale(m_session.request().current()) && record->result.picture != nullptr &&
                     !record->result.tables.empty();
    m_figures->setTables(any ? record->result.tables : gpu::Tables{});
    if (any == !m_figures->isHidden()) return;
    m_figures->setVisible(any);
    emit figuresShown();
}

void ComparePage::askForPlace() {
    if (m_session.document().empty()) return;
    auto* box = new GoToBox(m_session.document().grid()->shape(), this);
    connect(box, &GoToBox::chosen, this, &ComparePage::goTo);
    box->open();
}

void ComparePage::bindDisplay() {
    ViewState* state = m_grid->currentViewState();
    m_range->setViewState(state);
    m_range->setShared(m_grid->linked());
    m_colours->setViewState(*state);
    m_magnifier->setViewState(state);
    m_inspector->setViewState(m_grid->linked() ? m_grid->viewState() : state);
    if (Pane* pane = m_grid->pane(m_grid->current())) m_magnifier->setPane(pane->content());
}

QPushButton* ComparePage::keyButton(QAction* action, const QString& name) {
    auto* button = new KeyButton(name, action->shortcut().toString(QKeySequence::NativeText), this);
    button->setObjectName(action->objectName() + QStringLiteral("-button"));
    button->setCheckable(action->isCheckable());
    button->setToolTip(action->toolTip());
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, button, &QPushButton::setChecked);
    connect(action, &QAction::changed, button,
            [button, action] { button->setKey(action->shortcut().toString(QKeySequence::NativeText)); });
    return button;
}

QWidget* ComparePage::makeStrip() {
    auto* strip = new ToolStrip(this);
    setLook(m_layoutButton, "flat");
    m_layoutButton->setObjectName(QStringLiteral("pane-layout"));
    m_layoutButton->setPopupMode(QToolButton::InstantPopup);
    m_layoutButton->setToolTip(tr("How many panes: the input and results beside it."));
    auto* menu = new QMenu(m_layoutButton);
    for (int panes = 1; panes <= PaneGrid::kMaxPanes; ++panes)
        connect(menu->addAction(layoutName(panes)), &QAction::triggered, this, [this, panes] { setPaneCount(panes); });
    menu->addSeparator();
    menu->addAction(m_exactAction);
    m_layoutButton->setMenu(menu);

    setLook(m_link, "flat");
    m_link->setObjectName(QStringLiteral("link"));
    m_link->setCheckable(true);
    m_link->setChecked(true);
    m_link->setAccessibleName(tr("Link panes"));
    m_link->setToolTip(tr("All panes share zoom, position, range and colours (Ctrl+L)."));
    connect(m_link, &QPushButton::toggled, this, [this](bool on) { setLinked(on); });

    strip->addTool(m_layoutButton);
    strip->addTool(m_link);
    strip->addTool(keyButton(m_wipeAction, tr("Wipe")), m_wipeAction);
    auto* flip = new KeyButton(tr("Flip"), tr("Shift"), strip);
    flip->setObjectName(QStringLiteral("flip"));
    flip->setToolTip(tr("While held, every pane shows the reference. Shift+1 … 9 choose it."));
    connect(flip, &QPushButton::pressed, this, [this] { m_grid->setFlipped(true); });
    connect(flip, &QPushButton::released, this, [this] { m_grid->setFlipped(false); });
    auto* toggleFlip = new QAction(tr("Flip"), this);
    toggleFlip->setCheckable(true);
    connect(toggleFlip, &QAction::toggled, m_grid, &PaneGrid::setFlipped);
    strip->addTool(flip, toggleFlip);
    strip->addTool(keyButton(m_differenceAction, tr("Difference")), m_differenceAction);
    strip->addTool(keyButton(m_tilesAction, tr("Tiles")), m_tilesAction);
    strip->addTool(keyButton(m_regionsAction, tr("Mask")), m_regionsAction);
    strip->addRight(m_range);
    strip->addRight(m_colours);
    return strip;
}

}  // namespace warplens::gui
