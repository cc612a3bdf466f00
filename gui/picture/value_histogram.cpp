// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/value_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

template <class T, class Visit>
void eachColour(const io::Grid& grid, Visit visit) {
    const int channels = grid.shape().channels, used = std::min(channels, 3);
    const T* values = grid.as<T>();
    const std::int64_t pixels = grid.shape().pixels();
    for (std::int64_t i = 0; i < pixels; ++i, values += channels)
        for (int c = 0; c < used; ++c) visit(static_cast<double>(values[c]));
}

template <class T>
ValueHistogram count(const io::Grid& grid, int bins) {
    ValueHistogram made;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    eachColour<T>(grid, [&](double v) {
        if (!std::isfinite(v)) {
            ++made.nonFinite;
            return;
        }
        low = std::min(low, v);
        high = std::max(high, v);
    });
    if (low > high) return made;
    made.low = low == high ? low - 0.5 : low;
    made.high = low == high ? high + 0.5 : high;
    made.counts.assign(low == high ? 1 : static_cast<std::size_t>(bins), 0);
    const double scale = static_cast<double>(made.counts.size()) / (made.high - made.low);
    const std::size_t last = made.counts.size() - 1;
    eachColour<T>(grid, [&](double v) {
        if (std::isfinite(v)) ++made.counts[std::min(static_cast<std::size_t>((v - made.low) * scale), last)];
    });
    return made;
}

}  // namespace

ValueHistogram valueHistogram(const io::Grid& grid, int bins) {
    return io::withType(grid.type(), [&]<class T>(T) { return count<T>(grid, bins); });
}

}  // namespace warplens::gui
