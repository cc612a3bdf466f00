// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/counts_strip.hpp"

#include "gui/kit/panel.hpp"
#include "gui/regions/measure_chart.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

constexpr int kPictureMs = 40;
constexpr std::int64_t kMostPictures = 250;  // of a film: ten seconds

/// The counts of a table with such columns; null: another table.
const gpu::Column::Integers* countsIn(const gpu::Tables& tables, const char* step, const char* counts) {
    for (const auto& table : tables)
        if (table->values<gpu::Column::Integers>(step) != nullptr)
            if (const auto* found = table->values<gpu::Column::Integers>(counts)) return found;
    return nullptr;
}

}  // namespace

CountsStrip::CountsStrip(QWidget* parent)
    : QWidget(parent),
      m_play(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_sentence(new ElidedLabel(this)),
      m_origin(new OriginMark(Origin::counted, this)),
      m_curve(new CountsCurve(this)) {
    setWidgetText(this, {.id = "counts-strip", .look = "dock"});
    setWidgetText(m_play, {.id = "regions-play", .name = tr("Play")});
    setWidgetText(m_next, {.id = "regions-step", .name = tr("Step"), .tip = tr("One step of the flood")});
    for (QToolButton* button : {m_play, m_next}) {
        button->setFocusPolicy(Qt::StrongFocus);
        button->setIconSize({kGlyphBox, kGlyphBox});
        button->setFixedSize(kHeadHeight, kRowHeight);
    }
    m_sentence->setObjectName(QStringLiteral("counts-sentence"));
    m_curve->setObjectName(QStringLiteral("counts-curve"));
    auto* head = makeRow(nullptr, {kDockMargin, 4, kDockMargin, 0}, 6, {m_play, m_next, {m_sentence, 1}, m_origin});
    makeColumn(this, {}, 0, {head, {m_curve, 1}});
    m_clock.setInterval(kPictureMs);
    connect(&m_clock, &QTimer::timeout, this, &CountsStrip::advance);
    connect(m_play, &QToolButton::clicked, this, &CountsStrip::playOrPause);
    connect(m_next, &QToolButton::clicked, this, &CountsStrip::stepOnce);
    connect(m_curve, &PlotView::picked, this, [this](int step) {
        if (playing()) playOrPause();
        show(step);
    });
    drawIcons();
    hide();
    on(this, {QEvent::PaletteChange}, [this] { drawIcons(); });
}

void CountsStrip::setTables(const gpu::Tables& tables) {
    if (tables == m_tables) return;
    m_tables = tables;
    const auto* levels = countsIn(tables, "level", "frontier");
    const auto* passes = countsIn(tables, "pass", "changed");
    m_levels = levels != nullptr;
    const gpu::Column::Integers* shown = m_levels ? levels : passes;
    m_last = shown == nullptr ? 0 : static_cast<std::int64_t>(shown->size()) - 1;
    m_curve->setCounts(shown == nullptr ? gpu::Column::Integers{} : *shown, m_levels ? 0 : 1,
                       m_levels ? tr("steps") : tr("passes"));
    setVisible(shown != nullptr);
    if (m_clock.isActive()) playOrPause();
    show(std::nullopt);
}

std::int64_t CountsStrip::count() const { return m_step ? m_curve->counts()[static_cast<std::size_t>(*m_step)] : 0; }

void CountsStrip::show(std::optional<std::int64_t> step) {
    m_step = step;
    m_curve->setAt(step ? std::optional(static_cast<std::size_t>(*step)) : std::nullopt);
    refresh();
    emit stepChanged();
}

void CountsStrip::playOrPause() {
    if (m_clock.isActive()) {
        m_clock.stop();
    } else if (playable()) {
        if (!m_step || *m_step == m_last) show(0);
        m_clock.start();
    }
    refresh();
    emit playingChanged();
}

void CountsStrip::stepOnce() {
    if (!playable()) return;
    if (m_clock.isActive()) return playOrPause();
    show(m_step && *m_step < m_last ? *m_step + 1 : 0);
}

void CountsStrip::advance() {
    const std::int64_t stride = 1 + m_last / kMostPictures;
    show(std::min(m_last, m_step.value_or(0) + stride));
    if (*m_step == m_last) playOrPause();
}

void CountsStrip::refresh() {
    for (QToolButton* button : {m_play, m_next}) button->setEnabled(playable());
    setWidgetText(m_play, {.name = playing() ? tr("Pause") : tr("Play"),
                           .tip = playing()  ? tr("Pause")
                                  : m_levels ? tr("The frontier of the flood, step by step")
                                             : tr("How the labels converge, pass by pass")});
    const QString last = format::integer(m_levels ? m_last : m_last + 1);
    QString said;
    if (m_step && m_levels)
        said = tr("Step %1 of %2: the frontier is %3 pixels.");
    else if (m_step)
        said = tr("Pass %1 of %2 changed %3 labels.");
    if (m_step)
        said = said.arg(format::integer(m_levels ? *m_step : *m_step + 1), last, format::integer(count()));
    else if (m_levels)
        said = tr("%1 steps: each reaches the neighbours of the pixels of the step before.").arg(last);
    else
        said = tr("%1 passes: propagation follows the longest path through a component, one pixel per pass. The curve "
                  "shows the labels that change in each pass.")
                   .arg(last);
    m_sentence->setFullText(said);
    drawIcons();
}

void CountsStrip::drawIcons() {
    m_play->setIcon(transportIcon(playing() ? Transport::pause : Transport::play));
    m_next->setIcon(transportIcon(Transport::step));
}

}  // namespace warplens::gui
