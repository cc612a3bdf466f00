// SPDX-License-Identifier: Apache-2.0
#include "gui/why/warp_text.hpp"

#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

namespace warplens::gui {

namespace {

QString tr(const char* text, int n = -1) { return QCoreApplication::translate("WarpText", text, nullptr, n); }

QString counted(std::int64_t n, const char* one, const char* many) {
    return n == 1 ? tr(one) : tr(many).arg(format::integer(n));
}

/// The bytes a request asks for, as whole stretches.
std::vector<std::pair<std::int64_t, std::int64_t>> stretches(const gpu::WarpRequest& request, int bytes) {
    std::vector<std::int64_t> starts;
    for (std::size_t lane = 0; lane < request.offset.size(); ++lane)
        if (request.mask >> lane & 1U) starts.push_back(request.offset[lane]);
    std::ranges::sort(starts);
    std::vector<std::pair<std::int64_t, std::int64_t>> runs;
    for (const std::int64_t start : starts) {
        if (!runs.empty() && start <= runs.back().second)
            runs.back().second = std::max(runs.back().second, start + bytes);
        else
            runs.emplace_back(start, start + bytes);
    }
    return runs;
}

WarpText sectorsText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    const std::int64_t sectors = request.count.sectors, useful = request.count.usefulBytes;
    const std::int64_t least = (useful + kSectorBytes - 1) / kSectorBytes;
    WarpText text;
    text.figure = counted(sectors, "1 sector", "%1 sectors");
    const auto runs = stretches(request, site.bytes);
    if (sectors <= least) {
        text.reason = runs.size() == 1 && useful <= site.bytes && request.count.lanes > 1
                          ? tr("for all lanes: they request the same value.")
                          : tr("and no fewer would do: the lanes request neighbouring values.");
    } else if (site.space == gpu::Space::texture) {
        text.reason =
            tr("where %1 would do: a texture is read by quarters of a warp, and what two of them touch counts "
               "twice.")
                .arg(format::integer(least));
    } else if (runs.size() == 1) {
        text.reason = tr("where %1 would do: the row begins %2 bytes into a sector.")
                          .arg(format::integer(least), format::integer(runs.front().first % kSectorBytes));
    } else {
        const std::int64_t apart = runs[1].first - runs[0].first;
        const bool even = std::ranges::adjacent_find(runs, [&](const auto& a, const auto& b) {
                              return b.first - a.first != apart;
                          }) == runs.end();
        text.reason = even && runs.size() > 2 ? tr("where %1 would do: the lanes request values %2 bytes apart.")
                                                    .arg(format::integer(least), format::integer(apart))
                                              : tr("where %1 would do: the lanes request %2 separate ranges.")
                                                    .arg(format::integer(least))
                                                    .arg(runs.size());
    }
    text.share = tr("%1 of %2 bytes are used, %3.")
                     .arg(format::integer(useful), format::integer(sectors * kSectorBytes),
                          format::percent(static_cast<double>(useful) / static_cast<double>(sectors * kSectorBytes)));
    return text;
}

WarpText banksText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    WarpText text;
    const auto units = touchedUnits(request, site);
    const auto worst = std::ranges::max_element(units, {}, &TouchedUnit::words);
    const auto busy = std::ranges::count_if(units, [](const TouchedUnit& unit) { return unit.words > 1; });
    text.figure = counted(request.count.wavefronts, "1 wavefront", "%1 wavefronts");
    if (request.count.wavefronts <= 1)
        text.reason = request.count.words == 1 || units.size() == 1
                          ? tr("without bank conflicts: the lanes request the same word.")
                          : tr("without bank conflicts: no bank has to deliver two different words.");
    else if (site.bytes > kWordBytes)
        text.reason = tr("because the lanes request %1 bytes each.").arg(site.bytes);
    else
        text.reason = tr("because of bank conflicts: bank %1 has to deliver %2 different words, and %3 of 32 banks "
                         "more than one.")
                          .arg(worst->number)
                          .arg(worst->words)
                          .arg(busy);
    return text;
}

WarpText wordsText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    WarpText text;
    const bool atomic = site.operation == gpu::Operation::atomic;
    text.figure = atomic ? counted(request.count.words, "1 address", "%1 addresses")
                         : counted(request.count.words, "1 word", "%1 words");
    if (!atomic)
        text.reason = request.count.words == 1 ? tr("for all lanes: constant memory broadcasts it.")
                                               : tr("from constant memory, which delivers one after the other.");
    else if (request.count.worst > 1)
        text.reason = tr("for %1 lanes: as many as %2 of them add to the same one.")
                          .arg(request.count.lanes)
                          .arg(request.count.worst);
    else
        text.reason = tr("for %1 lanes: no two add to the same one.").arg(request.count.lanes);
    return text;
}

}  // namespace

UnitKind unitKind(const gpu::WarpSite& site) {
    if (site.operation == gpu::Operation::atomic || site.space == gpu::Space::constant) return UnitKind::words;
    return site.space == gpu::Space::shared ? UnitKind::banks : UnitKind::sectors;
}

std::vector<TouchedUnit> touchedUnits(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    const UnitKind kind = unitKind(site);
    const int size = kind == UnitKind::sectors ? kSectorBytes : kind == UnitKind::banks ? kWordBytes : site.bytes;
    std::map<std::int64_t, TouchedUnit> units;
    std::map<std::int64_t, std::set<std::int64_t>> bytes, words;
    for (int lane = 0; lane < static_cast<int>(request.offset.size()); ++lane) {
        if (!(request.mask >> lane & 1U)) continue;
        const std::int64_t first = request.offset[static_cast<std::size_t>(lane)], end = first + site.bytes;
        for (std::int64_t at = first / size; at * size < end; ++at) {
            const std::int64_t number = kind == UnitKind::banks ? at % kBanks : at;
            TouchedUnit& unit = units[number];
            unit.number = number;
            const std::int64_t from = std::max(first, at * size), to = std::min(end, (at + 1) * size);
            unit.lanes.push_back(lane);
            unit.pieces.emplace_back(static_cast<int>(from - at * size), static_cast<int>(to - from));
            for (std::int64_t b = from; b < to; ++b) bytes[number].insert(b);
            words[number].insert(at);
        }
    }
    std::vector<TouchedUnit> list;
    for (auto& [number, unit] : units) {
        unit.bytes = static_cast<int>(bytes[number].size());
        unit.words = static_cast<int>(words[number].size());
        list.push_back(std::move(unit));
    }
    return list;
}

WarpText warpText(const gpu::WarpRequest& request, const gpu::WarpSite& site) {
    switch (unitKind(site)) {
        case UnitKind::sectors: return sectorsText(request, site);
        case UnitKind::banks: return banksText(request, site);
        case UnitKind::words: return wordsText(request, site);
    }
    return {};
}

}  // namespace warplens::gui
