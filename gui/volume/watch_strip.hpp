// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/volume/playback_model.hpp"

#include <functional>

class QWidget;

namespace warplens::gui {

/// Below the panes of `page` while a stencil is the task: start, play, step, the kept frames, and the residual's curve,
/// which gives way to the panes on a low page. `exportFrames`: the kept frames are to be written as pictures.
QWidget* makeWatchStrip(PlaybackModel& model, std::function<void()> exportFrames, QWidget* page);

}  // namespace warplens::gui
