// SPDX-License-Identifier: Apache-2.0
#include "io/generate.hpp"
#include "io/generate_description.hpp"

#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace warplens::io::generated {
namespace {

/// Rooms at even places of a lattice, a wall or a passage between two of them.
struct Rooms {
    std::array<std::uint64_t, 3> extent{};  ///< rooms along each axis
    std::vector<std::uint8_t> passages{};   ///< of each room, a bit an axis: open to the next one

    std::uint64_t count() const { return extent[0] * extent[1] * extent[2]; }
    std::uint64_t step(int axis) const { return axis == 0 ? 1 : axis == 1 ? extent[0] : extent[0] * extent[1]; }
    bool last(std::uint64_t room, int axis) const {
        return room / step(axis) % extent[static_cast<std::size_t>(axis)] + 1 == extent[static_cast<std::size_t>(axis)];
    }
};

std::uint32_t rootOf(std::vector<std::uint32_t>& parents, std::uint32_t room) {
    while (parents[room] != room) room = parents[room] = parents[parents[room]];
    return room;
}

/// Opens what joins two parts, walls taken in random order, until there is one part.
void carve(Rooms& rooms, std::uint64_t seed, const std::stop_token& stop) {
    constexpr std::uint64_t kBetweenLooks = 1U << 16U;
    const auto goOn = [&](std::uint64_t done) {
        if (done % kBetweenLooks == 0 && stop.stop_requested()) throw Error(Error::Kind::cancelled, "gen: cancelled");
    };
    std::vector<std::uint32_t> walls;  // three times the room, and the axis
    for (std::uint64_t room = 0; room < rooms.count(); ++room) {
        goOn(room);
        for (int axis = 0; axis < 3; ++axis)
            if (!rooms.last(room, axis))
                walls.push_back(static_cast<std::uint32_t>(3 * room) + static_cast<unsigned>(axis));
    }
    std::vector<std::uint32_t> parents(rooms.count());
    std::iota(parents.begin(), parents.end(), 0U);
    for (std::uint64_t left = walls.size(); left > 0; --left) {
        goOn(left);
        std::swap(walls[left - 1], walls[(randomBits(seed, left) >> 32) * left >> 32]);
        const auto room = walls[left - 1] / 3, axis = walls[left - 1] % 3;
        const auto next = static_cast<std::uint32_t>(room + rooms.step(static_cast<int>(axis)));
        const auto a = rootOf(parents, room), b = rootOf(parents, next);
        if (a == b) continue;
        parents[a > b ? a : b] = a > b ? b : a;
        rooms.passages[room] |= static_cast<std::uint8_t>(1U << axis);
    }
}

}  // namespace

Brightness maze(Description& d, const std::stop_token& stop) {
    const auto cell = d.take<std::int64_t>("cell", 1);
    const auto seed = d.take<std::uint64_t>("seed", 0);
    if (cell < 1) refuse("gen: cell=" + std::to_string(cell), "choose at least 1");
    const auto along = [&](std::int64_t extent) { return static_cast<std::uint64_t>(((extent - 1) / cell + 2) / 2); };
    const auto rooms = std::make_shared<Rooms>();
    rooms->extent = {along(d.shape.width), along(d.shape.height), along(d.shape.depth)};
    if (rooms->count() > std::numeric_limits<std::uint32_t>::max() / 3)
        refuse("gen: a maze of " + std::to_string(rooms->count()) + " rooms", "choose a larger cell or a smaller size");
    rooms->passages.resize(rooms->count());
    carve(*rooms, seed, stop);
    return [=](std::int64_t x, std::int64_t y, std::int64_t z) {
        const std::array<std::int64_t, 3> at{x / cell, y / cell, z / cell};
        std::uint64_t room = 0;
        unsigned between = 0;  // axes along which it lies between two rooms
        for (int axis = 0; axis < 3; ++axis) {
            const auto place = static_cast<std::uint64_t>(at[static_cast<std::size_t>(axis)]);
            room += place / 2 * rooms->step(axis);
            between |= static_cast<unsigned>(place % 2) << axis;
        }
        if (between == 0) return 1.0;
        const bool passage = (between & (between - 1)) == 0;
        return passage && (rooms->passages[room] & between) != 0 ? 1.0 : 0.0;
    };
}

}  // namespace warplens::io::generated
