// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/counts.hpp"

#include <utility>

namespace warplens::gpu {

Tables tablesOf(const BinnedCounts& counts) {
    Table bins{.id = "bins", .title = "Counts", .columns = {}};
    const auto& edges = counts.edges;
    const auto edge = [&](const char* id, std::size_t first) {
        Column::Reals values;
        if (!edges.empty())
            values.assign(edges.begin() + static_cast<std::ptrdiff_t>(first),
                          edges.end() - 1 + static_cast<std::ptrdiff_t>(first));
        bins.columns.push_back({.id = id, .title = first == 0 ? "From" : "To", .values = std::move(values)});
    };
    edge("from", 0);
    edge("to", 1);
    Column::Texts names;
    Column::Integers below, above, nan;
    for (const CountedChannel& channel : counts.channels) {
        bins.columns.push_back({.id = channel.name, .values = channel.bins});
        names.push_back(channel.name);
        below.push_back(channel.below);
        above.push_back(channel.above);
        nan.push_back(channel.nan);
    }
    Table outside{.id = "outside", .title = "Beside the bins", .columns = {}};
    outside.columns.push_back({.id = "channel", .title = "Channel", .values = std::move(names)});
    outside.columns.push_back({.id = "below", .title = "Below", .values = std::move(below)});
    outside.columns.push_back({.id = "above", .title = "Above", .values = std::move(above)});
    outside.columns.push_back({.id = "nan", .title = "Not a number", .values = std::move(nan)});
    return {std::make_shared<const Table>(std::move(bins)), std::make_shared<const Table>(std::move(outside))};
}

std::shared_ptr<const BinnedCounts> countsOf(const Tables& tables) {
    const Table* bins = findTable(tables, "bins");
    const Table* outside = findTable(tables, "outside");
    if (bins == nullptr || outside == nullptr) return nullptr;
    const auto *from = bins->values<Column::Reals>("from"), *to = bins->values<Column::Reals>("to");
    const auto* names = outside->values<Column::Texts>("channel");
    const auto *below = outside->values<Column::Integers>("below"), *above = outside->values<Column::Integers>("above"),
               *nan = outside->values<Column::Integers>("nan");
    if (!from || !to || !names || !below || !above || !nan) return nullptr;
    auto counts = std::make_shared<BinnedCounts>();
    counts->edges = *from;
    // A bin ends where the next one begins.
    if (from->size() != to->size()) return nullptr;
    for (std::size_t k = 0; k + 1 < to->size(); ++k)
        if ((*to)[k] != (*from)[k + 1]) return nullptr;
    if (!to->empty()) counts->edges.push_back(to->back());
    for (std::size_t c = 0; c < names->size(); ++c) {
        const auto* counted = bins->values<Column::Integers>((*names)[c]);
        if (counted == nullptr) return nullptr;
        counts->channels.push_back({(*names)[c], *counted, (*below)[c], (*above)[c], (*nan)[c]});
    }
    return counts;
}

}  // namespace warplens::gpu
