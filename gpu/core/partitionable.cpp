// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/partitionable.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace warplens::gpu {
namespace {

class PictureOfPieces final : public PartitionMerger {
public:
    PictureOfPieces(std::shared_ptr<io::Grid> empty, int axis, bool backwards)
        : m_whole(std::move(empty)), m_axis(static_cast<std::size_t>(axis)), m_backwards(backwards) {}

    void add(const Result& part, const Partition& piece) override {
        const io::Grid& from = *part.picture;
        const io::Shape& s = from.shape();
        std::array<std::int64_t, 3> extents{s.width, s.height, s.depth}, at{}, to{};
        extents[m_axis] = piece.lines;
        at[m_axis] = piece.before;
        to[m_axis] = m_backwards ? extentAlong(m_whole->shape(), static_cast<int>(m_axis)) - piece.first - piece.lines
                                 : piece.first;
        const std::size_t size = io::sizeOf(from.type());
        const auto bytes = static_cast<std::size_t>(extents[0] * s.channels) * size;
        for (std::int64_t z = 0; z < extents[2]; ++z)
            for (std::int64_t y = 0; y < extents[1]; ++y)
                std::memcpy(m_whole->data() + m_whole->index(to[0], to[1] + y, to[2] + z) * size,
                            from.data() + from.index(at[0], at[1] + y, at[2] + z) * size, bytes);
    }

    Result take() override { return {.picture = std::move(m_whole), .tables = {}}; }

private:
    std::shared_ptr<io::Grid> m_whole;
    std::size_t m_axis;
    bool m_backwards;
};

}  // namespace

std::int64_t extentAlong(const io::Shape& shape, int axis) {
    return axis == 2 ? shape.depth : axis == 1 ? shape.height : shape.width;
}

std::shared_ptr<io::Grid> linesOf(const io::Grid& grid, int axis, std::int64_t first, std::int64_t count, bool wraps) {
    io::Shape shape = grid.shape();
    const std::int64_t all = extentAlong(shape, axis);
    (axis == 2 ? shape.depth : axis == 1 ? shape.height : shape.width) = count;
    auto lines = std::make_shared<io::Grid>(shape, grid.type());
    lines->geometry = grid.geometry;
    lines->metadata = grid.metadata;
    const std::size_t bytes = grid.bytes() / static_cast<std::size_t>(all);
    if (!wraps || (first >= 0 && first + count <= all)) {
        std::memcpy(lines->data(), grid.data() + static_cast<std::size_t>(first) * bytes, lines->bytes());
        return lines;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t from = ((first + i) % all + all) % all;
        std::memcpy(lines->data() + static_cast<std::size_t>(i) * bytes,
                    grid.data() + static_cast<std::size_t>(from) * bytes, bytes);
    }
    return lines;
}

std::unique_ptr<PartitionMerger> pictureOfPieces(std::shared_ptr<io::Grid> empty, int axis, bool backwards) {
    return std::make_unique<PictureOfPieces>(std::move(empty), axis, backwards);
}

}  // namespace warplens::gpu
