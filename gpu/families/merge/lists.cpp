// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/lists.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace warplens::gpu::merge {
namespace {

Error refuse(const std::string& why) { return {Error::Kind::argument, why}; }

std::string contentsOf(const io::Grid& grid) {
    const int channels = grid.shape().channels;
    return std::string(io::nameOf(grid.type())) + " of " + std::to_string(channels) +
           (channels == 1 ? " channel" : " channels");
}

/// Pixel after pixel, as both lie in memory.
std::shared_ptr<const io::Grid> joined(const io::Grid& first, const NamedGrid& second) {
    const io::Grid& other = *second.grid;
    if (other.type() != first.type() || other.shape().channels != first.shape().channels)
        throw refuse("with: " + second.name + " is " + contentsOf(other) + ", the picture " + contentsOf(first) +
                     ": give lists of the same type and channels");
    const io::Shape &a = first.shape(), &b = other.shape();
    const bool stacked = a.width == b.width && a.depth == 1 && b.depth == 1;
    const io::Shape both = stacked ? io::Shape{a.width, a.height + b.height, 1, a.channels}
                                   : io::Shape{a.pixels() + b.pixels(), 1, 1, a.channels};
    auto made = std::make_shared<io::Grid>(both, first.type());
    std::memcpy(made->data(), first.data(), first.bytes());
    std::memcpy(made->data() + first.bytes(), other.data(), other.bytes());
    return made;
}

/// The place of the first value of a channel that comes before its predecessor, or `end`.
template <class T>
std::uint64_t unsortedPlace(const T* values, std::uint64_t stride, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
        if constexpr (std::is_same_v<T, float>)
            if (std::isnan(values[i * stride])) return i;
        if (i > begin && comesBefore(values[i * stride], values[(i - 1) * stride])) return i;
    }
    return end;
}

void needSorted(const io::Grid& values, std::uint64_t first) {
    const auto pixels = static_cast<std::uint64_t>(values.shape().pixels());
    const auto channels = static_cast<std::uint64_t>(values.shape().channels);
    io::withType(values.type(), [&]<class T>(T) {
        for (std::uint64_t c = 0; c < channels; ++c)
            for (const bool second : {false, true}) {
                const std::uint64_t begin = second ? first : 0, end = second ? pixels : first;
                const std::uint64_t at = unsortedPlace(values.as<T>() + c, channels, begin, end);
                if (at == end) continue;
                throw refuse(std::string("lists given: the ") + (second ? "second" : "first") +
                             " list is not sorted from its value " + std::to_string(at - begin + 1) +
                             " on: sort it, or give --lists sort");
            }
    });
}

}  // namespace

ChosenLists listsOf(std::shared_ptr<const io::Grid> input, const Chosen& chosen) {
    if (input == nullptr) return {chosen, nullptr, 0};
    const auto pixels = static_cast<std::uint64_t>(input->shape().pixels());
    ChosenLists made{chosen, std::move(input), pixels - pixels / 2};
    if (chosen.task != Task::merge) return made;
    const NamedGrid* const with = chosen.with.get();
    if (with != nullptr && with->grid != nullptr) {
        if (chosen.first > 0) throw refuse("first: the second list is a picture of its own: leave it out, or with");
        made.values = joined(*made.values, *with);
        made.first = pixels;
    } else if (chosen.first > 0) {
        made.first = static_cast<std::uint64_t>(chosen.first);
        if (made.first > pixels)
            throw refuse("first: " + std::to_string(made.first) + " of " + std::to_string(pixels) +
                         " values: give at most as many as there are");
    }
    const auto all = static_cast<std::uint64_t>(made.values->shape().pixels());
    if (chosen.rank > static_cast<std::int64_t>(all))
        throw refuse("rank: " + std::to_string(chosen.rank) + " of " + std::to_string(all) +
                     " outputs: give at most as many as there are");
    if (chosen.lists == ListOrder::given) needSorted(*made.values, made.first);
    return made;
}

std::shared_ptr<const Table> coRankSteps(const io::Grid& sortedLists, std::uint64_t first, std::uint64_t rank) {
    Column::Integers step, lows, highs, is, js;
    Column::Reals as, bs;
    Column::Texts next;
    io::withType(sortedLists.type(), [&]<class T>(T) {
        const auto channels = static_cast<std::uint64_t>(sortedLists.shape().channels);
        const std::uint64_t second = static_cast<std::uint64_t>(sortedLists.shape().pixels()) - first;
        const auto at = [&](std::uint64_t place) { return sortedLists.as<T>()[place * channels]; };
        std::uint64_t low = rank > second ? rank - second : 0, high = std::min(rank, first);
        while (low < high) {
            const std::uint64_t i = low + (high - low) / 2, j = rank - 1 - i;
            const T a = at(i), b = at(first + j);
            const bool fewer = comesBefore(b, a);
            step.push_back(static_cast<std::int64_t>(step.size()) + 1);
            lows.push_back(static_cast<std::int64_t>(low));
            highs.push_back(static_cast<std::int64_t>(high));
            is.push_back(static_cast<std::int64_t>(i));
            js.push_back(static_cast<std::int64_t>(j));
            as.push_back(static_cast<double>(a));
            bs.push_back(static_cast<double>(b));
            next.push_back(fewer ? "b[j] < a[i]: at most i" : "a[i] <= b[j]: more than i");
            (fewer ? high : low) = fewer ? i : i + 1;
        }
        // What is left when both ends meet.
        step.push_back(static_cast<std::int64_t>(step.size()) + 1);
        lows.push_back(static_cast<std::int64_t>(low));
        highs.push_back(static_cast<std::int64_t>(low));
        is.push_back(static_cast<std::int64_t>(low));
        js.push_back(static_cast<std::int64_t>(rank - low));
        as.push_back(low < first ? static_cast<double>(at(low)) : std::nan(""));
        bs.push_back(rank - low < second ? static_cast<double>(at(first + rank - low)) : std::nan(""));
        next.push_back("found: i values of a, j of b");
    });
    Table table{.id = "co_rank", .title = "Co-rank of output " + std::to_string(rank), .columns = {}};
    const auto add = [&](const char* id, const char* title, auto values) {
        table.columns.push_back({.id = id, .title = title, .values = std::move(values)});
    };
    add("step", "Step", std::move(step));
    add("low", "At least", std::move(lows));
    add("high", "At most", std::move(highs));
    add("i", "i", std::move(is));
    add("j", "j", std::move(js));
    add("a_i", "a[i]", std::move(as));
    add("b_j", "b[j]", std::move(bs));
    add("next", "Follows", std::move(next));
    return std::make_shared<const Table>(std::move(table));
}

}  // namespace warplens::gpu::merge
