// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gui {

class ViewState;

/// A form part of a lens that shows what happens at the pixel under the cursor.
class PixelFollower {
public:
    PixelFollower() = default;
    PixelFollower(const PixelFollower&) = delete;
    PixelFollower& operator=(const PixelFollower&) = delete;
    virtual ~PixelFollower() = default;
    /// From here on the pixel is that of this view; null: of none, the last one stays.
    virtual void follow(ViewState* view) = 0;
};

}  // namespace warplens::gui
