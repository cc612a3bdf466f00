// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/renderer.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <tbb/parallel_for.h>

namespace warplens::gpu::render {

namespace {

/// Samples in the voxel that a ray crosses fastest.
constexpr double kFineStep = 0.5, kCoarseStep = 1;

std::shared_ptr<const io::Grid> brightnessOf(const io::Grid& colours) {
    const io::Shape shape{colours.shape().width, colours.shape().height, colours.shape().depth, 1};
    auto grid = std::make_shared<io::Grid>(shape, io::PixelType::f32);
    grid->geometry = colours.geometry;
    tbb::parallel_for(std::int64_t{0}, shape.depth, [&](std::int64_t z) {
        float* out = grid->as<float>() + grid->index(0, 0, z);
        for (std::int64_t y = 0; y < shape.height; ++y) {
            for (std::int64_t x = 0; x < shape.width; ++x) {
                double sum = 0;
                for (int c = 0; c < 3; ++c) sum += colours.value(x, y, z, c);
                *out++ = static_cast<float>(sum / 3);
            }
        }
    });
    return grid;
}

RayScene sceneOf(const io::Grid& volume, const FrameRequest& request, double& stepMm) {
    const Vector spacing = drawnSpacing(volume.geometry);
    const Projection projection(volume.shape(), spacing, request.view, request.width, request.height);
    const Vector forward = projection.forwardVoxels();
    const double fastest = std::max({std::abs(forward[0]), std::abs(forward[1]), std::abs(forward[2])});
    stepMm = (request.fine ? kFineStep : kCoarseStep) / fastest;

    const Vector corner = projection.toVoxel(0.5, 0.5), across = projection.toVoxel(1.5, 0.5),
                 down = projection.toVoxel(0.5, 1.5);
    const double range = std::abs(request.transfer.high - request.transfer.low);
    RayScene scene;
    scene.width = request.width;
    scene.height = request.height;
    const std::int64_t extents[] = {volume.shape().width, volume.shape().height, volume.shape().depth};
    for (std::size_t a = 0; a < 3; ++a) {
        scene.extent[a] = static_cast<int>(extents[a]);
        // From voxel coordinates to cells: voxel i's centre lies at i.
        scene.corner[a] = static_cast<float>(corner[a] - 0.5);
        scene.across[a] = static_cast<float>(across[a] - corner[a]);
        scene.down[a] = static_cast<float>(down[a] - corner[a]);
        // Rounding must not turn a ray along an axis into one that leaves it.
        const double step = forward[a] * stepMm;
        scene.step[a] = std::abs(step) < 1e-9 ? 0.0F : static_cast<float>(step);
        scene.toSlope[a] = static_cast<float>(1 / spacing[a]);
        scene.forward[a] = static_cast<float>(projection.forward()[a]);
    }
    scene.low = static_cast<float>(request.transfer.low);
    scene.scale =
        range > 0 ? static_cast<float>((kTableSize - 1) / (request.transfer.high - request.transfer.low)) : 1e30F;
    scene.enough = static_cast<float>(std::max(request.transfer.low, request.transfer.high));
    scene.flat = static_cast<float>(1e-3 * range / std::max({spacing[0], spacing[1], spacing[2]}));
    scene.mode = request.mode;
    // A mean takes the middle of equal pieces; a maximum along an axis must meet the voxels' centres, half a voxel in.
    scene.phase =
        request.mode == Mode::maximum ? static_cast<float>(0.5 / (request.fine ? kFineStep : kCoarseStep)) : 0.5F;
    scene.fine = request.fine;
    return scene;
}

}  // namespace

void Renderer::setVolume(std::shared_ptr<const io::Grid> volume, std::stop_token stop) {
    if (volume == m_volume) return;
    m_volume.reset();
    m_values = volume->shape().channels == 1 ? volume : brightnessOf(*volume);
    load(*m_values, bricksOf(*m_values, stop));
    m_volume = std::move(volume);
}

Frame Renderer::render(const FrameRequest& request, std::stop_token stop) {
    if (m_volume == nullptr) throw Error(Error::Kind::argument, "3D view: there is no volume to draw: open one");
    if (request.width < 1 || request.height < 1 || request.transfer.colours.empty()) {
        throw Error(Error::Kind::argument,
                    "3D view: a picture without pixels or colours: give it at least one of each");
    }
    double stepMm = 1;
    RayScene scene = sceneOf(*m_values, request, stepMm);
    const Vector spacing = drawnSpacing(m_values->geometry);
    Tables tables;
    tables.entries = tableOf(request.transfer, stepMm, std::min({spacing[0], spacing[1], spacing[2]}));
    tables.visible = visibleBefore(tables.entries);
    Frame frame;
    frame.width = request.width;
    frame.height = request.height;
    frame.pixels.resize(static_cast<std::size_t>(request.width) * request.height);
    frame.ms = draw(scene, tables, frame.pixels.data(), stop);
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "3D view: stopped");
    return frame;
}

}  // namespace warplens::gpu::render
