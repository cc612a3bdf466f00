// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme/metrics.hpp"

#include <cmath>

namespace warplens::gui {

namespace {
constexpr double kProjectorLine = 2;
double scale = 1;
}  // namespace

bool projector() { return scale > 1; }

void setProjectorMetrics(double type) { scale = type; }

double typeScale() { return scale; }

double lineScale() { return projector() ? kProjectorLine : 1; }

int paneMinWidth() { return projector() ? 180 : 240; }

int paneMinHeight() { return projector() ? 104 : 160; }

Length::operator int() const { return static_cast<int>(std::lround(m_plain * typeScale())); }

}  // namespace warplens::gui
