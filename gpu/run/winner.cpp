// SPDX-License-Identifier: Apache-2.0
// What is asked of a sweep that was made: what makes one is not needed for it.
#include "gpu/core/run_key.hpp"
#include "gpu/run/sweep.hpp"

#include <algorithm>
#include <array>

namespace warplens::gpu {

std::size_t Sweep::wanted() const {
    std::size_t count = 1;
    for (const SweepAxis& axis : axes) count *= axis.values.size();
    return count;
}

const SweepCell* Sweep::cell(std::size_t first, std::size_t second) const {
    const std::array index{first, second};
    std::vector<std::string> at;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (index[i] >= axes[i].values.size()) return nullptr;
        at.push_back(axes[i].values[index[i]]);
    }
    const auto found = std::ranges::find(cells, at, &SweepCell::at);
    return found == cells.end() ? nullptr : &*found;
}

std::string placeOf(const Sweep& sweep, const SweepCell& cell) {
    std::string text;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
        text += (i == 0 ? "" : ", ") + sweep.axes[i].id + " " + cell.at[i];
    return text;
}

std::string runAt(const Sweep& sweep, const SweepCell& cell, const std::string& id) {
    RunKey key = parseRunKey(id);
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
        if (sweep.axes[i].kind == SweepAxis::Kind::tunable) key.chosen[sweep.axes[i].id] = std::stoi(cell.at[i]);
    return key.id();
}

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
