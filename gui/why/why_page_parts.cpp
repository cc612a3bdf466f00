// SPDX-License-Identifier: Apache-2.0
// The parts of the Why page and how one changes between them.
#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/request/family_chooser.hpp"
#include "gui/why/crossover_panel.hpp"
#include "gui/why/heat_panel.hpp"
#include "gui/why/sources_panel.hpp"
#include "gui/why/why_page.hpp"

#include <QActionGroup>
#include <QPushButton>
#include <QSplitter>

namespace warplens::gui {

WhyPage::Tool WhyPage::makeTool(const char* name, const QString& text, const QString& command, const QString& tip,
                                const QKeySequence& key, bool checkable) {
    QAction* action = makeAction(name, command, key);
    action->setToolTip(tip);
    action->setCheckable(checkable);
    auto* button = made(new QPushButton(text, this), {.name = text});
    followAction(button, action);
    return {button, action};
}

QWidget* WhyPage::makeParts() {
    auto* parts = new QWidget(this);
    auto* row = makeRow(parts, {}, 0);
    // The task dock is hidden here.
    FamilyChooser* family = makeFamilyChooser(m_request, parts);
    family->setObjectName(QStringLiteral("why-family"));
    family->hideTask();
    fill(row, {family, spacer(kGap)});
    auto* group = new QActionGroup(this);
    const auto part = [&](Part id, const char* name, const QString& text, const QString& command, const QString& tip,
                          const QKeySequence& key) {
        const auto [button, action] = makeTool(name, text, command, tip, key, true);
        setLook(button, "segment");
        row->addWidget(button);
        group->addAction(action);
        m_partActions[id] = action;
        connect(action, &QAction::triggered, this, [this, id] {
            setPart(id);
            if (id == Part::crossover) m_crossover->focusShown();
        });
    };
    part(Part::picture, "why-part-picture", tr("Picture"), tr("The p&icture and one source"),
         tr("The picture, the source of one variant and one of its warps."), Qt::Key_I);
    part(Part::sources, "why-part-sources", tr("Sources"), tr("Two sourc&es side by side"),
         tr("The sources of two variants side by side, with the counts and times that changed."), Qt::Key_E);
    part(Part::crossover, "why-part-crossover", tr("Crossover"), tr("&Who wins where"),
         tr("Which variant wins at which radius and picture size."), Qt::Key_X);
    return parts;
}

bool WhyPage::compareSources(const std::string& against) {
    emit pageRequested(id());  // first, as the page begins with a rung's predecessor
    m_model.setAgainst(against);
    setPart(Part::sources);
    return true;
}

void WhyPage::setPart(Part part) {
    const std::array splitters{m_columns, m_left, m_middle};
    if (m_part == Part::picture && part != m_part && m_sized)
        for (std::size_t i = 0; i < splitters.size(); ++i) m_splits[i] = splitters[i]->sizes();
    m_part = part;
    m_partActions.at(part)->setChecked(true);
    // What goes is hidden before the rest is shown: both at once would need more room than a small window has, and it
    // would grow.
    if (part != Part::crossover) m_crossover->hide();
    m_left->setVisible(part == Part::picture);
    m_heat->setVisible(part == Part::picture);
    m_sources->setVisible(part == Part::sources);
    m_columns->setVisible(part != Part::crossover);
    if (part == Part::crossover) m_crossover->show();
    // A splitter that was hidden shares out anew, by what its children would like.
    if (part != Part::picture || !m_sized) return;
    layout()->activate();
    if (m_splits.front().isEmpty()) return parallelForEach();
    for (std::size_t i = 0; i < splitters.size(); ++i) splitters[i]->setSizes(m_splits[i]);
}

}  // namespace warplens::gui
