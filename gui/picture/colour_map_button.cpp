// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/colour_map_button.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/picture/value_colours.hpp"

#include <QActionGroup>
#include <QMenu>
#include <QPixmap>
#include <utility>

namespace warplens::gui {

QImage colourStrip(ColourMap map, QSize size) {
    QImage strip(size, QImage::Format_RGB32);
    // Of labels the first few.
    const float last = map == ColourMap::labels ? 12 : 1;
    const ValueColours colours({0, last}, map, surroundColour().rgb());
    for (int x = 0; x < size.width(); ++x) {
        const QRgb ink = colours.one(last * (static_cast<float>(x) + 0.5F) / static_cast<float>(size.width()));
        for (int y = 0; y < size.height(); ++y) strip.setPixel(x, y, ink);
    }
    return strip;
}

ColourMapButton::ColourMapButton(ViewState& state, QWidget* parent)
    : QToolButton(parent), m_state(&state), m_choices(new QActionGroup(this)) {
    setWidgetText(this, {.id = "colour-map", .look = "flat"});
    setPopupMode(QToolButton::InstantPopup);
    setToolTip(tr("Colours of the values, the same in all panes"));
    auto* menu = new QMenu(this);
    for (const ColourMap map : kColourMaps) {
        QAction* action = menu->addAction(QIcon(QPixmap::fromImage(colourStrip(map, {64, 16}))), nameOf(map));
        action->setCheckable(true);
        action->setData(static_cast<int>(map));
        m_choices->addAction(action);
        connect(action, &QAction::triggered, this, [this, map] { choose(map); });
    }
    menu->addSeparator();
    m_labels = menu->addAction(tr("Labels (32-bit integers) in colours of their own"));
    m_labels->setObjectName(QStringLiteral("label-colours"));
    m_labels->setCheckable(true);
    connect(m_labels, &QAction::triggered, this, [this](bool on) { m_state->setLabelColours(on); });
    m_mark = menu->addAction(tr("Mark values outside the range"));
    m_mark->setObjectName(QStringLiteral("mark-outside"));
    m_mark->setCheckable(true);
    connect(m_mark, &QAction::triggered, this, [this](bool on) { m_state->setMarkOutside(on); });
    const std::pair<QRgb, QString> fixed[] = {{kBelowColour, tr("below the range")},
                                              {kAboveColour, tr("above the range")},
                                              {kNanColour, tr("NaN")},
                                              {kPlusInfColour, tr("+∞")},
                                              {kMinusInfColour, tr("−∞")}};
    for (const auto& [ink, name] : fixed) {
        QPixmap swatch(64, 16);
        swatch.fill(QColor::fromRgb(ink));
        QIcon icon;
        icon.addPixmap(swatch, QIcon::Normal);
        icon.addPixmap(swatch, QIcon::Disabled);
        menu->addAction(icon, name)->setEnabled(false);  // says what a colour means
    }
    setMenu(menu);
    setViewState(state);
}

void ColourMapButton::setViewState(ViewState& state) {
    m_state->disconnect(this);
    m_state = &state;
    connect(m_state, &ViewState::displayChanged, this, &ColourMapButton::refresh);
    refresh();
}

void ColourMapButton::setCurrent(const io::Grid* picture) {
    m_ofLabels = picture != nullptr && mapFor(*picture, ColourMap::grey, true) == ColourMap::labels;
    refresh();
}

ColourMap ColourMapButton::shown() const {
    return m_ofLabels && m_state->labelColours() ? ColourMap::labels : m_state->colourMap();
}

void ColourMapButton::choose(ColourMap map) {
    // Labels are shown in a map of their own, which another one that is chosen replaces.
    if (m_ofLabels) m_state->setLabelColours(map == ColourMap::labels);
    m_state->setColourMap(map);
    refresh();
}

void ColourMapButton::refresh() {
    const ColourMap map = shown();
    setText(nameOf(map) + QStringLiteral(" ▾"));
    setAccessibleName(tr("Colour map %1").arg(nameOf(map)));
    m_labels->setChecked(m_state->labelColours());
    m_mark->setChecked(m_state->markOutside());
    for (QAction* action : m_choices->actions()) action->setChecked(action->data().toInt() == static_cast<int>(map));
}

}  // namespace warplens::gui
