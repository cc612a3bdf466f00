// SPDX-License-Identifier: Apache-2.0
#pragma once

class QDialog;
class QWidget;

namespace warplens::gui {

/// The user's guide, as it is on disk.
QDialog* makeGuideWindow(QWidget* parent);

}  // namespace warplens::gui
