// SPDX-License-Identifier: Apache-2.0
#include "gui/theme/exponent.hpp"

#include "gpu/report/figures.hpp"

namespace warplens::gui::format {

QString compact(double value, int digits) { return QString::fromStdString(gpu::compact(value, digits)); }

QString scientific(double value, int digits) { return QString::fromStdString(gpu::scientific(value, digits)); }

}  // namespace warplens::gui::format
