// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace warplens::gpu {

/// Three significant digits, thousands with a comma, a true minus sign: "0.150", "26.9", "4,258". NaN and infinity in
/// words.
std::string threeDigits(double value);
/// So many significant digits, a power of ten where there are many zeros: "9.41e-6" with a true minus, "0.25".
std::string compact(double value, int digits = 3);
/// Always with a power of ten: "2.47e-4", with a true minus.
std::string scientific(double value, int digits = 3);
/// "8,192"
std::string withCommas(std::int64_t value);
/// "13.6 KiB", "256 MiB", "48 B"
std::string byteSize(std::int64_t bytes);
/// A share of 0..1 as "84 %"; a share that is not all never reads "100 %".
std::string percent(double share);

}  // namespace warplens::gpu
