// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/shares.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/figures.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplens::gpu::bench {
namespace {

constexpr double kNear = 1.05;
constexpr std::int64_t kLargePixels = 4000000;

using Found = std::vector<std::pair<double, std::string>>;  ///< percent, and of which limit

std::optional<Shares::Quartiles> quartilesOf(Found found) {
    if (found.empty()) return std::nullopt;
    std::ranges::sort(found);
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(found.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, found.size() - 1);
        return found[below].first + (place - static_cast<double>(below)) * (found[above].first - found[below].first);
    };
    Shares::Quartiles q{.tasks = static_cast<int>(found.size()), .q1 = at(0.25), .median = at(0.5), .q3 = at(0.75)};
    for (const auto& [percent, limit] : found) ++q.binds[limit];
    return q;
}

void addPeer(Shares& shares, const ReportRun& best, const ReportRun* peer) {
    if (peer == nullptr || peer->record.time->clock != best.record.time->clock) return;
    ++shares.withPeer;
    ++shares.peers[peer->record.variant];
    switch (gpu::judge(*best.record.time, *peer->record.time)) {
        case Verdict::faster: ++shares.ahead; break;
        case Verdict::slower: ++shares.behind; break;
        default: ++shares.same;
    }
}

/// A row of auto's that failed or was wrong is no choice within 5 %.
void addAuto(Shares& shares, const Case& task, const ReportRun& best, const Report& report) {
    const ReportRun* chosen = autoRow(report);
    const bool bad = std::ranges::any_of(report.runs, [](const ReportRun& run) {
        const Status status = run.record.status;
        return run.record.variant == kAuto && (status == Status::wrong || status == Status::failed);
    });
    if (chosen != nullptr || bad) ++shares.withAuto;
    if (chosen == nullptr) return;
    const double factor = chosen->record.time->medianMs / best.record.time->medianMs;
    if (factor <= kNear) {
        ++shares.near;
        return;
    }
    const auto& choice = chosen->record.choice;
    shares.off.push_back(
        {task.id, task.title, choice ? choice->variant : chosen->record.variant, best.record.variant, factor});
}

std::optional<Shares::Races> racesOf(const Result& result) {
    std::vector<double> kernels, walls;
    for (const CaseResult& one : result.cases) {
        const ReportRun* chosen = one.report ? autoRow(*one.report) : nullptr;
        if (chosen == nullptr || !chosen->record.choice || !chosen->record.choice->raced) continue;
        kernels.push_back(chosen->record.choice->raced->kernelMs);
        walls.push_back(chosen->record.choice->raced->wallMs);
    }
    if (kernels.empty()) return std::nullopt;
    std::ranges::sort(kernels);
    std::ranges::sort(walls);
    const std::size_t middle = kernels.size() / 2;
    return Shares::Races{.tasks = static_cast<int>(kernels.size()),
                         .medianKernelMs = kernels[middle],
                         .mostKernelMs = kernels.back(),
                         .medianWallMs = walls[middle],
                         .mostWallMs = walls.back()};
}

std::string listOf(const std::map<std::string, int>& counts) {
    std::string text;
    for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    return text;
}

std::string shareText(int part, int all) {
    return fmt::format("{} of {}{}", part, all, all == 0 ? "" : ", " + percent(static_cast<double>(part) / all));
}

void addQuartiles(TextTable& table, const std::string& what, const std::optional<Shares::Quartiles>& q) {
    if (!q) return;
    table.rows.push_back({what + ": median (quartiles)", std::to_string(q->tasks),
                          fmt::format("{:.0f} % ({:.0f} to {:.0f} %)", q->median, q->q1, q->q3), listOf(q->binds)});
}

}  // namespace

std::optional<Shares> sharesOf(const Result& result) {
    if (!result.device.ranks()) return std::nullopt;
    Shares shares;
    Found all, large;
    for (const CaseResult& one : result.cases) {
        const ReportRun* best = one.report ? fastest(*one.report, Variant::Kind::kernel) : nullptr;
        if (best == nullptr || best->record.time->clock != Clock::device) continue;
        ++shares.tasks;
        addAuto(shares, one.what, *best, *one.report);
        addPeer(shares, *best, bestPeer(*one.report));
        const auto share = shareOfLimit(*one.report, *best);
        if (!share) continue;
        all.emplace_back(share->percent, nameOfLimit(*one.report, *share));
        if (one.report->input.shape.pixels() > kLargePixels) large.push_back(all.back());
    }
    if (shares.tasks == 0) return std::nullopt;
    std::ranges::stable_sort(shares.off, std::greater(), &Shares::Off::factor);
    shares.races = racesOf(result);
    shares.ofLimit = quartilesOf(std::move(all));
    shares.ofLimitLarge = quartilesOf(std::move(large));
    return shares;
}

std::vector<TextTable> tablesOf(const Shares& shares) {
    TextTable table{.title = "Shares of the tasks",
                    .columns = {{"What", {}, false},
                                {"Tasks", {}, true},
                                {"Share", Origin::measured, false},
                                {"Against", {}, false}},
                    .rows = {},
                    .notes = {}};
    table.rows.push_back({"auto within 5 % of our best row", std::to_string(shares.withAuto),
                          shareText(shares.near, shares.withAuto), ""});
    if (shares.races)
        table.rows.push_back(
            {"its races, kernels: median (maximum)", std::to_string(shares.races->tasks),
             threeDigits(shares.races->medianKernelMs) + " ms (" + threeDigits(shares.races->mostKernelMs) + " ms)",
             "in total " + threeDigits(shares.races->medianWallMs) + " ms (" + threeDigits(shares.races->mostWallMs) +
                 " ms), including loading code"});
    table.rows.push_back({"our best row ahead of the best peer on the GPU", std::to_string(shares.withPeer),
                          shareText(shares.ahead, shares.withPeer), listOf(shares.peers)});
    table.rows.push_back(
        {"the same as it, or undecided", std::to_string(shares.withPeer), shareText(shares.same, shares.withPeer), ""});
    addQuartiles(table, "our best row, of the limit", shares.ofLimit);
    addQuartiles(table, "the same above 4 Mpx", shares.ofLimitLarge);
    table.notes.push_back(
        "Of the limit: measured times and limits; which bytes and multiply-adds are the least is modelled.");
    std::vector<TextTable> tables{std::move(table)};
    if (shares.off.empty()) return tables;
    TextTable off{.title = "Where auto was more than 5 % off",
                  .columns = {{"Task", {}, false},
                              {"auto took", {}, false},
                              {"Best row", {}, false},
                              {"Factor", Origin::measured, true}},
                  .rows = {},
                  .notes = {}};
    for (const Shares::Off& one : shares.off)
        off.rows.push_back({one.id + ", " + one.title, one.chosen, one.best, threeDigits(one.factor) + "\u00d7"});
    tables.push_back(std::move(off));
    return tables;
}

}  // namespace warplens::gpu::bench
