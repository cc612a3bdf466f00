// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <memory>

namespace warplens::gui {

/// A slice in full size as `display` shows it: exactly the values of a picture of bytes from 0 to 255.
QImage clipboardImage(const io::Grid& picture, const OwnDisplay& display, int slice);

/// The values of an image that another program copied: u8, one channel of a grey one, four where something shines
/// through, else three. Null for an empty one.
std::shared_ptr<const io::Grid> pictureOf(const QImage& image);

}  // namespace warplens::gui
