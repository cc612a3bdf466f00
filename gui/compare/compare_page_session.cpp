// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that a session's file remembers.
#include "gui/compare/compare_page.hpp"
#include "gui/picture/pane_grid.hpp"

#include <QAction>
#include <QJsonArray>
#include <algorithm>

namespace warplens::gui {

QJsonObject ComparePage::sessionView() const {
    const ViewState& view = *m_grid->viewState();
    QJsonObject json{{"panes", m_paneCount},
                     {"linked", linked()},
                     {"fitted", view.fitted()},
                     {"zoom", view.zoom()},
                     {"x", view.centre().x()},
                     {"y", view.centre().y()},
                     {"slice", view.slice()},
                     {"low", view.range().low},
                     {"high", view.range().high},
                     {"gamma", view.range().gamma},
                     {"colours", static_cast<int>(view.colourMap())},
                     {"label_colours", view.labelColours()},
                     {"difference", m_differenceAction->isChecked()},
                     {"double_reference", m_exactAction->isChecked()},
                     {"tiles", m_tilesAction->isChecked()},
                     {"magnifier", m_magnifyAction->isChecked()},
                     {"profile", m_profileAction->isChecked()},
                     {"wipe", m_wipeKey},
                     {"wipe_at", m_wipe.at},
                     {"wipe_across", m_wipe.line == Qt::Horizontal},
                     {"wipe_swapped", m_wipe.swapped}};
    if (m_line) json["profile_line"] = QJsonArray{m_line->from.x(), m_line->from.y(), m_line->to.x(), m_line->to.y()};
    return json;
}

void ComparePage::setSessionView(const QJsonObject& json) {
    ViewState& view = *m_grid->viewState();
    setLinked(json["linked"].toBool(linked()));
    m_differenceAction->setChecked(json["difference"].toBool());
    m_exactAction->setChecked(json["double_reference"].toBool());
    m_tilesAction->setChecked(json["tiles"].toBool());
    m_magnifyAction->setChecked(json["magnifier"].toBool());
    if (const QJsonArray line = json["profile_line"].toArray(); line.size() == 4)
        drawLine({line[0].toInt(), line[1].toInt()}, {line[2].toInt(), line[3].toInt()});
    m_profileAction->setChecked(json["profile"].toBool());
    m_wipeKey = json["wipe"].toString();
    m_wipe.at = std::clamp(json["wipe_at"].toDouble(m_wipe.at), 0.0, 1.0);
    m_wipe.line = json["wipe_across"].toBool() ? Qt::Horizontal : Qt::Vertical;
    m_wipe.swapped = json["wipe_swapped"].toBool();
    setPaneCount(json["panes"].toInt(m_paneCount));  // refreshes
    const DisplayRange range{json["low"].toDouble(view.range().low), json["high"].toDouble(view.range().high),
                             std::clamp(json["gamma"].toDouble(1), 0.1, 10.0)};
    if (range.low < range.high) m_grid->setRange(range);
    view.setColourMap(static_cast<ColourMap>(
        std::clamp(json["colours"].toInt(), static_cast<int>(ColourMap::grey), static_cast<int>(ColourMap::labels))));
    view.setLabelColours(json["label_colours"].toBool(view.labelColours()));
    view.setSlice(json["slice"].toInt(view.slice()));
    if (json["fitted"].toBool(true)) return view.fit();
    view.setZoom(json["zoom"].toDouble(view.zoom()));
    view.setCentre({json["x"].toDouble(view.centre().x()), json["y"].toDouble(view.centre().y())});
}

}  // namespace warplens::gui
