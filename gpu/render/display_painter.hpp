// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/staging.hpp"
#include "gpu/render/display.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace warplens::gpu::render {

/// What is seen of a picture: width x height of 0xffRRGGBB, row after row, in memory that the stream of pictures uses
/// again once nobody holds it.
struct Seen {
    int width = 0, height = 0;
    std::shared_ptr<const std::uint32_t> pixels;
    double colourMs = 0;    ///< reducing and colouring on the device, measured by its clock
    double transferMs = 0;  ///< tables up and pixels down, likewise
};

/// Whether all that a display reads lies in a picture of these extents. One that was made for the input does not have
/// to fit a result that is turned or made smaller.
bool fits(const Display& display, const io::Shape& shape);

/// Draws what lies on a device, on the device; only what is seen comes down. One thread at a time; its device must
/// outlive it.
class DisplayPainter {
public:
    explicit DisplayPainter(Device& device) : m_device(device), m_staging(device) {}

    /// The display fits the picture. Throws Error.
    Seen paint(const DevicePicture& picture, const std::shared_ptr<const Display>& display);

private:
    void sendTables(const Display& display);

    Device& m_device;
    Staging m_staging;
    std::shared_ptr<const Display> m_sent;  ///< whose tables are there
    DisplayTables m_at;
    Buffer m_tables, m_pixels;
    std::vector<Buffer> m_levels;
};

}  // namespace warplens::gpu::render
