// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/display.hpp"
#include "gui/picture/render.hpp"

#include <QPoint>
#include <QSize>
#include <memory>

namespace warplens::gui {

/// Which stored rows or columns the screen's rows or columns begin to end - 1 show.
struct VisibleLine : gpu::render::DisplayLine {
    int begin = 0, end = 0;
};

/// Where the visible part of a picture is read from: one way for pictures here and on a device. `at` is where the
/// visible part begins on the screen. `levels` there are; `reducible`: also where there are none a small view is
/// averaged, as the picture is small. Null when nothing of the picture is visible.
std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request, QPoint& at,
                                                      std::size_t levels, bool reducible = true);
/// With all the levels that it will have.
std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request, QPoint& at);

}  // namespace warplens::gui
