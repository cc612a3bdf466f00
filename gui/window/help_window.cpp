// SPDX-License-Identifier: Apache-2.0
#include "gui/window/help_window.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/keys.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/window/actions.hpp"

#include <QDialogButtonBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
#include <vector>

namespace warplens::gui {

namespace {

constexpr Length kHelpWidth{560}, kHelpHeight{640}, kBelow{4}, kBeside{16}, kAboutWidth{360};

/// The menu of the window's bar that an action hangs in, at any depth; null: in none.
const QMenu* menuAbove(const QAction& action) {
    const QMenu* found = nullptr;
    for (const QObject* object : action.associatedObjects()) {
        const auto* menu = qobject_cast<const QMenu*>(object);
        if (menu == nullptr || found != nullptr) continue;
        const auto above = menu->menuAction()->associatedObjects();
        const bool top = std::ranges::any_of(
            above, [](const QObject* bar) { return qobject_cast<const QMenuBar*>(bar) != nullptr; });
        found = top ? menu : menuAbove(*menu->menuAction());
    }
    return found;
}

/// "View"; of an action in no menu, where else it is heard.
QString groupOf(const QAction& action) {
    if (const QMenu* menu = menuAbove(action)) return plainText(*menu->menuAction());
    return action.property(Actions::kWindow).isValid() ? HelpWindow::tr("Reports")
                                                       : HelpWindow::tr("In panes and lists");
}

void addClose(QDialog* dialog, QVBoxLayout* column) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
}

}  // namespace

HelpWindow::HelpWindow(const QList<QAction*>& actions, const QString& whyNoGpu, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("help-window"));
    setWindowTitle(tr("Keys and answers"));
    setAttribute(Qt::WA_DeleteOnClose);
    const QSize wanted(kHelpWidth, kHelpHeight);
    // The frame has to fit on the screen that the window fills.
    constexpr QSize kFrame(32, 56);
    resize(parent != nullptr ? wanted.boundedTo(parent->window()->size() - kFrame) : wanted);
    std::vector<std::pair<QString, QString>> groups;
    const auto row = [&groups](const QString& group, const QString& keys, const QString& what) {
        auto at = std::ranges::find(groups, group, &std::pair<QString, QString>::first);
        if (at == groups.end()) at = groups.insert(groups.end(), {group, {}});
        at->second +=
            QStringLiteral("<tr><td style='padding-bottom: %3px; padding-right: %4px'><b>%1</b></td><td>%2</td></tr>")
                .arg(keys.toHtmlEscaped(), what.toHtmlEscaped())
                .arg(int(kBelow))
                .arg(int(kBeside));
    };
    for (const QAction* action : actions)
        if (const QVariant keys = action->property("sheetKeys"); keys.isValid()) {
            if (!keys.toString().isEmpty())
                row(groupOf(*action), keys.toString(), action->property("sheetText").toString());
        } else if (!action->shortcut().isEmpty())
            row(groupOf(*action), QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                plainText(*action));
    const QString panes = tr("In panes and lists");
    row(panes, tr("Shift, held"), tr("Show the reference in every pane"));
    row(panes, tr("Wheel"), tr("Zoom about the cursor"));
    row(panes, tr("Drag, arrows"), tr("Move the picture"));
    row(panes, tr("Ctrl+arrows"), tr("Move the inspected pixel"));
    row(panes, tr("Double click, Enter"), tr("One pane, or all again"));
    row(panes, tr("Space"), tr("Check or uncheck a variant in the list"));
    QString html = QStringLiteral("<h3>%1</h3>").arg(tr("Keys"));
    for (const auto& [group, rows] : groups)
        html += QStringLiteral("<h4>%1</h4><table cellspacing='0' cellpadding='0'>%2</table>")
                    .arg(group.toHtmlEscaped(), rows);
    const auto answer = [&html](const QString& question, const QString& text) {
        html += QStringLiteral("<h3>%1</h3><p>%2</p>").arg(question, text);
    };
    answer(tr("Why does no variant win on the CPU?"),
           (whyNoGpu.isEmpty() ? QString() : whyNoGpu.toHtmlEscaped() + ' ') +
               tr("The CPU device runs the same kernels with CUDA's rules, so results are checked exactly as on a GPU. "
                  "Its times "
                  "order the variants differently from a GPU, for it has no warps, no shared memory and no coalescing "
                  "to gain from. "
                  "So they are shown in grey, and no variant is called faster."));
    answer(tr("What does unverified mean?"), tr("The picture is there, but has not been compared with the "
                                                "double-precision reference yet. Its time appears when it has."));
    answer(tr("What do the letters mean?"), tr("M was measured in this run, C was counted, m comes from a "
                                               "formula, R was reported by the driver, "
                                               "r was recorded earlier on the device named beside it."));
    answer(tr("Are pictures changed by opening them?"), tr("Filters work on the stored values; there is no gamma "
                                                           "change. Range, zoom and colours are for looking only."));
    auto* text = made(new QTextBrowser(this), {.name = tr("Keys and answers")});
    text->setHtml(html);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    addClose(this, column);
}

AboutWindow::AboutWindow(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("about-window"));
    setWindowTitle(tr("About Warplens"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* text = new QLabel(tr("<h3>Warplens %1</h3><p>Shows what a CUDA optimisation does to your picture.</p>"
                               "<p>Apache License 2.0. Uses Qt %2 under the LGPL, OpenCV, oneTBB, Boost, and the fonts "
                               "Noto Sans and JetBrains Mono under the SIL Open Font License.</p>")
                                .arg(QStringLiteral(WARPLENS_VERSION), QString::fromUtf8(qVersion())),
                            this);
    text->setWordWrap(true);
    text->setFixedWidth(kAboutWidth);
    auto* column = new QVBoxLayout(this);
    // As high as the text needs at its width; a window's own first size stops at two thirds of the screen.
    column->setSizeConstraint(QLayout::SetFixedSize);
    column->addWidget(text);
    addClose(this, column);
}

}  // namespace warplens::gui
