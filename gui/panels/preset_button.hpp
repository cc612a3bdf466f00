// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"
#include "gui/models/presets.hpp"

#include <QToolButton>

namespace warplens::gui {

/// "Preset: emboss" beside the task's title: which preset the present values are, with a menu of the family's.
class PresetButton : public QToolButton {
    Q_OBJECT
public:
    PresetButton(CompareSession& session, const Presets& presets, QWidget* parent = nullptr);

private:
    void refresh();

    CompareSession& m_session;
    const Presets& m_presets;
};

}  // namespace warplens::gui
