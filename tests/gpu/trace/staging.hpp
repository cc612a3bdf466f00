// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace warplens::gpu::testing {

struct StagingCount {
    std::int64_t loads = 0, sectors = 0, stores = 0, sharedLoads = 0, wavefronts = 0;
};

/// What a tile of width x height outputs and its halo costs, when the block's threads, numbered through, stage one
/// value of the tile after the other: an n x n picture of floats, zero border, a window of (2 radius + 1)^2. Told warp
/// by warp from the text of the algorithm, without running it.
inline StagingCount enumerateRowStaging(int n, int radius, int width, int height) {
    StagingCount count;
    const int stagedWidth = width + 2 * radius, stagedHeight = height + 2 * radius, threads = width * height;
    for (int top = 0; top < n; top += height) {
        for (int left = 0; left < n; left += width) {
            for (int warp = 0; warp < threads; warp += 32) {
                for (int first = warp; first < stagedWidth * stagedHeight; first += threads) {
                    std::set<int> sectors;
                    bool stores = false;
                    for (int lane = 0; lane < 32 && warp + lane < threads; ++lane) {
                        const int i = first + lane;
                        if (i >= stagedWidth * stagedHeight) continue;
                        stores = true;
                        const int x = left - radius + i % stagedWidth, y = top - radius + i / stagedWidth;
                        if (x >= 0 && x < n && y >= 0 && y < n) sectors.insert((y * n + x) * 4 / 32);
                    }
                    count.stores += stores;
                    count.loads += !sectors.empty();
                    count.sectors += static_cast<std::int64_t>(sectors.size());
                }
                for (int j = 0; j <= 2 * radius; ++j) {
                    for (int i = 0; i <= 2 * radius; ++i) {
                        std::vector<std::set<int>> banks(32);
                        for (int lane = 0; lane < 32 && warp + lane < threads; ++lane) {
                            const int tx = (warp + lane) % width, ty = (warp + lane) / width;
                            if (left + tx >= n || top + ty >= n) continue;
                            const int word = (ty + j) * stagedWidth + tx + i;
                            banks[static_cast<std::size_t>(word % 32)].insert(word);
                        }
                        std::size_t most = 0;
                        for (const auto& words : banks) most = std::max(most, words.size());
                        count.sharedLoads += most > 0;
                        count.wavefronts += static_cast<std::int64_t>(most);
                    }
                }
            }
        }
    }
    return count;
}

}  // namespace warplens::gpu::testing
