// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/split_k.hpp"

#include <algorithm>

namespace warplens::gpu::product {
namespace {

constexpr int kMultiprocessors = 132;  ///< of an H200
constexpr int kMostSplits = 64;
constexpr double kSaved = 0.95;  ///< what else than whole tiles of 128 x 128 may cost at most

/// How blocks of a tile fill a multiprocessor.
struct Filling {
    int outputs;   ///< per thread
    int atOnce;    ///< blocks
    double block;  ///< a term of its own costs, among as many as are there at once
    double least;  ///< blocks in whose time fewer are done as well
};
constexpr Filling kFillings[] = {{128, 2, 1, 1.25}, {64, 3, 0.5, 1.5}, {32, 6, 0.3, 2.5}};

const Filling& fillingOf(int outputs) {
    return *std::find_if(std::begin(kFillings), std::end(kFillings) - 1,
                         [outputs](const Filling& f) { return f.outputs == outputs; });
}

std::int64_t ceilOf(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }
int wholeOf(int value, int of) { return (value + of - 1) / of * of; }

/// Of so many blocks, each of so many terms, on as many multiprocessors as there are.
double blocksCost(const Filling& f, std::int64_t blocks, int terms) {
    constexpr int kLead = 24;  ///< terms in whose time a block's first tiles come and its sums are stored
    const std::int64_t each = ceilOf(blocks, kMultiprocessors), rest = each % f.atOnce;
    const double turns =
        static_cast<double>(each - rest) + (rest > 0 ? std::max(static_cast<double>(rest), f.least) : 0);
    return turns * f.block * (terms + kLead);
}

/// The kernel that adds, its loads of one partial sum after the other, and their bytes.
double addingCost(const SplitPlan& plan, int outputs) {
    constexpr double kKernel = 30, kEach = 2, kFloats = 43000;
    return plan.splits > 1 ? kKernel + kEach * plan.splits + static_cast<double>(plan.floats(outputs)) / kFloats : 0;
}

double productCost(const ProductSize& size, int outputs, int splits) {
    const int together = layersTogether(size, outputs);
    ProductSize some = size;
    double cost = 0;
    if (size.layers >= together) {
        some.layers = together;
        cost += size.layers / together * splitPlan(some, outputs, splits).cost;
    }
    if (some.layers = size.layers % together; some.layers > 0) cost += splitPlan(some, outputs, splits).cost;
    return cost;
}

}  // namespace

int layersTogether(const ProductSize& size, int outputs) {
    constexpr std::int64_t kFloats = 1 << 23;
    const std::int64_t turned = std::int64_t{wholeOf(size.inner, SplitTile::kDeep)} * wholeOf(size.rows, outputs);
    return static_cast<int>(std::clamp<std::int64_t>(kFloats / turned, 1, size.layers));
}

SplitPlan splitPlan(const ProductSize& size, int outputs, int splits) {
    const Filling& filling = fillingOf(outputs);
    const int terms = wholeOf(size.inner, SplitTile::kDeep);
    SplitPlan none{.tiles = ceilOf(size.rows, outputs) * ceilOf(size.columns, SplitTile::kColumns) * size.layers,
                   .terms = terms};
    none.whole = none.tiles;
    none.cost = blocksCost(filling, none.tiles, terms);
    SplitPlan best = none;
    const auto consider = [&](int wanted) {
        SplitPlan plan = none;
        plan.terms = wholeOf(static_cast<int>(ceilOf(terms, wanted)), SplitTile::kDeep);
        plan.splits = static_cast<int>(ceilOf(terms, plan.terms));
        if (plan.splits < 2) return;
        // Those of the last turn of all blocks that run at once, or of the last two: whole ones beside split ones are
        // late.
        const std::int64_t turn = std::int64_t{kMultiprocessors} * filling.atOnce, turns = none.tiles / turn;
        for (const std::int64_t kept : {turns, turns - 1}) {
            plan.whole = std::max<std::int64_t>(kept, 0) * turn;
            if (plan.whole == none.tiles) continue;
            plan.cost = blocksCost(filling, plan.whole, terms) +
                        blocksCost(filling, (plan.tiles - plan.whole) * plan.splits, plan.terms) +
                        addingCost(plan, outputs);
            if (best.splits == 1 || plan.cost < best.cost) best = plan;
        }
    };
    if (splits > 0) {
        if (splits > 1) consider(splits);
        return best;
    }
    for (int wanted = 2; wanted <= kMostSplits; ++wanted) consider(wanted);
    return best.cost <= kSaved * none.cost ? best : none;
}

int fittedOutputs(const std::vector<ProductSize>& products, int splits) {
    const auto costOf = [&](int outputs) {
        double cost = 0;
        for (const ProductSize& size : products) cost += productCost(size, outputs, splits);
        return cost;
    };
    int best = kFillings[0].outputs;
    double least = kSaved * costOf(best);
    for (const Filling& filling : kFillings) {
        if (filling.outputs == kFillings[0].outputs) continue;
        if (const double cost = costOf(filling.outputs); cost < least) {
            least = cost;
            best = filling.outputs;
        }
    }
    return best;
}

}  // namespace warplens::gpu::product
