// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/region_strip.hpp"

#include "gui/kit/files.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/file_formats.hpp"

#include <QKeySequence>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kSlider{90}, kField{76};
constexpr int kMostOnSlider = 200;  // larger ones are typed

QString tipOf(RegionTool tool) {
    switch (tool) {
        case RegionTool::wand:
            return RegionStrip::tr(
                "A click selects the connected pixels that look like the one clicked; Shift adds them.");
        case RegionTool::brush: return RegionStrip::tr("Adds pixels to the mask; [ and ] change its size.");
        case RegionTool::eraser: return RegionStrip::tr("Removes pixels from the mask; [ and ] change its size.");
        case RegionTool::polygon:
            return RegionStrip::tr(
                "Each click is a corner; Enter or a double click fills the polygon, Backspace removes the last "
                "corner.");
    }
    return {};
}

}  // namespace

RegionStrip::RegionStrip(CompareSession& session, QWidget* parent, Shown shown)
    : ToolStrip(parent),
      m_session(session),
      m_tools(session.regions()),
      m_shown(shown),
      m_sizeLabel(new QLabel(tr("Size"), this)),
      m_toleranceLabel(new QLabel(tr("Tolerance"), this)),
      m_inside(new ElidedLabel(this)),
      m_sizeSlider(new QSlider(Qt::Horizontal, this)),
      m_toleranceSlider(new QSlider(Qt::Horizontal, this)),
      m_size(new QSpinBox(this)),
      m_tolerance(new ValueSpin(this)) {
    setObjectName(QStringLiteral("region-strip"));
    addTools();
    if (shown == Shown::whileOn) addCommands();
    setLook(m_inside, "caption");
    m_inside->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);  // it has room, or none at all
    addRight(m_inside);
    connect(&m_tools, &RegionTools::changed, this, &RegionStrip::refresh);
    connect(&m_tools.mask(), &Mask::changed, this, &RegionStrip::refresh);
    refresh();
}

void RegionStrip::addTools() {
    for (std::size_t i = 0; i < kRegionTools.size(); ++i) {
        const RegionTool tool = kRegionTools[i];
        auto* made = new KeyButton(nameOf(tool), QKeySequence(keyOf(tool)).toString(QKeySequence::NativeText), this);
        setWidgetText(made, {.id = "region-" + nameOf(tool).toLower(), .tip = tipOf(tool), .checkable = true});
        const auto take = [this, tool] {
            m_tools.setTool(tool);
            m_tools.setOn(true);
            refresh();
        };
        connect(made, &QPushButton::clicked, this, take);
        auto* folded = new QAction(nameOf(tool), this);
        connect(folded, &QAction::triggered, this, take);
        m_buttons[i] = made;
        addTool(made, folded);
    }
    addTool(makeExtents());
}

void RegionStrip::addCommands() {
    if (m_shown == Shown::whileOn)
        m_region = addCommand("region-bounds", tr("As region"), tr("The task works on the rectangle around the mask."),
                              [this] { m_tools.giveBounds(m_tools.slice()); });
    m_clear = addCommand("region-clear", tr("Clear"), tr("Clears the mask."), [this] { m_tools.mask().clear(); });
    addCommand("region-invert", tr("Invert"), tr("Swaps inside and outside."), [this] { m_tools.mask().invert(); });
    m_save =
        addCommand("region-save", tr("Save..."), tr("As a picture: 255 inside, 0 outside."), [this] { saveMask(); });
    addCommand("region-open", tr("Open..."), tr("A picture of the same size: what is above 0 is inside."),
               [this] { openMask(); });
    refresh();
}

void RegionStrip::openMask() {
    openFileDialog(window(), {.title = tr("Open a mask"), .id = "open-mask"}, this,
                   [&session = m_session](const QString& path) {
                       session.inputs().readAside(path, [&session](const io::Grid& picture) {
                           const QString why = session.mask().take(picture);
                           if (!why.isEmpty()) session.activity().report(why);
                       });
                   });
}

void RegionStrip::saveMask() {
    const bool volume = m_session.mask().shape().depth > 1;
    const QString usual = volume ? QStringLiteral("nrrd") : QStringLiteral("png");
    openFileDialog(window(),
                   {.title = tr("Save the mask"),
                    .filters = saveFilters(volume, usual, io::PixelType::u8),
                    .suffix = usual,
                    .name = QStringLiteral("mask"),
                    .id = "save-mask"},
                   this, [&session = m_session](const QString& path) {
                       if (const auto mask = session.mask().picture()) session.outputs().write(mask, path);
                   });
}

QWidget* RegionStrip::makeExtents() {
    auto* extents = new QWidget(this);
    setWidgetText(m_size, {.id = "region-size", .name = tr("Diameter of brush and eraser, pixels")});
    setWidgetText(m_sizeSlider, {.id = "region-size-slider", .name = tr("Diameter of brush and eraser, slider")});
    setWidgetText(m_tolerance, {.id = "region-tolerance",
                                .name = tr("Tolerance of the wand, in the picture's values"),
                                .tip = tr("How far a value may differ from that of the pixel clicked.")});
    setWidgetText(m_toleranceSlider, {.id = "region-tolerance-slider", .name = tr("Tolerance of the wand, slider")});
    m_size->setRange(1, RegionTools::kMostSize);
    m_sizeSlider->setRange(1, kMostOnSlider);
    m_tolerance->setRange(0, 1e9);
    m_tolerance->setKeyboardTracking(true);
    m_toleranceSlider->setRange(0, kMostOnSlider);
    for (QSlider* slider : {m_sizeSlider, m_toleranceSlider}) slider->setFixedWidth(kSlider);
    for (QWidget* field : std::initializer_list<QWidget*>{m_size, m_tolerance}) field->setFixedWidth(kField);
    for (QLabel* label : {m_sizeLabel, m_toleranceLabel}) setLook(label, "caption");
    makeRow(extents, {kGap, 0, 0, 0}, 6,
            {m_sizeLabel, m_sizeSlider, m_size, m_toleranceLabel, m_toleranceSlider, m_tolerance});
    connect(m_size, &QSpinBox::valueChanged, &m_tools, &RegionTools::setSize);
    connect(m_sizeSlider, &QSlider::valueChanged, &m_tools, &RegionTools::setSize);
    connect(m_tolerance, &QDoubleSpinBox::valueChanged, &m_tools, &RegionTools::setTolerance);
    connect(m_toleranceSlider, &QSlider::valueChanged, &m_tools,
            [this](int value) { m_tools.setTolerance(static_cast<double>(value)); });
    return extents;
}

QPushButton* RegionStrip::addCommand(const char* id, const QString& text, const QString& tip,
                                     const std::function<void()>& what) {
    auto* button = made(new QPushButton(text, this), {.id = id, .look = "flat", .tip = tip});
    connect(button, &QPushButton::clicked, this, what);
    addButton(button);
    return button;
}

void RegionStrip::refresh() {
    setVisible(m_shown == Shown::always || m_tools.on());
    const RegionTool tool = m_tools.tool();
    for (std::size_t i = 0; i < kRegionTools.size(); ++i)
        m_buttons[i]->setChecked(m_tools.on() && kRegionTools[i] == tool);
    const bool sized = tool == RegionTool::brush || tool == RegionTool::eraser;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_sizeLabel, m_sizeSlider, m_size})
        widget->setVisible(sized);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_toleranceLabel, m_toleranceSlider, m_tolerance})
        widget->setVisible(tool == RegionTool::wand);
    const QSignalBlocker a(m_size), b(m_sizeSlider), c(m_tolerance), d(m_toleranceSlider);
    m_size->setValue(m_tools.size());
    m_sizeSlider->setValue(m_tools.size());
    m_tolerance->setStepType(m_tools.wholeValues() ? QAbstractSpinBox::DefaultStepType
                                                   : QAbstractSpinBox::AdaptiveDecimalStepType);
    m_tolerance->setValue(m_tools.tolerance());
    m_toleranceSlider->setValue(static_cast<int>(std::lround(m_tools.tolerance())));
    const bool any = !m_tools.mask().empty();
    const QString inside = format::integer(m_tools.mask().inside());
    m_inside->setFullText(any ? tr("%1 pixels inside").arg(inside) : tr("nothing inside"), {any ? inside : QString()});
    if (m_clear == nullptr) return;
    if (m_region != nullptr) m_region->setEnabled(any && m_tools.takesRegion());
    for (QPushButton* button : {m_clear, m_save}) button->setEnabled(any);
}

}  // namespace warplens::gui
