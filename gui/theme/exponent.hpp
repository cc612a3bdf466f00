// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace warplens::gui::format {

/// A value with so many significant digits, a power of ten where there are many zeros, a true minus: "9.41e−6", "0.25".
QString compact(double value, int digits = 3);
/// Always with a power of ten: "2.47e−4".
QString scientific(double value, int digits = 3);

}  // namespace warplens::gui::format
