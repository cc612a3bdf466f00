// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace warplens::gui {

/// Multiplies what the widgets of a window were told in pixels: least and greatest sizes, margins, spacings, row
/// heights, fonts of their own. Multiplying by f and then by 1/f changes nothing for f of at least 1.
void scaleWidgets(QWidget* window, double factor);

}  // namespace warplens::gui
