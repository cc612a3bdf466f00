// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu::product {

/// How far a result may be off: (factor (K + 1) + lacks) eps sum |a b| + K factor tiny + absolute, tiny being the
/// smallest float and K the terms of the sum. Where what is no normal number counts as zero, the terms with such
/// a factor are added, and 2^-126 for the sum itself. As it stands, the bound of single precision throughout.
struct Bound {
    double factor = 1;
    double lacks = 0;  ///< what every product lacks, where factors are rounded to fewer bits
    double absolute = 0;
    bool flushes = false;  ///< takes what is no normal number for zero
};

}  // namespace warplens::gpu::product
