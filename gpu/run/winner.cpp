// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/sweep.hpp"

#include <algorithm>

namespace warplens::gpu {

std::optional<SweepWinner> winnerOf(const SweepCell& cell, const std::set<std::string>& among) {
    std::vector<const SweepRow*> timed;
    for (const SweepRow& row : cell.rows) {
        const bool asked = among.empty() || among.contains(row.id);
        const bool ranked = row.status == Status::ok && row.time && row.time->clock == Clock::device;
        if (asked && ranked && row.note.empty()) timed.push_back(&row);
    }
    if (timed.empty()) return std::nullopt;
    std::ranges::stable_sort(timed, {}, [](const SweepRow* row) { return row->time->medianMs; });
    SweepWinner winner{.fastest = timed.front()};
    if (timed.size() == 1) return winner;
    winner.next = timed[1];
    winner.ratio =
        winner.fastest->time->medianMs > 0 ? winner.next->time->medianMs / winner.fastest->time->medianMs : 1;
    winner.verdict = judge(*winner.fastest->time, *winner.next->time);
    for (const SweepRow* row : timed)
        if (row != winner.fastest && judge(*winner.fastest->time, *row->time) == Verdict::same)
            winner.same.push_back(row);
    return winner;
}

std::optional<SweepBest> bestOf(const Sweep& sweep, const SweepCell& cell, const std::set<std::string>& among) {
    const auto sameWork = [&](const SweepCell& other) {
        for (std::size_t i = 0; i < sweep.axes.size(); ++i)
            if (sweep.axes[i].kind != SweepAxis::Kind::tunable && other.at[i] != cell.at[i]) return false;
        return true;
    };
    std::optional<SweepBest> best;
    for (const SweepCell& other : sweep.cells) {
        if (!sameWork(other)) continue;
        const auto winner = winnerOf(other, among);
        if (winner && (!best || winner->fastest->time->medianMs < best->row->time->medianMs))
            best = SweepBest{&other, winner->fastest};
    }
    return best;
}

}  // namespace warplens::gpu
