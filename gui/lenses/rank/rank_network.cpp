// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/rank/rank_network.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

/// The first column from `from` on in which nothing is drawn between the two wires.
int freeColumn(const RankNetwork& network, int from, const gpu::rank::Exchange& exchange) {
    const auto taken = [&](int column) {
        for (std::size_t i = 0; i < network.columns.size(); ++i) {
            const gpu::rank::Exchange& other = network.exchanges[i];
            if (network.columns[i] == column &&
                std::max(other.low, other.high) >= std::min(exchange.low, exchange.high) &&
                std::min(other.low, other.high) <= std::max(exchange.low, exchange.high))
                return true;
        }
        return false;
    };
    while (taken(from)) ++from;
    return from;
}

}  // namespace

RankNetwork rankNetwork(int radius) {
    const int side = 2 * radius + 1;
    RankNetwork made;
    made.wires = side * side;
    gpu::rank::Network whole;
    whole.order = gpu::rank::sorted(whole, 0, made.wires);
    const gpu::rank::Network asked = gpu::rank::prunedTo(whole, made.wires / 2, 1);
    made.result = asked.order.at[made.wires / 2];
    made.exchanges.assign(asked.at, asked.at + asked.count);
    std::vector<int> next(static_cast<std::size_t>(made.wires));
    for (const gpu::rank::Exchange& exchange : made.exchanges) {
        int &low = next[static_cast<std::size_t>(exchange.low)], &high = next[static_cast<std::size_t>(exchange.high)];
        made.columns.push_back(freeColumn(made, std::max(low, high), exchange));
        low = high = made.columns.back() + 1;
        made.columnCount = std::max(made.columnCount, low);
    }
    return made;
}

std::vector<double> flowThrough(const RankNetwork& network, std::vector<double> values, int steps) {
    for (int i = 0; i < steps; ++i) {
        const gpu::rank::Exchange& exchange = network.exchanges[static_cast<std::size_t>(i)];
        double &low = values[static_cast<std::size_t>(exchange.low)],
               &high = values[static_cast<std::size_t>(exchange.high)];
        if (high < low || (std::isnan(low) && !std::isnan(high))) std::swap(low, high);
    }
    return values;
}

}  // namespace warplens::gui
