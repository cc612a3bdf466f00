// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu::convolution {

/// How far a result may be off: factor ((taps + 1) eps sum |w x| + taps tiny) + absolute, tiny being the smallest
/// float. As it stands, the bound of single precision throughout.
struct Bound {
    double factor = 1;
    double absolute = 0;
};

}  // namespace warplens::gpu::convolution
