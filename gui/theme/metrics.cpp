// SPDX-License-Identifier: Apache-2.0
#include "gui/theme/metrics.hpp"

#include <cmath>

namespace warplens::gui {

namespace {
constexpr double kProjectorType = 1.6, kProjectorLine = 2;
bool projecting = false;
}  // namespace

bool projector() {
    return projecting;
}

void setProjectorMetrics(bool on) {
    projecting = on;
}

double typeScale() {
    return projecting ? kProjectorType : 1;
}

double lineScale() {
    return projecting ? kProjectorLine : 1;
}

Length::operator int() const {
    return static_cast<int>(std::lround(m_plain * typeScale()));
}

}  // namespace warplens::gui
