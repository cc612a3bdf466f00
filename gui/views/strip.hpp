// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/theme/metrics.hpp"

#include <QString>

class QHBoxLayout;
class QWidget;

namespace warplens::gui {

/// Makes `strip` one of a fixed height, logical pixels, and gives it a row with the docks' margins.
QHBoxLayout* stripRow(QWidget* strip, int height, int spacing = kGap);
/// As stripRow(), of a panel's head: it begins with the title.
QHBoxLayout* titleRow(QWidget* head, int height, const QString& title, int spacing = kGap);

}  // namespace warplens::gui
