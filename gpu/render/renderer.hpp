// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/bricks.hpp"
#include "gpu/render/ray_scene.hpp"
#include "gpu/render/transfer.hpp"
#include "gpu/render/view.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::render {

/// What to draw.
struct FrameRequest {
    View view;
    Mode mode = Mode::maximum;
    Transfer transfer;
    int width = 0, height = 0;  ///< pixels, at least 1 x 1
    bool fine = true;           ///< false while something moves: half as many samples, cheaper light
};

/// A drawn volume.
struct Frame {
    int width = 0, height = 0;
    std::vector<std::uint32_t> pixels;  ///< premultiplied 0xAARRGGBB, row by row; 0 beside the volume
    double ms = 0;                      ///< of the rays alone, measured by the device's clock
};

/// Draws one volume at a time on one device. One thread at a time. Every member throws Error, also for cancelled work.
class Renderer {
public:
    virtual ~Renderer() = default;
    /// Takes over the volume and prepares it: reads it once, and sends it where it is drawn. A colour volume is drawn
    /// by its brightness, the mean of red, green and blue. The same volume again costs nothing.
    void setVolume(std::shared_ptr<const io::Grid> volume, std::stop_token stop = {});
    const std::shared_ptr<const io::Grid>& volume() const { return m_volume; }
    /// Needs a volume.
    Frame render(const FrameRequest& request, std::stop_token stop = {});

protected:
    /// The tables of one frame.
    struct Tables {
        std::vector<TableEntry> entries;
        std::vector<std::int32_t> visible;
    };
    /// One channel. The grid outlives the renderer's use of it.
    virtual void load(const io::Grid& values, Bricks bricks) = 0;
    /// Fills width x height pixels; returns the milliseconds of the rays.
    virtual double draw(const RayScene& scene, const Tables& tables, std::uint32_t* pixels, std::stop_token stop) = 0;

private:
    std::shared_ptr<const io::Grid> m_volume;
    std::shared_ptr<const io::Grid> m_values;  ///< what rays read: the volume, or its brightness
};

/// "cpu": a threaded loop over the rows. "cuda:N" and the like: the kernel, on a stream of its own. Throws
/// Error(noDevice).
std::unique_ptr<Renderer> openRenderer(const std::string& device);

}  // namespace warplens::gpu::render
