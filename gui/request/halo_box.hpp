// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace warplens::gui {

class RequestState;

/// How devices that share an iteration exchange halos; hidden where none do.
QWidget* makeHaloBox(RequestState& request, QWidget* parent);

}  // namespace warplens::gui
