// SPDX-License-Identifier: Apache-2.0
// The part of HistogramPage that the user works with: tool strip, the row in the task dock, new pictures from old ones.
#include "gpu/core/registry.hpp"
#include "gpu/families/histogram/tone.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/lenses/histogram/histogram_page.hpp"
#include "gui/picture/pane.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace warplens::gui {

QPushButton* HistogramPage::tool(const char* name, const QString& text, const QString& tip, bool checkable) {
    auto* button = made(new QPushButton(text, this), {.id = name, .look = "flat", .name = text, .tip = tip});
    button->setCheckable(checkable);
    return button;
}

QWidget* HistogramPage::makeStrip() {
    auto* strip = made(new QWidget(this), {.look = "dock"});
    strip->setFixedHeight(kStripHeight);
    auto* row = makeRow(strip, {kGap, 0, kGap, 0}, 4);
    m_mark =
        tool("mark-range", tr("Mark range"), tr("Shows in the picture which pixels have the values selected."), true);
    m_map = tool("contention", tr("Contention map"),
                 tr("How many lanes of a warp meet in the same bin (counted); each cell is the 32 values of a warp."),
                 true);
    m_select = tool("select-region", tr("Select region"),
                    tr("Drag a rectangle in the picture to count only what is inside it."), true);
    m_equalise =
        tool("equalise", tr("Equalise"), tr("Spreads the values so that all become about equally frequent."), false);
    m_stretch = tool("stretch", tr("Stretch"),
                     tr("Stretches the selected range, or that of all values, over the whole scale."), false);
    m_undo = tool("undo-picture", tr("Back"), tr("Back to the picture before, Ctrl+Z."), false);
    m_link = tool("link-histogram", tr("Link"), tr("Both panes share zoom and position."), true);
    for (QPushButton* on : {m_mark, m_map, m_link}) on->setChecked(true);
    m_slice = made(new QSpinBox(strip), {.id = "histogram-slice", .name = tr("Slice")});
    m_slice->setPrefix(tr("slice "));
    fill(row, {m_mark, m_map, m_select, m_equalise, m_stretch, m_undo, spring(), m_slice, m_link});
    connect(m_mark, &QPushButton::toggled, this, &HistogramPage::refreshMarks);
    connect(m_map, &QPushButton::toggled, m_lanes, &QWidget::setVisible);
    connect(m_select, &QPushButton::toggled, m_picture->view(), &ImageView::setSelecting);
    connect(m_equalise, &QPushButton::clicked, this, &HistogramPage::equalise);
    connect(m_stretch, &QPushButton::clicked, this, &HistogramPage::stretch);
    connect(m_undo, &QPushButton::clicked, &m_session.inputs(), &InputFiles::undoPicture);
    connect(m_link, &QPushButton::toggled, this, [this](bool on) { setLinked(on); });
    connect(m_slice, &QSpinBox::valueChanged, &m_display, &ViewState::setSlice);
    return strip;
}

QWidget* HistogramPage::taskRow() {
    if (m_taskRow != nullptr) return m_taskRow;
    m_taskRow = new QWidget(this);
    auto* row = makeRow(m_taskRow, {}, kGap);
    auto* label = made(new QLabel(tr("Contention"), m_taskRow), {.look = "label"});
    label->setMinimumWidth(kLabelWidth);
    m_laneVariant = made(new QComboBox(m_taskRow),
                         {.id = "contention-variant", .name = tr("Variant whose contention is shown"), .letters = 8});
    for (const gpu::Variant& variant : gpu::familyOf("histogram").variants())
        if (variant.kind == gpu::Variant::Kind::kernel) m_laneVariant->addItem(QString::fromStdString(variant.id));
    label->setBuddy(m_laneVariant);
    fill(row, {label, {m_laneVariant, 1}});
    connect(m_laneVariant, &QComboBox::currentTextChanged, this,
            [this](const QString& id) { m_model.setLaneVariant(id.toStdString()); });
    m_model.setLaneVariant(m_laneVariant->currentText().toStdString());
    return m_taskRow;
}

void HistogramPage::refreshTools() {
    const bool counted = m_model.counts() != nullptr && !m_model.outdated() && !m_session.document().empty();
    m_equalise->setEnabled(counted);
    m_stretch->setEnabled(counted);
    m_undo->setVisible(m_session.document().state().source != nullptr);
}

void HistogramPage::takeRectangle(QRect pixels) {
    m_select->setChecked(false);
    const QString text =
        QStringLiteral("%1,%2,%3,%4").arg(pixels.x()).arg(pixels.y()).arg(pixels.width()).arg(pixels.height());
    QString why;
    if (!m_session.parameters().set("region", text.toStdString(), &why)) m_session.activity().report(why);
}

QString HistogramPage::derivedName(const QString& what) const {
    const QString name = m_session.document().name();
    const QString stem =
        name.startsWith(QStringLiteral("gen:")) ? name.section(':', 1, 1) : QFileInfo(name).completeBaseName();
    return (stem.isEmpty() ? name : stem) + '-' + what;
}

void HistogramPage::equalise() {
    const auto grid = m_session.document().grid();
    const auto counts = m_model.counts();
    if (grid == nullptr || counts == nullptr) return;
    m_session.inputs().derive(
        derivedName(tr("equalised")), tr("Equalised %1").arg(m_session.document().name()),
        [grid, counts](const std::stop_token&) { return gpu::histogram::equalise(*grid, *counts); });
}

void HistogramPage::stretch() {
    const auto grid = m_session.document().grid();
    const SelectedFigures* figures = m_model.figures();
    if (grid == nullptr || figures == nullptr || figures->channels.empty()) return;
    const ValueRange range = m_model.range() ? *m_model.range() : extremesOf(*figures);
    m_session.inputs().derive(
        derivedName(tr("stretched")), tr("Stretched %1").arg(m_session.document().name()),
        [grid, range](const std::stop_token&) { return gpu::histogram::stretch(*grid, range.low, range.high); });
}

}  // namespace warplens::gui
