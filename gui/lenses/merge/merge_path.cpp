// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/merge/merge_path.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

bool comesBefore(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

std::vector<double> sampleOf(const io::Grid& grid, std::int64_t first, std::int64_t count, int longest) {
    const io::Shape& s = grid.shape();
    std::vector<double> values;
    const std::int64_t taken = std::min<std::int64_t>(count, longest);
    for (std::int64_t i = 0; i < taken; ++i) {
        const std::int64_t at = first + i * count / taken;
        values.push_back(grid.value(at % s.width, at / s.width % s.height, at / s.width / s.height));
    }
    std::sort(values.begin(), values.end(), comesBefore);
    return values;
}

RingFill fillOf(int before, int now, int then, int size) {
    // What the round before had at hand ends where it could hold no more; the first one had nothing.
    const int loadedBefore = before < 0 ? 0 : std::min(before + MergePath::kTile, size);
    const int end = std::min(now + MergePath::kTile, size);
    return {now, end - now, end - loadedBefore, then - now};
}

}  // namespace

MergePath mergePathOf(const io::Grid& grid, std::int64_t first, int longest) {
    const std::int64_t rest = grid.shape().pixels() - first;
    MergePath path{sampleOf(grid, 0, first, longest), sampleOf(grid, first, rest, longest), {0}};
    int i = 0;
    for (int k = 1; k <= path.outputs(); ++k) {
        const auto j = static_cast<std::size_t>(k - 1 - i), at = static_cast<std::size_t>(i);
        if (j >= path.b.size() || (at < path.a.size() && !comesBefore(path.b[j], path.a[at]))) ++i;
        path.fromA.push_back(i);
    }
    return path;
}

MergeRound roundOf(const MergePath& path, int round) {
    const int first = round * MergePath::kTile, end = std::min(first + MergePath::kTile, path.outputs());
    const auto fromA = [&](int k) { return path.fromA[static_cast<std::size_t>(k)]; };
    const int before = first - MergePath::kTile, now = fromA(first), then = fromA(end);
    const int aSize = static_cast<int>(path.a.size()), bSize = static_cast<int>(path.b.size());
    MergeRound made{.first = first,
                    .count = end - first,
                    .a = fillOf(round == 0 ? -1 : fromA(before), now, then, aSize),
                    .b = fillOf(round == 0 ? -1 : before - fromA(before), first - now, end - then, bSize),
                    .probes = {}};
    // As the kernels search: among what is at hand, on the diagonal of the round's last output.
    int low = std::max(0, made.count - made.b.held), high = std::min(made.count, made.a.held);
    while (low < high) {
        const int middle = low + (high - low) / 2;
        made.probes.push_back(now + middle);
        const auto b = static_cast<std::size_t>(first - now + made.count - 1 - middle);
        if (comesBefore(path.b[b], path.a[static_cast<std::size_t>(now + middle)]))
            high = middle;
        else
            low = middle + 1;
    }
    return made;
}

}  // namespace warplens::gui
