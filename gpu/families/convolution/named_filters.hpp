// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace warplens::gpu::convolution {

struct NamedFilter {
    int radius = 2;    ///< px; the filter is 2r + 1 wide and high where the name leaves it open
    double sigma = 0;  ///< px; 0 follows from the radius by OpenCV's rule
    double amount = 1;
    double angle = 0;  ///< degrees
};

/// Sigma of a Gaussian of 2r + 1 values when none is given: 0.3 (r - 1) + 0.8, as OpenCV has it.
double defaultSigma(int radius);

/// Weights in double, row-major. Sets the extent. The name is one of filterNames() but "custom".
std::vector<double> namedFilter(const std::string& name, const NamedFilter& shape, int& width, int& height);

/// What a Gaussian, a box or an impulse is along the axes of a volume: radius in voxels, sigma in voxels or 0.
struct Along {
    int radius = 2;
    double sigma = 0;
};

/// The factor of a filter that is a product in three dimensions along one axis: identity, box, gaussian; empty for
/// other names.
std::vector<double> namedFactor(const std::string& name, const Along& axis);

/// Second differences along the three axes: a cube of side 3, slice by slice.
std::vector<double> volumeLaplacian();

}  // namespace warplens::gpu::convolution
