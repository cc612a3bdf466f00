// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/kernels/border.hpp"

#include <string>

namespace warplens::gpu {

// Parameters that several families have, each declared once.

/// Whether the fourth channel is copied or `treated`, "filtered", like the others.
Parameter alphaParameter(const std::string& treated);
/// Its value where the channel is copied.
inline constexpr const char* kKeepAlpha = "keep";
/// In the order of its choices.
enum class Alpha { keep, filter };
/// Channels that are worked on, the first of so many.
inline int channelsWithout(Alpha alpha, int channels) { return channels == 4 && alpha == Alpha::keep ? 3 : channels; }

/// What lies outside the picture; its choices are in the order of Border.
Parameter borderParameter(Border fallback);

/// "2" or "3": whether a volume is worked on slice by slice. `more` is said behind that.
Parameter dimensionsParameter(const std::string& more = ".");
enum class Dimensions { two, three };

/// Neighbours that belong together; `more` is said behind that.
Parameter connectivityParameter(const std::string& fallback, const std::string& more = {});

}  // namespace warplens::gpu
