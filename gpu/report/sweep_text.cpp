// SPDX-License-Identifier: Apache-2.0
// What people read of a sweep: tables, and the forms that its file can have.
#include "gpu/core/table.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/html.hpp"
#include "gpu/report/sweep_document.hpp"
#include "gpu/report/text_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace warplens::gpu {

namespace {

using Kind = SweepAxis::Kind;
constexpr std::size_t kMostReasons = 10;

bool isTimed(const SweepRow& row) { return row.status == Status::ok && row.time && row.time->clock == Clock::device; }

/// A time of a GPU, or why there is none.
std::string timeText(const SweepRow& row) {
    return isTimed(row) ? threeDigits(row.time->medianMs) : row.status == Status::ok ? "-" : nameOf(row.status);
}

std::string winnerText(const SweepCell& cell) {
    const auto winner = winnerOf(cell);
    if (!winner) return "-";
    if (winner->next == nullptr) return winner->fastest->id;
    if (winner->verdict == Verdict::same) return "same: " + winner->fastest->id + ", " + winner->next->id;
    if (winner->verdict == Verdict::undecided) return "undecided";
    return fmt::format("{} {}x", winner->fastest->id, threeDigits(winner->ratio));
}

/// A row a value, a column a variant.
TextTable timesOverOne(const Sweep& sweep) {
    TextTable table{.title = "Median time over " + sweep.axes[0].id + ", ms", .columns = {}, .rows = {}, .notes = {}};
    table.columns.push_back({sweep.axes[0].id, {}, false});
    for (const std::string& id : sweep.variants) table.columns.push_back({id, Origin::measured, true});
    if (sweep.variants.size() > 1) table.columns.push_back({"fastest", {}, false});
    for (std::size_t i = 0; i < sweep.axes[0].values.size(); ++i) {
        const SweepCell* cell = sweep.cell(i);
        if (cell == nullptr) continue;
        std::vector<std::string> line{cell->at[0]};
        for (const SweepRow& row : cell->rows) line.push_back(timeText(row));
        if (sweep.variants.size() > 1) line.push_back(winnerText(*cell));
        table.rows.push_back(std::move(line));
    }
    return table;
}

/// A row a value of the first axis, a column one of the second; of several variants the fastest.
TextTable mapOverTwo(const Sweep& sweep) {
    const bool alone = sweep.variants.size() == 1;
    const std::string over = sweep.axes[0].id + " (down) and " + sweep.axes[1].id;
    TextTable table{.title = (alone ? "Median time of " + sweep.variants[0] : "Fastest variant") + " over " + over +
                             (alone ? ", ms" : ""),
                    .columns = {},
                    .rows = {},
                    .notes = {}};
    table.columns.push_back({sweep.axes[0].id, {}, false});
    for (const std::string& value : sweep.axes[1].values) table.columns.push_back({value, Origin::measured, alone});
    for (std::size_t i = 0; i < sweep.axes[0].values.size(); ++i) {
        std::vector<std::string> line{sweep.axes[0].values[i]};
        for (std::size_t j = 0; j < sweep.axes[1].values.size(); ++j) {
            const SweepCell* cell = sweep.cell(i, j);
            line.push_back(cell == nullptr ? "" : alone ? timeText(cell->rows.front()) : winnerText(*cell));
        }
        table.rows.push_back(std::move(line));
    }
    if (!alone)
        table.notes.emplace_back(
            "The fastest variant and the runner-up's median over its own; same: their 95 % intervals overlap.");
    return table;
}

/// What ran on a device whose times rank nothing: one row per cell, one column per variant, no winner.
TextTable unrankedTimes(const Sweep& sweep) {
    TextTable table{.title = "Median time on the CPU device, ms",
                    .columns = {},
                    .rows = {},
                    .notes = {"Times of the CPU device are no times of a GPU: no winner follows from them."}};
    for (const SweepAxis& axis : sweep.axes) table.columns.push_back({axis.id, {}, false});
    for (const std::string& id : sweep.variants) table.columns.push_back({id, Origin::measured, true});
    for (const SweepCell& cell : sweep.cells) {
        std::vector<std::string> line = cell.at;
        for (const SweepRow& row : cell.rows)
            line.push_back(row.status == Status::ok && row.time ? threeDigits(row.time->medianMs) : nameOf(row.status));
        table.rows.push_back(std::move(line));
    }
    return table;
}

/// Of all that does the same work, the best tunables of each variant; the fastest variant first.
TextTable bestTunables(const Sweep& sweep) {
    TextTable table{.title = "Best values of what is tuned", .columns = {}, .rows = {}, .notes = {}};
    for (const SweepAxis& axis : sweep.axes) table.columns.push_back({axis.id, {}, true});
    table.columns.push_back({"run", {}, false});
    table.columns.push_back({"median, ms", Origin::measured, true});
    std::vector<std::vector<std::string>> seen;
    for (const SweepCell& cell : sweep.cells) {
        std::vector<std::string> work;
        for (std::size_t i = 0; i < sweep.axes.size(); ++i)
            if (sweep.axes[i].kind != Kind::tunable) work.push_back(cell.at[i]);
        if (std::ranges::find(seen, work) != seen.end()) continue;
        seen.push_back(work);
        std::vector<SweepBest> best;
        for (const std::string& id : sweep.variants)
            if (const auto of = bestOf(sweep, cell, {id})) best.push_back(*of);
        std::ranges::stable_sort(best, {}, [](const SweepBest& of) { return of.row->time->medianMs; });
        for (const SweepBest& of : best) {
            std::vector<std::string> line = of.cell->at;
            line.push_back(runAt(sweep, *of.cell, of.row->id));
            line.push_back(threeDigits(of.row->time->medianMs));
            table.rows.push_back(std::move(line));
        }
    }
    return table;
}

/// Each reason once, with where it was met first.
std::vector<std::string> reasonsOf(const Sweep& sweep) {
    struct Met {
        std::string where, reason;
        std::size_t more = 0;
    };
    std::vector<Met> met;
    std::size_t left = 0;
    for (const SweepCell& cell : sweep.cells) {
        for (const SweepRow& row : cell.rows) {
            if (row.status == Status::ok) continue;
            const auto known = std::ranges::find(met, row.reason, &Met::reason);
            if (known != met.end())
                ++known->more;
            else if (met.size() < kMostReasons)
                met.push_back({row.id + " at " + placeOf(sweep, cell), row.reason});
            else
                ++left;
        }
    }
    std::vector<std::string> sentences;
    for (const Met& one : met)
        sentences.push_back(one.where + (one.more > 0 ? fmt::format(" and {} more", one.more) : "") + ": " +
                            one.reason);
    if (left > 0) sentences.push_back(fmt::format("{} more were refused", left));
    return sentences;
}

std::vector<std::string> factsOf(const Sweep& sweep) {
    std::string parameters;
    for (const auto& [id, value] : sweep.parameters)
        parameters += (parameters.empty() ? "" : ", ") + id + " " + format(value);
    std::vector<std::string> facts{
        "Warplens " + sweep.version + ", " + sweep.environment.date + ", " + sweep.environment.os + ", " +
            sweep.environment.cpu + ", " + sweep.environment.compiler,
        "Input " + sweep.input + (sweep.type.empty() ? "" : ", " + sweep.type) +
            (sweep.sizes.size() == 1 ? fmt::format(", {}x{}", sweep.sizes[0][0], sweep.sizes[0][1]) : "")};
    if (!parameters.empty()) facts.push_back("Parameters " + parameters);
    if (!sweep.environment.cudaDriver.empty())
        facts.push_back("CUDA runtime " + sweep.environment.cudaRuntime + ", driver " + sweep.environment.cudaDriver);
    return facts;
}

constexpr std::array kEndings{kSweepEnding, ".csv", ".md", ".html"};

}  // namespace

std::string sweepTitle(const Sweep& sweep) {
    std::string over;
    for (const SweepAxis& axis : sweep.axes) over += (over.empty() ? "" : " and ") + axis.id;
    return fmt::format("{} of {} by {}, {} {} on {}: {} of {} cells", sweep.family, sweep.input, over,
                       sweep.variants.size(), sweep.variants.size() == 1 ? "variant" : "variants", sweep.device.name,
                       sweep.cells.size(), sweep.wanted());
}

std::vector<TextTable> sweepTables(const Sweep& sweep) {
    std::vector<TextTable> tables;
    if (sweep.cells.empty()) return tables;
    if (sweep.device.ranks()) {
        tables.push_back(sweep.axes.size() == 1 ? timesOverOne(sweep) : mapOverTwo(sweep));
        if (std::ranges::find(sweep.axes, Kind::tunable, &SweepAxis::kind) != sweep.axes.end())
            tables.push_back(bestTunables(sweep));
    } else {
        tables.push_back(unrankedTimes(sweep));
    }
    if (std::vector<std::string> reasons = reasonsOf(sweep); !reasons.empty())
        tables.push_back({.title = "Without a time", .columns = {}, .rows = {}, .notes = std::move(reasons)});
    return tables;
}

std::string sweepText(const Sweep& sweep) {
    std::string text = sweepTitle(sweep) + "\n";
    for (const TextTable& table : sweepTables(sweep)) text += toText(table);
    return text;
}

std::string sweepMarkdown(const Sweep& sweep) {
    std::string text = "## " + markdownText(sweepTitle(sweep)) + "\n";
    for (const TextTable& table : sweepTables(sweep)) {
        text += "\n### " + markdownText(table.title) + "\n\n" + (table.rows.empty() ? "" : markdownTable(table) + "\n");
        for (const std::string& note : table.notes) text += "- " + markdownText(note) + "\n";
    }
    text += "\n";
    for (const std::string& fact : factsOf(sweep)) text += "- " + markdownText(fact) + "\n";
    return text;
}

std::string sweepHtml(const Sweep& sweep) { return toHtml(sweepTitle(sweep), sweepTables(sweep), factsOf(sweep)); }

std::string sweepCsv(const Sweep& sweep) {
    std::string text = "family,input,device";
    for (const SweepAxis& axis : sweep.axes) text += "," + axis.id;
    text += ",width,height,variant,id,status,reason,clock,median_ms,low_ms,high_ms,q1_ms,q3_ms,min_ms,samples,l2\r\n";
    for (const SweepCell& cell : sweep.cells) {
        for (const SweepRow& row : cell.rows) {
            text += sweep.family + "," + csvField(sweep.input) + "," + csvField(sweep.device.id);
            for (const std::string& value : cell.at) text += "," + csvField(value);
            text += fmt::format(",{},{},{},{},{},{}", cell.width, cell.height, variantIn(row.id),
                                runAt(sweep, cell, row.id), nameOf(row.status), csvField(row.reason));
            if (const auto& t = row.time)
                text += fmt::format(",{},{},{},{},{},{},{},{},{}\r\n", nameOf(t->clock), t->medianMs, t->lowMs,
                                    t->highMs, t->q1Ms, t->q3Ms, t->minMs, t->samples, t->warmL2 ? "warm" : "cold");
            else
                text += ",,,,,,,,,\r\n";
        }
    }
    return text;
}

bool isSweepName(const std::string& path) {
    return std::ranges::any_of(kEndings, [&](const char* ending) { return path.ends_with(ending); });
}

std::string sweepFile(const Sweep& sweep, const std::string& path) {
    if (path.ends_with(".csv")) return sweepCsv(sweep);
    if (path.ends_with(".md")) return sweepMarkdown(sweep);
    if (path.ends_with(".html")) return sweepHtml(sweep);
    return toJson(sweep);
}

}  // namespace warplens::gpu
