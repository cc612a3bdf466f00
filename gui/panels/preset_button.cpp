// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/preset_button.hpp"

#include "gui/panels/preset_commands.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"

#include <QMenu>
#include <algorithm>

namespace warplens::gui {

namespace {
constexpr Length kMostName{140};
}

PresetButton::PresetButton(CompareSession& session, const Presets& presets, QWidget* parent)
    : QToolButton(parent), m_session(session), m_presets(presets) {
    setObjectName(QStringLiteral("preset-button"));
    setLook(this, "flat");
    setFocusPolicy(Qt::StrongFocus);
    setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(this);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillPresets(menu, m_session, m_presets); });
    connect(&session.parameters(), &ParameterState::changed, this, &PresetButton::refresh);
    connect(&session.parameters(), &ParameterState::familyChanged, this, &PresetButton::refresh);
    connect(&presets, &Presets::changed, this, &PresetButton::refresh);
    refresh();
}

void PresetButton::refresh() {
    const ParameterState& parameters = m_session.parameters();
    if (parameters.family() == nullptr) return;
    const auto presets = m_presets.of(*parameters.family());
    const auto at = std::ranges::find_if(presets, [&](const Preset& preset) { return preset.matches(parameters); });
    const QString name = at == presets.end() ? tr("none") : at->name;
    setText(tr("Preset: %1").arg(fontMetrics().elidedText(name, Qt::ElideRight, kMostName)));
    setToolTip(at == presets.end() ? tr("No preset has the present values; choose one of the family's.")
                                   : tr("The values are those of the preset %1.").arg(name));
    setAccessibleName(tr("Preset: %1").arg(name));
}

}  // namespace warplens::gui
