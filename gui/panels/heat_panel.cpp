// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/heat_panel.hpp"

#include "gui/panels/kernel_sources.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/cuda_highlighter.hpp"
#include "gui/views/heat_text.hpp"
#include "gui/views/marks.hpp"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace warplens::gui {

HeatPanel::HeatPanel(WhyModel& why, WarpModel& warp, QWidget* parent)
    : QWidget(parent),
      m_why(why),
      m_warp(warp),
      m_mark(new IdeaMark(this)),
      m_name(new QLabel(this)),
      m_legend(new QLabel(this)),
      m_share(new QLabel(this)),
      m_origin(new OriginMark(Origin::counted, this)),
      m_heats(new QButtonGroup(this)),
      m_text(new HeatText(this)),
      m_highlighter(new CudaHighlighter(m_text->document())) {
    setLook(this, "dock");
    setAttribute(Qt::WA_StyledBackground);
    m_text->setObjectName(QStringLiteral("heat-source"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addWidget(m_text, 1);
    column->addWidget(makeFoot());
    connect(&why, &WhyModel::countsChanged, this, &HeatPanel::refresh);
    connect(&warp, &WarpModel::lineChanged, this, &HeatPanel::refreshHeat);
    connect(m_text, &HeatText::lineChosen, &warp, &WarpModel::chooseLine);
    refresh();
}

QWidget* HeatPanel::makeHead() {
    auto* head = new QWidget(this);
    head->setFixedHeight(kStripHeight);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    row->setSpacing(0);
    setLook(m_name, "title");
    row->addWidget(m_mark);
    row->addSpacing(6);
    row->addWidget(m_name, 1);
    for (const Heat heat : kHeats) {
        auto* button = new QPushButton(nameOf(heat), head);
        setLook(button, "segment");
        button->setObjectName(QStringLiteral("heat-%1").arg(static_cast<int>(heat)));
        button->setCheckable(true);
        button->setChecked(heat == m_heat);
        button->setToolTip(tr("Beside each line: %1.").arg(unitOf(heat)));
        m_heats->addButton(button, static_cast<int>(heat));
        row->addWidget(button);
    }
    connect(m_heats, &QButtonGroup::idClicked, this, [this](int id) { setHeat(static_cast<Heat>(id)); });
    return head;
}

QWidget* HeatPanel::makeFoot() {
    auto* foot = new QWidget(this);
    foot->setFixedHeight(kHeadHeight);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    row->setSpacing(5);
    setLook(m_legend, "caption");
    setLook(m_share, "hint");
    row->addWidget(m_legend);
    row->addWidget(m_origin);
    row->addStretch(1);
    row->addWidget(m_share);
    return foot;
}

void HeatPanel::setHeat(Heat heat) {
    m_heat = heat;
    m_heats->button(static_cast<int>(heat))->setChecked(true);
    refreshHeat();
}

void HeatPanel::refresh() {
    const CompareSession& session = m_why.session();
    const gpu::Variant* variant = session.variant(session.current());
    if (variant == nullptr) return;
    if (m_shown != variant->source + variant->id) {
        m_shown = variant->source + variant->id;
        m_mark->setIdea(variant->idea);
        const bool library = variant->source.empty();
        m_name->setText(library ? QString::fromStdString(variant->title) : QString::fromStdString(variant->source).section('/', -1));
        m_highlighter->setDocument(library ? nullptr : m_text->document());
        QString text = library ? tr("%1 is a library; its source is not part of Warplens.").arg(QString::fromStdString(variant->title))
                               : kernelSource(*variant);
        if (text.endsWith(u'\n')) text.chop(1);
        m_text->setLines({}, variant->idea);
        m_text->setSource(text);
        m_text->setAccessibleName(tr("Source of %1 with counts").arg(m_name->text()));
    }
    refreshHeat();
}

void HeatPanel::refreshHeat() {
    const CompareSession& session = m_why.session();
    const gpu::Variant* variant = session.variant(session.current());
    const gpu::Counters* counters = variant == nullptr ? nullptr : m_why.counters(variant->id);
    m_origin->setVisible(counters != nullptr);
    if (counters == nullptr) {
        m_legend->setText(m_why.counting() ? tr("being counted") : QString());
        m_share->clear();
        return m_text->setLines({}, gpu::Idea::plain);
    }
    std::map<int, HeatText::Line> lines;
    for (const auto& [number, counts] : m_warp.lines()) lines[number] = {counts.heat(m_heat), counts.texts()};
    m_text->setLines(std::move(lines), variant->idea);
    m_text->setChosen(m_warp.line());
    m_legend->setText(m_text->highest() > 0 ? tr("full cell: %1 %2").arg(format::integer(m_text->highest()), unitOf(m_heat))
                                            : tr("no %1").arg(unitOf(m_heat)));
    m_share->setText(tr("%1 of blocks traced").arg(format::percent(counters->tracedShare)));
}

void HeatPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // The colours of the text are in its formats, so a new scheme has to write them anew.
    if (event->type() == QEvent::PaletteChange && m_highlighter != nullptr) m_highlighter->rehighlight();
}

}  // namespace warplens::gui
