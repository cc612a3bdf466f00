// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/volume_page.hpp"

#include "gpu/core/length.hpp"
#include "gpu/core/registry.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/panel.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/recipe_state.hpp"
#include "gui/volume/playback_model.hpp"
#include "gui/volume/slice_render.hpp"
#include "gui/volume/step_sections.hpp"
#include "gui/volume/volume_charts.hpp"
#include "gui/volume/volume_panes.hpp"
#include "gui/volume/volume_side.hpp"
#include "gui/volume/watch_strip.hpp"

#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace warplens::gui {

namespace {

const QString kLinked = QStringLiteral("volume/linked"), kCrosshair = QStringLiteral("volume/crosshair");

/// "1:1:2.5": voxel edges by the smallest; of a flat picture its pixels'.
QString proportions(const VolumeState& state) {
    const auto edges = std::span(state.spacing()).first(state.extent()[2] > 1 ? 3 : 2);
    QStringList parts;
    for (const double s : edges) parts << QString::number(s / std::ranges::min(edges), 'g', 3);
    return parts.join(u':');
}

/// An end of the range: three digits, and nothing of what is nothing beside the other end.
QString endText(double value, double span) {
    return std::abs(value) < span * 1e-4 ? QStringLiteral("0") : format::brief(value);
}

QPushButton* makeToggle(const QString& text, const char* name, const QString& tip, QWidget* parent) {
    auto* button = made(new QPushButton(text, parent), {.id = name, .look = "flat", .tip = tip, .checkable = true});
    button->setChecked(true);
    return button;
}

/// One slice at 100 %, in the colours shown.
SliceRequest wholeSlice(const VolumeState& state, SlicePlane plane) {
    const PlaneAxes axes = axesOf(plane);
    const auto extent = [&](int axis) {
        const auto a = static_cast<std::size_t>(axis);
        return state.extent()[a] * state.spacing()[a];
    };
    SliceRequest request;
    request.plane = plane;
    request.index = state.crosshair()[static_cast<std::size_t>(axes.across)];
    request.pixelsPerMm = 1 / state.smallestSpacing();
    request.size = {static_cast<int>(std::lround(extent(axes.right) * request.pixelsPerMm)),
                    static_cast<int>(std::lround(extent(axes.down) * request.pixelsPerMm))};
    request.centre = {extent(axes.right) / 2, extent(axes.down) / 2};
    request.spacing = state.spacing();
    request.range = state.display().range();
    request.map = state.display().colourMap();
    return request;
}

}  // namespace

VolumePage::VolumePage(RequestState& request, const RecipeState& recipe, Results& results, RunControl& control,
                       Activity& activity, ViewState& display, QWidget* parent)
    : Page(parent),
      m_request(request),
      m_recipe(recipe),
      m_results(results),
      m_control(control),
      m_activity(activity),
      m_state(display),
      m_panes(new VolumePanes(m_state, this)),
      m_side(new VolumeSide(m_state, this)),
      m_spacing(made(new QLabel(this), {.id = "spacing-text"})),
      m_range(made(new QLabel(this), {.id = "range-text", .look = "caption", .tip = tr("The same in all panes")})),
      m_playback(new PlaybackModel(request, control, activity, this)) {
    setLook(this, "canvas");
    auto* column = makeColumn(this, {}, 0, {makeStrip(), new SessionNotice(activity, this, false)});
    auto* notice = new SessionNotice(activity, this);
    connect(notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    fill(column, {notice, {m_panes, 1}});
    makeWatch(column);

    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &VolumePage::refresh);
    connect(&results, &Results::changed, &m_later, qOverload<>(&QTimer::start));
    connect(&request, &RequestState::taskChanged, &m_later, qOverload<>(&QTimer::start));
    connect(&request.document(), &Document::changed, this, &VolumePage::refresh);
    const auto setDevice = [this] {
        if (const gpu::DeviceInfo* device = m_request.devices().chosen()) m_panes->frames().setDevice(device->id);
    };
    connect(&request.devices(), &DeviceChoice::changed, this, setDevice);
    setDevice();
    // A time that is being measured must not be shared with rays.
    const auto hold = [this] { m_panes->frames().setHeld(m_control.comparing()); };
    connect(&activity, &Activity::busyChanged, this, hold);
    connect(&control, &RunControl::compared, this, hold);

    connect(&display, &ViewState::displayChanged, this, &VolumePage::refreshTexts);
    connect(&m_state, &VolumeState::volumeChanged, this, &VolumePage::refreshTexts);
    connect(&m_state, &VolumeState::crosshairChanged, this, &Page::viewChanged);
    connect(&m_state, &VolumeState::viewChanged, this, &Page::viewChanged);
    connect(m_panes, &VolumePanes::currentChanged, this, &Page::viewChanged);
    connect(&m_state, &VolumeState::linkedChanged, this, [this](bool linked) {
        m_link->setChecked(linked);
        emit linkedChanged(linked);
    });
    connect(m_side, &VolumeSide::modeChosen, m_panes, &VolumePanes::setMode);
    connect(m_side->opacity(), &OpacityChart::pointsChanged, this,
            [this](bool moving) { m_panes->setOpacity(m_side->opacity()->points(), moving); });
    refresh();
    refreshTexts();
}

QWidget* VolumePage::makeStrip() {
    auto* strip = made(new QWidget(this), {.look = "dock"});
    strip->setFixedHeight(kStripHeight);
    auto* row = makeRow(strip, {kGap, 0, kGap, 0}, 4);
    m_layoutButton = makeLayoutButton(strip);
    m_colours = new ColourMapButton(m_state.display(), strip);
    makeInputToggle(strip);
    m_link = makeToggle(tr("Link"), "link-slices", tr("The slices share zoom and position."), strip);
    m_crosshair = makeToggle(tr("Crosshair"), "show-crosshair",
                             tr("Where the three slices meet. Click, or hold Shift and move, to set it."), strip);
    connect(m_link, &QPushButton::toggled, &m_state, &VolumeState::setLinked);
    connect(m_crosshair, &QPushButton::toggled, &m_state, &VolumeState::setCrosshairShown);
    auto* automatic =
        made(new QPushButton(tr("Auto"), strip), {.look = "flat",
                                                  .name = tr("Automatic range"),
                                                  .tip = tr("The range without 0.1 % of the values at each end")});
    connect(automatic, &QPushButton::clicked, m_side, &VolumeSide::autoRange);

    fill(row, {m_layoutButton, m_input, m_result, m_link, m_crosshair, spacer(kGap), m_spacing, spring(), m_range,
               spacer(kGap), automatic, m_colours});
    return strip;
}

void VolumePage::makeInputToggle(QWidget* strip) {
    const auto segment = [&](const QString& text, const char* name, const QString& tip) {
        auto* button =
            made(new QPushButton(text, strip), {.id = name, .look = "segment", .tip = tip, .checkable = true});
        button->setAutoExclusive(true);
        connect(button, &QPushButton::toggled, &m_later, qOverload<>(&QTimer::start));
        return button;
    };
    m_input = segment(tr("Input"), "volume-input", tr("The volume as it was opened (W)"));
    m_result = segment(tr("Result"), "volume-result", tr("What is made of it (W)"));
    m_result->setChecked(true);
    connect(makeAction("volume-before", tr("&Input or result"), Qt::Key_W), &QAction::triggered, this,
            [this] { (m_result->isChecked() ? m_input : m_result)->setChecked(true); });
}

void VolumePage::setWorkspace(Workspace workspace) {
    if (std::exchange(m_workspace, workspace) != workspace) refresh();
}

/// Where one filters what all steps begin with, else what the task takes.
std::shared_ptr<const io::Grid> VolumePage::input() const {
    const RecipePlace* place = m_workspace == Workspace::picture ? m_recipe.place() : nullptr;
    return place != nullptr ? place->origin.picture.grid : m_request.document().grid();
}

QToolButton* VolumePage::makeLayoutButton(QWidget* strip) {
    auto* button = made(
        new QToolButton(strip),
        {.id = "volume-layout", .look = "flat", .tip = tr("Which panes are shown; a double click shows one alone.")});
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    struct Choice {
        QString name;
        std::optional<VolumePanes::Place> place;
    };
    const std::vector<Choice> choices{{tr("Slices + 3D"), {}},
                                      {tr("Axial"), VolumePanes::axial},
                                      {tr("Coronal"), VolumePanes::coronal},
                                      {tr("Sagittal"), VolumePanes::sagittal},
                                      {tr("3D"), VolumePanes::rays}};
    for (const Choice& choice : choices)
        connect(menu->addAction(choice.name), &QAction::triggered, this,
                [this, choice] { m_panes->setAlone(choice.place); });
    button->setMenu(menu);
    const auto name = [this, button, choices] {
        for (const Choice& choice : choices)
            if (choice.place == m_panes->alone()) button->setText(choice.name);
        button->setAccessibleName(tr("Panes: %1").arg(button->text()));
    };
    connect(m_panes, &VolumePanes::aloneChanged, button, name);
    name();
    return button;
}

void VolumePage::refresh() {
    const std::shared_ptr<const io::Grid> input = this->input();
    const gpu::RunRecord* record = m_results.of(m_request.current());
    const gpu::Variant* variant = m_request.currentVariant();
    bool result = input != nullptr && variant != nullptr && record != nullptr && record->result.picture != nullptr &&
                  (record->result.picture->shape().depth > 1) == (input->shape().depth > 1);
    auto shown = result ? record->result.picture : input;
    if (const KeptFrame* frame = m_playback->shown()) {
        shown = frame->field;
        variant = m_request.variants().variant(frame->variant);
        result = variant != nullptr;
    }
    if (m_input->isChecked()) {
        shown = input;
        result = false;
    }
    m_panes->setWhat(shown == input ? tr("input") : tr("result"));
    m_panes->setVolume(shown, result ? std::optional(variant->idea) : std::nullopt,
                       tr("Open a volume, or drop one here."));
    m_side->setVolume(shown);
    m_colours->setCurrent(shown.get());
    emit viewChanged();
}

void VolumePage::refreshTexts() {
    const DisplayRange range = m_state.display().range();
    const double span = std::abs(range.high - range.low);
    m_range->setText(tr("Range %1 – %2").arg(endText(range.low, span), endText(range.high, span)));
    m_spacing->setText(tr("Spacing %1").arg(proportions(m_state)));
    const auto& s = m_state.spacing();
    const auto grid = m_panes->volume();
    const gpu::LengthUnit unit = grid == nullptr ? gpu::LengthUnit() : gpu::lengthUnitOf(*grid);
    m_spacing->setToolTip(
        m_state.hasGeometry()
            ? tr("A voxel is %1 × %2 × %3 %4; it is drawn in these proportions.")
                  .arg(format::significant(s[0] / unit.mm), format::significant(s[1] / unit.mm),
                       format::significant(s[2] / unit.mm), QString::fromUtf8(unit.name))
            : tr("The file says no size of its voxels: they are drawn as cubes, and lengths are in voxels."));
}

bool VolumePage::takes(const gpu::Family& family) const {
    return family.info().makesPicture || family.info().makesOtherPicture;
}

QString VolumePage::viewText() const {
    if (m_panes->volume() == nullptr) return {};
    const auto& at = m_state.crosshair();
    const QString place =
        QStringLiteral("x %1 y %2 z %3").arg(format::integer(at[0]), format::integer(at[1]), format::integer(at[2]));
    const auto plane = static_cast<SlicePlane>(std::min<int>(m_panes->current(), VolumePanes::sagittal));
    const QString zoom = tr("%1 %").arg(format::integer(std::llround(100 * m_state.zoom(plane))));
    QString text = place + QStringLiteral("   ") + pixelText(*m_panes->volume(), at[0], at[1], at[2]) +
                   QStringLiteral("   ") + (linked() ? tr("%1, linked").arg(zoom) : zoom);
    if (playing())
        text += tr("   playing: %1 of %2, Esc pauses")
                    .arg(format::integer(m_playback->step()), format::integer(m_playback->steps()));
    return text;
}

QImage VolumePage::view() { return m_panes->grab().toImage(); }

bool VolumePage::settled() const {
    return !m_later.isActive() && !m_playback->playing() && !m_playback->busy() && m_panes->settled();
}

void VolumePage::restore(const QSettings& settings) {
    setLinked(settings.value(kLinked, true).toBool());
    m_crosshair->setChecked(settings.value(kCrosshair, true).toBool());
}

void VolumePage::save(QSettings& settings) const {
    settings.setValue(kLinked, linked());
    settings.setValue(kCrosshair, m_state.crosshairShown());
}

QWidget* VolumePage::statistics() { return m_side; }

void VolumePage::zoomIn() { m_panes->zoomBy(1.25); }

void VolumePage::zoomOut() { m_panes->zoomBy(1 / 1.25); }

void VolumePage::actualSize() { m_panes->actualSize(); }

void VolumePage::fit() { m_panes->fit(); }

void VolumePage::makeWatch(QVBoxLayout* column) {
    for (const gpu::Family* family : gpu::families())
        lensOf(*family).addVolumeActions(m_request, m_activity, m_state, *this);
    auto* watch = made(makeWatchStrip(
                           *m_playback, [this] { exportFrames(); }, this),
                       {.id = "watch"});
    column->addWidget(watch);
    auto* rate = new RateSection(m_request, *m_playback, m_side);
    auto* agreement = makeAgreementSection(*m_playback, m_side);
    m_side->addSection(rate);
    m_side->addSection(agreement);
    connect(m_playback, &PlaybackModel::frameShown, this, &VolumePage::refresh);
    connect(m_playback, &PlaybackModel::changed, this, &Page::viewChanged);
    const auto show = [this, watch, rate, agreement] {
        const gpu::Family* family = m_request.parameters().family();
        const bool iterates = family != nullptr && family->info().iterates;
        for (QWidget* widget : std::initializer_list<QWidget*>{watch, rate, agreement}) widget->setVisible(iterates);
    };
    connect(&m_request.parameters(), &ParameterState::familyChanged, watch, show);
    show();
}

bool VolumePage::watchable() const { return m_playback->ready(); }

bool VolumePage::playing() const { return m_playback->playing(); }

void VolumePage::playOrPause() { m_playback->playing() ? m_playback->pause() : m_playback->play(); }

void VolumePage::step() { m_playback->stepOnce(); }

void VolumePage::exportFrames() {
    const auto plane =
        static_cast<SlicePlane>(m_panes->current() == VolumePanes::rays ? VolumePanes::axial : m_panes->current());
    const SliceRequest request = wholeSlice(m_state, plane);
    openFileDialog(this,
                   {.title = tr("Export the kept frames: a number is put after the name"),
                    .filters = {tr("PNG (*.png)")},
                    .suffix = QStringLiteral("png"),
                    .name = QFileInfo(m_request.document().name()).baseName() + QStringLiteral("-frame"),
                    .id = "export-frames"},
                   this, [this, request](const QString& path) {
                       m_playback->exportFrames(
                           path, [request](const io::Grid& field) { return renderSlice(field, request); });
                   });
}

}  // namespace warplens::gui
