// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <array>

namespace warplens::gpu::render {

/// Three numbers along x, y and z.
using Vector = std::array<double, 3>;

/// The way a volume is looked at, without perspective. At yaw 0 and pitch 0 x runs to the right, z up and y away from
/// the eye, as in a coronal slice.
struct View {
    double yaw = 35;           ///< degrees about z
    double pitch = 22;         ///< degrees, -90 to 90: how far from above
    double zoom = 1;           ///< 1: the whole box fits, however it is turned
    double right = 0, up = 0;  ///< where the box's centre is drawn, in parts of the shorter side from the middle
    bool operator==(const View&) const = default;
};

/// Voxel size in mm as it is drawn: a spacing that is not a positive number counts as 1.
Vector drawnSpacing(const io::Geometry& geometry);

/// A view of a volume on a picture of width x height pixels. Points are in voxel coordinates: voxel i covers [i, i +
/// 1).
class Projection {
public:
    Projection(const io::Shape& shape, const Vector& spacing, const View& view, int width, int height);

    /// Pixel coordinates of a point; pixel (i, j) covers [i, i + 1) x [j, j + 1).
    std::array<double, 2> toScreen(const Vector& voxel) const;
    /// The point under a pixel position on the plane through the volume's centre that faces the eye.
    Vector toVoxel(double x, double y) const;
    /// Voxels that one mm away from the eye crosses.
    Vector forwardVoxels() const;
    /// Unit vectors in mm: to the right, down and away from the eye.
    const Vector& right() const { return m_right; }
    const Vector& down() const { return m_down; }
    const Vector& forward() const { return m_forward; }
    double millimetresPerPixel() const { return m_scale; }

private:
    Vector m_spacing, m_centre;  // mm
    Vector m_right, m_down, m_forward;
    double m_scale = 1;       // mm a pixel
    double m_x = 0, m_y = 0;  // pixel position of the centre
};

}  // namespace warplens::gpu::render
