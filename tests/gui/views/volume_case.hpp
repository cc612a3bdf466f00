// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>
#include <memory>

namespace warplens::gui::test {

std::shared_ptr<io::Grid> volumeOf(const io::Shape& shape, io::PixelType type, auto value) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                for (int c = 0; c < shape.channels; ++c) grid->setValue(x, y, z, c, value(x, y, z));
    return grid;
}

inline void wheel(QWidget& widget, QPointF at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&widget, &event);
}

inline void move(QWidget& widget, QPointF at, Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons, modifiers);
    QCoreApplication::sendEvent(&widget, &event);
}

/// A volume in which every voxel says where it lies.
inline double mark(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<double>((x * 7 + y * 31 + z * 101) % 256);
}

}  // namespace warplens::gui::test
