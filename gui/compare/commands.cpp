// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/compare_page.hpp"
#include "gui/compare/tools.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"

#include <QDialog>
#include <array>

namespace warplens::gui {

namespace {

constexpr std::size_t kNumbers = 9;

/// A command whose text depends on what it stands for; without a text it is not there.
void nameAction(QAction* action, const QString& text) {
    if (!text.isEmpty()) action->setText(text);
    action->setEnabled(!text.isEmpty());
    action->setVisible(!text.isEmpty());
}

}  // namespace

void addViewCommands(ComparePage& page, CompareSession& session) {
    PaneGrid& panes = *page.panes();
    const auto on = [&page](const char* id, const QString& text, const QKeySequence& key, auto what) {
        QAction* action = page.makeAction(id, text, key);
        QObject::connect(action, &QAction::triggered, &page, what);
        return action;
    };
    on("go-to-pixel", ComparePage::tr("&Go to a pixel..."), Qt::CTRL | Qt::Key_G, [&page, &panes, &session] {
        if (session.document().empty()) return;
        makeGoToBox(session.document().grid()->shape(), &page, [&panes](PixelPlace place) {
            panes.goTo(place);
        })->open();
    });
    ViewState* view = panes.viewState();
    const auto toggle = [&](const char* id, const QString& text, Qt::Key key, auto read, auto write) {
        QAction* action = on(id, text, key, [view, write](bool set) { (view->*write)(set); });
        action->setCheckable(true);
        const auto show = [view, action, read] { action->setChecked((view->*read)()); };
        QObject::connect(view, &ViewState::displayChanged, action, show);
        show();
    };
    toggle("pixel-values", ComparePage::tr("Write &values on large pixels"), Qt::Key_V, &ViewState::pixelValues,
           &ViewState::setPixelValues);
    toggle("mark-out-of-range", ComparePage::tr("Mark values outside the &range"), Qt::Key_R, &ViewState::markOutside,
           &ViewState::setMarkOutside);
    on("ask-gamma", ComparePage::tr("Display gamma..."), {}, [&page] { page.range()->askGamma(); });
}

void addChoiceCommands(ComparePage& page, CompareSession& session) {
    std::array<QAction*, kNumbers> choose{}, refer{};
    // Nine keys are one line of the key sheet.
    const auto numbered = [&](const char* id, std::size_t i, int modifier, const QString& keys, const QString& text,
                              auto what) {
        const int number = static_cast<int>(i) + 1;
        QAction* action = page.makeAction(qPrintable(QStringLiteral("%1-%2").arg(QLatin1String(id)).arg(number)), {},
                                          QKeySequence(modifier | (Qt::Key_0 + number)));
        action->setProperty("sheetKeys", i == 0 ? keys : QString());
        action->setProperty("sheetText", i == 0 ? text : QString());
        QObject::connect(action, &QAction::triggered, &page,
                         [&session, i, what] { what(lineup(session.variants())[i].key); });
        return action;
    };
    for (std::size_t i = 0; i < kNumbers; ++i) {
        choose[i] = numbered("choose", i, 0, ComparePage::tr("1 to 9"), ComparePage::tr("Choose the input or a result"),
                             [&page](const QString& key) { page.choose(key); });
        refer[i] = numbered("reference", i, Qt::SHIFT, ComparePage::tr("Shift+1 to 9"),
                            ComparePage::tr("Choose the reference"),
                            [&session](const QString& key) { session.lookedAt().setReference(key.toStdString()); });
    }
    const auto name = [&session, choose, refer] {
        const auto entries = lineup(session.variants());
        for (std::size_t i = 0; i < kNumbers; ++i) {
            const bool there = i < entries.size();
            nameAction(choose[i], there ? ComparePage::tr("Show %1").arg(entries[i].title) : QString());
            nameAction(refer[i], there ? ComparePage::tr("Reference %1").arg(entries[i].title) : QString());
        }
    };
    QObject::connect(&session.request(), &RequestState::taskChanged, &page, name);
    name();
}

void addResultCommands(ComparePage& page, CompareSession& session) {
    RequestState& request = session.request();
    QObject::connect(page.makeAction("pin-baseline", ComparePage::tr("Pin the &current result as baseline"),
                                     QKeySequence(Qt::SHIFT | Qt::Key_P)),
                     &QAction::triggered, &request, [&request] { request.setBaseline(request.current()); });
    QObject::connect(page.makeAction("take-snapshot", ComparePage::tr("&Keep a snapshot of the result"), Qt::Key_K),
                     &QAction::triggered, &session.outputs(), &ResultFiles::takeSnapshot);
    std::array<QAction*, Snapshots::kMost> references{};
    for (std::size_t i = 0; i < references.size(); ++i) {
        references[i] = page.makeAction(qPrintable(QStringLiteral("snapshot-%1").arg(i + 1)), {}, {});
        QObject::connect(references[i], &QAction::triggered, &page, [&session, i] {
            session.lookedAt().setReference(session.snapshots().all()[i].key.toStdString());
        });
    }
    const auto name = [&session, references] {
        const auto& all = session.snapshots().all();
        for (std::size_t i = 0; i < references.size(); ++i)
            nameAction(references[i], i < all.size()
                                          ? ComparePage::tr("Reference %1: %2").arg(all[i].title, all[i].detail)
                                          : QString());
    };
    QObject::connect(&session.snapshots(), &Snapshots::changed, &page, name);
    name();
}

}  // namespace warplens::gui
