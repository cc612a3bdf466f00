// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/view.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warplens::gpu::render {

namespace {

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

Vector drawnSpacing(const io::Geometry& geometry) {
    Vector spacing = geometry.spacing;
    for (double& s : spacing)
        if (!std::isfinite(s) || s <= 0) s = 1;
    return spacing;
}

Projection::Projection(const io::Shape& shape, const Vector& spacing, const View& view, int width, int height)
    : m_spacing(spacing) {
    const double yaw = view.yaw * std::numbers::pi / 180, pitch = view.pitch * std::numbers::pi / 180;
    const double sy = std::sin(yaw), cy = std::cos(yaw), sp = std::sin(pitch), cp = std::cos(pitch);
    m_right = {cy, sy, 0};
    m_forward = {-sy * cp, cy * cp, -sp};
    m_down = {sy * sp, -cy * sp, -cp};

    const Vector size{static_cast<double>(shape.width) * spacing[0], static_cast<double>(shape.height) * spacing[1],
                      static_cast<double>(shape.depth) * spacing[2]};
    m_centre = {size[0] / 2, size[1] / 2, size[2] / 2};
    const double shorter = std::max(1, std::min(width, height));
    m_scale = std::sqrt(dot(size, size)) / (shorter * view.zoom);
    m_x = width / 2.0 + view.right * shorter;
    m_y = height / 2.0 - view.up * shorter;
}

std::array<double, 2> Projection::toScreen(const Vector& voxel) const {
    Vector mm{};
    for (std::size_t a = 0; a < 3; ++a) mm[a] = voxel[a] * m_spacing[a] - m_centre[a];
    return {m_x + dot(mm, m_right) / m_scale, m_y + dot(mm, m_down) / m_scale};
}

Vector Projection::toVoxel(double x, double y) const {
    Vector voxel{};
    for (std::size_t a = 0; a < 3; ++a) {
        const double mm = m_centre[a] + ((x - m_x) * m_right[a] + (y - m_y) * m_down[a]) * m_scale;
        voxel[a] = mm / m_spacing[a];
    }
    return voxel;
}

Vector Projection::forwardVoxels() const {
    return {m_forward[0] / m_spacing[0], m_forward[1] / m_spacing[1], m_forward[2] / m_spacing[2]};
}

}  // namespace warplens::gpu::render
