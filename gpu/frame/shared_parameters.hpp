// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"
#include "gpu/kernels/border.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

// Parameters that several families have, each declared once.

/// Whether the fourth channel is copied or `treated`, "filtered", like the others.
Parameter alphaParameter(const std::string& treated);
/// Its value where the channel is copied.
inline constexpr const char* kKeepAlpha = "keep";
/// Channels that are worked on, the first of so many.
int channelsWithout(const std::vector<Parameter>& list, const ParameterValues& values, int channels);

/// What lies outside the picture.
Parameter borderParameter(Border fallback);
Border borderOf(const std::vector<Parameter>& list, const ParameterValues& values);

/// "2" or "3": whether a volume is worked on slice by slice. `more` is said behind that.
Parameter dimensionsParameter(const std::string& more = ".");
bool reachesAcrossSlices(const std::vector<Parameter>& list, const ParameterValues& values);

/// Neighbours that belong together; `more` is said behind that.
Parameter connectivityParameter(const std::string& fallback, const std::string& more = {});

}  // namespace warplens::gpu
