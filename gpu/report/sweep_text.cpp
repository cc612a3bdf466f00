// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/figures.hpp"
#include "gpu/report/sweep_document.hpp"
#include "gpu/report/text_table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplens::gpu {

namespace {

std::string cellText(const SweepCell& cell) {
    const auto winner = winnerOf(cell);
    if (!winner) return "-";
    if (winner->next == nullptr) return winner->fastest->id;
    if (winner->verdict == Verdict::same) return "same: " + winner->fastest->id + ", " + winner->next->id;
    if (winner->verdict == Verdict::undecided) return "undecided";
    return fmt::format("{} {}x", winner->fastest->id, threeDigits(winner->ratio));
}

}  // namespace

std::string sweepText(const Sweep& sweep) {
    const std::size_t cells = sweep.values.size() * sweep.sizes.size();
    std::string text =
        fmt::format("{} of {} by {} and size, {} {} on {}: {} of {} cells\n", sweep.family, sweep.input,
                    sweep.parameter, sweep.variants.size(), sweep.variants.size() == 1 ? "variant" : "variants",
                    sweep.device.name, sweep.cells.size(), cells);
    if (sweep.cells.empty()) return text;
    if (!sweep.device.ranks()) return text + "Times of the CPU device are not those of a GPU: they name no winner.\n";
    TextTable table;
    table.columns.push_back({sweep.parameter, {}, false});
    for (const auto& [width, height] : sweep.sizes)
        table.columns.push_back({fmt::format("{}x{}", width, height), {}, false});
    for (const std::int64_t value : sweep.values) {
        std::vector<std::string> line{std::to_string(value)};
        for (const auto& [width, height] : sweep.sizes) {
            const auto found = std::ranges::find_if(sweep.cells, [&, w = width, h = height](const SweepCell& cell) {
                return cell.value == value && cell.width == w && cell.height == h;
            });
            line.push_back(found == sweep.cells.end() ? "" : cellText(*found));
        }
        table.rows.push_back(std::move(line));
    }
    return text + alignedRows(table) +
           "The fastest variant and the runner-up's median over its own, measured (M); same: their 95 % intervals "
           "overlap.\n";
}

}  // namespace warplens::gpu
