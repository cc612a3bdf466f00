// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu::product {

/// How far a result may be off: (factor (K + 1) + lacks) eps sum |a b| + K factor tiny + absolute, tiny being the
/// smallest float and K the terms of the sum. As it stands, the bound of single precision throughout.
struct Bound {
    double factor = 1;
    double lacks = 0;  ///< what every product lacks, where factors are rounded to fewer bits
    double absolute = 0;
};

}  // namespace warplens::gpu::product
