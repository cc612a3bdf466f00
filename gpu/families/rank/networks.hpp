// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::gpu::rank {

/// Puts the smaller of two wires' values on the first of them.
struct Exchange {
    int low, high;
};

/// Wires of a network in the order that their values have.
struct Wires {
    static constexpr int kMost = 128;
    int at[kMost]{};
    int count = 0;

    constexpr void add(int wire) { at[count++] = wire; }
};

/// Exchanges that sort whatever the values are, so that no branch depends on them. Made by the compiler from its
/// description.
struct Network {
    static constexpr int kMost = 512;
    Exchange at[kMost]{};
    int count = 0;
    Wires order{};  ///< order.at[i] is the wire of the value of rank i

    constexpr void exchange(int low, int high) { at[count++] = {low, high}; }
};

constexpr Wires everySecond(const Wires& of, int from) {
    Wires half;
    for (int i = from; i < of.count; i += 2) half.add(of.at[i]);
    return half;
}

/// Merges two sorted sequences of any lengths (Batcher's odd-even merge; Knuth, vol. 3, section 5.3.4).
constexpr Wires merged(Network& network, const Wires& a, const Wires& b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    Wires all;
    if (a.count == 1 && b.count == 1) {
        network.exchange(a.at[0], b.at[0]);
        all.add(a.at[0]);
        all.add(b.at[0]);
        return all;
    }
    const Wires even = merged(network, everySecond(a, 0), everySecond(b, 0));
    const Wires odd = merged(network, everySecond(a, 1), everySecond(b, 1));
    all.add(even.at[0]);
    for (int i = 0; i < odd.count; ++i) {
        all.add(odd.at[i]);
        if (i + 1 == even.count) continue;
        network.exchange(odd.at[i], even.at[i + 1]);
        all.add(even.at[i + 1]);
    }
    for (int i = odd.count + 1; i < even.count; ++i) all.add(even.at[i]);
    return all;
}

constexpr Wires wiresFrom(int first, int count) {
    Wires wires;
    for (int i = 0; i < count; ++i) wires.add(first + i);
    return wires;
}

constexpr Wires sorted(Network& network, int first, int count) {
    if (count == 1) return wiresFrom(first, 1);
    const Wires low = sorted(network, first, count / 2);
    return merged(network, low, sorted(network, first + count / 2, count - count / 2));
}

/// The network without those exchanges on which no value of ranks `first` and on, `count` of them, depends.
constexpr Network prunedTo(const Network& all, int first, int count) {
    bool asked[Wires::kMost]{}, kept[Network::kMost]{};
    for (int i = 0; i < count; ++i) asked[all.order.at[first + i]] = true;
    for (int i = all.count - 1; i >= 0; --i) {
        const Exchange e = all.at[i];
        kept[i] = asked[e.low] || asked[e.high];
        if (kept[i]) asked[e.low] = asked[e.high] = true;
    }
    Network network;
    for (int i = 0; i < all.count; ++i) {
        if (kept[i]) network.exchange(all.at[i].low, all.at[i].high);
    }
    network.order = all.order;
    return network;
}

/// Sorts N values.
template <int N>
struct Sort {
    static constexpr Network kNetwork = [] {
        Network network;
        network.order = sorted(network, 0, N);
        return network;
    }();
};

/// Merges A sorted values and the B sorted ones behind them.
template <int A, int B>
struct Merge {
    static constexpr Network kNetwork = [] {
        Network network;
        network.order = merged(network, wiresFrom(0, A), wiresFrom(A, B));
        return network;
    }();
};

/// What is needed of a network for the values of ranks First and on, Count of them.
template <class Net, int First, int Count>
struct Pruned {
    static constexpr Network kNetwork = prunedTo(Net::kNetwork, First, Count);
};

/// Which of the sorted values that have been seen can still be the one of rank `target` among all `of`, when `below`
/// smaller and `above` larger ones have been dropped already: `first` and how many.
struct Kept {
    int first, count;
};
constexpr Kept keptOf(int seen, int below, int above, int target, int of) {
    // So many above the target that no more can be: then what is smaller lies below it for certain.
    const int unseen = of - seen - below - above;
    const int first = target - below - unseen;
    const int last = target - below;
    const int from = first < 0 ? 0 : first, to = last < seen ? last : seen - 1;
    return {from, to - from + 1};
}

}  // namespace warplens::gpu::rank
