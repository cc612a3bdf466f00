// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/volume_side.hpp"

#include "gpu/core/length.hpp"
#include "gui/kit/dock_section.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/volume/volume_charts.hpp"
#include "io/in_space.hpp"

#include <QCoreApplication>

namespace warplens::gui {

namespace {

constexpr int kBins = 96;
constexpr int kSideWidth = 320;

/// "12.5, −3, 40 mm", or in µm: where the middle of a voxel lies by the volume's own geometry.
QString positionText(const io::Grid& grid, const VolumeState::Voxel& voxel) {
    const auto& g = grid.geometry;
    if (!io::hasGeometry(g)) return QCoreApplication::translate("VolumeSide", "not said by the file");
    const gpu::LengthUnit unit = gpu::lengthUnitOf(grid);
    QStringList parts;
    for (std::size_t row = 0; row < 3; ++row) {
        double mm = g.origin[row];
        for (std::size_t a = 0; a < 3; ++a) mm += g.direction[3 * row + a] * g.spacing[a] * voxel[a];
        // Four digits whatever the size, without zeros that say nothing.
        parts << format::compact(mm / unit.mm, 4);
    }
    return parts.join(QStringLiteral(", ")) + ' ' + QString::fromUtf8(unit.name);
}

QHBoxLayout* factRow(const QString& name, QLabel* value) {
    return makeRow(nullptr, {}, -1, {made(new QLabel(name), {.look = "caption"}), spring(), value});
}

}  // namespace

VolumeSide::VolumeSide(VolumeState& state, QWidget* parent)
    : QScrollArea(parent),
      m_state(state),
      m_auto(made(new QPushButton(tr("Auto"), this),
                  {.id = "auto-range",
                   .look = "flat",
                   .tip = tr("The range without 0.1 % of the values at each end; NaN and infinities are ignored"),
                   .does = [this] { autoRange(); }})),
      m_level(new LevelChart(state.display(), this)),
      m_low(made(new ValueSpin(this), {.id = "level-low", .name = tr("Value shown in the first colour")})),
      m_high(made(new ValueSpin(this), {.id = "level-high", .name = tr("Value shown in the last colour")})),
      m_value(made(new QLabel(this), {.id = "crosshair-value", .look = "title"})),
      m_position(
          made(new QLabel(this),
               {.id = "crosshair-position",
                .look = "caption",
                .tip = tr("Of the voxel's middle, by the origin, spacing and direction that the volume came with")})),
      m_modes(new QButtonGroup(this)),
      m_opacity(made(new OpacityChart(state.display(), this), {.id = "opacity"})),
      m_opacityText(made(new QLabel(tr("Opacity over the range; drag the points."), this), {.look = "hint"})) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(kSideWidth);
    setFocusPolicy(Qt::NoFocus);
    auto* content = made(new QWidget(this), {.look = "dock"});
    m_column = makeColumn(content, {}, 0, {spring()});
    setWidget(content);

    makeLevels();
    makeRays();

    connect(&state, &VolumeState::crosshairChanged, this, &VolumeSide::refresh);
    connect(&state.display(), &ViewState::displayChanged, this, &VolumeSide::refresh);
    refresh();
}

void VolumeSide::addSection(DockSection* section) { m_column->insertWidget(m_column->count() - 1, section); }

void VolumeSide::makeLevels() {
    auto* section = new DockSection(tr("Window and level"), std::nullopt, this);
    section->addToHead(m_auto);
    addSection(section);
    for (ValueSpin* spin : {m_low, m_high}) {
        spin->setToolTip(spin->accessibleName() + tr(", the same in all panes"));
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
            m_state.display().setEnds({m_low->value(), m_high->value()});
        });
    }
    for (QLabel* label : {m_value, m_position}) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    fill(section->content(), {m_level, makeRow(nullptr, {}, -1, {m_low, spring(), m_high}),
                              factRow(tr("value at crosshair"), m_value), factRow(tr("position"), m_position)});
}

void VolumeSide::makeRays() {
    auto* section = new DockSection(tr("3D view"), std::nullopt, this);
    addSection(section);
    QVBoxLayout* column = section->content();
    auto* row = makeRow(nullptr, {}, 0);
    const std::pair<gpu::render::Mode, QString> modes[] = {{gpu::render::Mode::maximum, tr("Maximum")},
                                                           {gpu::render::Mode::average, tr("Average")},
                                                           {gpu::render::Mode::shaded, tr("Shaded")}};
    for (const auto& [mode, name] : modes) {
        auto* button =
            made(new QPushButton(name, section), {.id = QStringLiteral("mode-%1").arg(static_cast<int>(mode)),
                                                  .look = "segment",
                                                  .name = tr("3D view: %1").arg(name),
                                                  .checkable = true});
        button->setChecked(mode == gpu::render::Mode::maximum);
        m_modes->addButton(button, static_cast<int>(mode));
        row->addWidget(button, 1);
    }
    column->addLayout(row);
    m_opacity->hide();
    m_opacityText->hide();
    fill(column, {m_opacity, m_opacityText});
    connect(m_modes, &QButtonGroup::idClicked, this, [this](int id) {
        const auto mode = static_cast<gpu::render::Mode>(id);
        m_opacity->setVisible(mode == gpu::render::Mode::shaded);
        m_opacityText->setVisible(mode == gpu::render::Mode::shaded);
        emit modeChosen(mode);
    });
}

void VolumeSide::setVolume(std::shared_ptr<const io::Grid> volume) {
    if (volume == m_volume) return refresh();
    m_volume = std::move(volume);
    refresh();
    if (m_volume == nullptr) return m_level->setHistogram({});
    if (!m_counting) countValues();
}

// One at a time: an iteration that plays brings volumes faster than they are counted.
void VolumeSide::countValues() {
    m_counting = true;
    inBackground(
        this, [grid = m_volume] { return valueHistogram(*grid, kBins); },
        [this, grid = m_volume](const ValueHistogram& histogram) {
            m_counting = false;
            if (m_volume == nullptr) return;
            m_level->setHistogram(histogram);
            if (grid != m_volume) countValues();
        });
}

void VolumeSide::autoRange() {
    if (m_volume == nullptr) return;
    inBackground(
        this, [grid = m_volume] { return statisticsOf(*grid); },
        [this](const PictureStatistics& statistics) { m_state.display().setEnds(gui::autoRange(statistics)); });
}

void VolumeSide::refresh() {
    const QSignalBlocker quietLow(m_low), quietHigh(m_high);
    m_low->setValue(m_state.display().range().low);
    m_high->setValue(m_state.display().range().high);
    const auto& at = m_state.crosshair();
    m_value->setText(m_volume == nullptr ? QString() : pixelText(*m_volume, at[0], at[1], at[2]));
    m_position->setText(m_volume == nullptr ? QString() : positionText(*m_volume, at));
}

}  // namespace warplens::gui
