// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/bench/result.hpp"
#include "gpu/report/text_table.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::bench {

/// What tasks that nobody chose say about the program as a whole. A task counts where a row of ours was right and
/// timed.
struct Shares {
    /// Where `auto` took more than 1.05 times the best row's median.
    struct Off {
        std::string id, title, chosen, best;
        double factor = 0;
    };
    /// Of the limit that binds each task's best row, in percent; between two values in proportion.
    struct Quartiles {
        int tasks = 0;
        double q1 = 0, median = 0, q3 = 0;
        std::map<std::string, int> binds{};  ///< "copy", "FMA": in how many tasks
    };
    /// What the races cost by which `auto` chose: milliseconds of kernels, and in all, with loading of code.
    struct Races {
        int tasks = 0;
        double medianKernelMs = 0, mostKernelMs = 0, medianWallMs = 0, mostWallMs = 0;
    };
    int tasks = 0;
    int withAuto = 0, near = 0;  ///< near: `auto` within 5 % of the best row
    std::vector<Off> off{};      ///< the largest factor first
    std::optional<Races> races{};
    /// Tasks with a peer on the GPU's clock; our best row's 95 % interval lies below its, meets it, or lies above.
    int withPeer = 0, ahead = 0, same = 0, behind = 0;
    std::map<std::string, int> peers{};                  ///< the best peer: in how many tasks
    std::optional<Quartiles> ofLimit{}, ofLimitLarge{};  ///< of all tasks; of those above 4 Mpx (4,000,000 pixels)
};

/// Nothing for a device whose times rank nothing, and where no task counts.
std::optional<Shares> sharesOf(const Result& result);

/// As tables: the shares, and below them the tasks where `auto` was off, if there are any.
std::vector<TextTable> tablesOf(const Shares& shares);

}  // namespace warplens::gpu::bench
