// SPDX-License-Identifier: Apache-2.0
#include "gui/views/origin_legend.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/glyphs.hpp"
#include "gui/views/marks.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStringList>
#include <QToolButton>

namespace warplens::gui {

namespace {

QWidget* makeEntry(Origin origin, QWidget* parent) {
    auto* const entry = new QWidget(parent);
    auto* const layout = new QHBoxLayout(entry);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(5);
    auto* const word = new QLabel(originName(origin), entry);
    setLook(word, "caption");
    layout->addWidget(new OriginMark(origin, entry));
    layout->addWidget(word);
    entry->setToolTip(originExplanation(origin));
    entry->setAccessibleName(originName(origin));
    entry->setAccessibleDescription(originExplanation(origin));
    return entry;
}

}  // namespace

OriginLegend::OriginLegend(QWidget* parent)
    : QWidget(parent), m_open(new QWidget(this)), m_button(new QToolButton(this)) {
    setAccessibleName(tr("Where a number comes from"));
    auto* const outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_open);
    outer->addWidget(m_button);
    auto* const row = new QHBoxLayout(m_open);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);

    auto* const menu = new QMenu(m_button);
    menu->setToolTipsVisible(true);
    QStringList sentences;
    for (const Origin origin : kOrigins) {
        row->addWidget(makeEntry(origin, m_open));
        menu->addAction(originIcon(origin), originExplanation(origin));
        sentences << originExplanation(origin);
    }
    m_button->setText(u' ' + tr("Legend"));
    m_button->setIcon(originIcon(Origin::measured));
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setMenu(menu);
    m_button->setFocusPolicy(Qt::TabFocus);
    m_button->setAccessibleName(tr("Legend: where a number comes from"));
    m_button->setToolTip(sentences.join(u'\n'));
    setLook(m_button, "flat");
    m_button->hide();
}

void OriginLegend::setFolded(bool folded) {
    if (folded == m_folded) return;
    m_folded = folded;
    m_open->setVisible(!folded);
    m_button->setVisible(folded);
}

}  // namespace warplens::gui
