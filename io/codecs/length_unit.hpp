// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::io::codecs {

/// Millimetres in one of the unit: "um", "micron", the micro sign with m (in UTF-8, Latin-1 or as ImageJ's six
/// characters for it), "millimeter", "inch" ...; none for what is no length, as "pixel" or nothing.
std::optional<double> millimetresIn(std::string_view unit);

}  // namespace warplens::io::codecs
