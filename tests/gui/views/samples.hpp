// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/time_bars.hpp"
#include "gui/picture/pane_content.hpp"
#include "io/grid.hpp"

#include <memory>
#include <vector>

/// Pictures and records made up for tests of the views.
namespace warplens::gui::samples {

/// A scene of soft discs and stripes in 0..255; f32 values are not whole.
std::shared_ptr<const io::Grid> scene(int width, int height, io::PixelType type, int channels = 1);
/// The ten rungs of a convolution ladder, in ladder order.
const std::vector<gpu::Variant>& ladder();
/// A verified record on the GPU clock (median, and quartiles 1 % off), or on the SIMT clock.
gpu::RunRecord record(const gpu::Variant& variant, double medianMs, gpu::Clock clock,
                      std::shared_ptr<const io::Grid> output);
/// Bars as of the mock-up, fastest first; the library row last with a note instead of a bar.
std::vector<TimeBar> bars();

}  // namespace warplens::gui::samples
