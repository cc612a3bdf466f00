// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/components/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::gpu::components {
namespace {

void stopWhenAsked(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
}

/// Fills one component after another.
class Filling {
public:
    Filling(const io::Grid& input, const LabellingOptions& asked, const std::stop_token& stop)
        : m_input(input), m_asked(asked), m_stop(stop), m_shape(input.shape()) {
        m_result.labels.resize(static_cast<std::size_t>(m_shape.pixels()));
    }

    Labelled run() {
        std::size_t i = 0;
        for (std::int64_t z = 0; z < m_shape.depth; ++z)
            for (std::int64_t y = 0; y < m_shape.height; ++y) {
                stopWhenAsked(m_stop);
                for (std::int64_t x = 0; x < m_shape.width; ++x, ++i)
                    if (m_result.labels[i] == 0 && insideAt(m_input, m_asked.level, i)) fill(i);
            }
        return std::move(m_result);
    }

private:
    void fill(std::size_t first) {
        Row row{{0, 0, 0}, 0, {~0U, ~0U, ~0U}, {0, 0, 0}};
        m_label = static_cast<std::uint32_t>(m_result.components.size()) + 1;
        take(first);
        while (!m_open.empty()) {
            const auto i = m_open.back();
            m_open.pop_back();
            visit(i, row);
        }
        m_result.components.push_back(measuredOf(row));
    }
    void take(std::size_t i) {
        m_result.labels[i] = m_label;
        m_open.push_back(static_cast<std::uint32_t>(i));
    }
    void visit(std::size_t i, Row& row) {
        constexpr std::uint64_t kBetweenLooks = std::uint64_t{1} << 20;
        if (++m_visited % kBetweenLooks == 0) stopWhenAsked(m_stop);
        const auto width = static_cast<std::size_t>(m_shape.width), height = static_cast<std::size_t>(m_shape.height);
        const std::size_t at[3] = {i % width, i / width % height, i / width / height};
        ++row.area;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto place = static_cast<std::uint32_t>(at[axis]);
            row.sum[axis] += place;
            row.low[axis] = std::min(row.low[axis], place);
            row.high[axis] = std::max(row.high[axis], place);
        }
        const auto x = static_cast<std::int64_t>(at[0]), y = static_cast<std::int64_t>(at[1]),
                   z = static_cast<std::int64_t>(at[2]);
        for (std::int64_t nz = std::max<std::int64_t>(z - 1, 0); nz <= std::min(z + 1, m_shape.depth - 1); ++nz)
            for (std::int64_t ny = std::max<std::int64_t>(y - 1, 0); ny <= std::min(y + 1, m_shape.height - 1); ++ny)
                for (std::int64_t nx = std::max<std::int64_t>(x - 1, 0); nx <= std::min(x + 1, m_shape.width - 1);
                     ++nx) {
                    const bool face = (nx != x) + (ny != y) + (nz != z) == 1;
                    const auto n = static_cast<std::size_t>((nz * m_shape.height + ny) * m_shape.width + nx);
                    if (m_result.labels[n] == 0 && (face || m_asked.corners) && insideAt(m_input, m_asked.level, n))
                        take(n);
                }
    }

    const io::Grid& m_input;
    const LabellingOptions& m_asked;
    const std::stop_token& m_stop;
    const io::Shape m_shape;
    Labelled m_result;
    std::vector<std::uint32_t> m_open;
    std::uint32_t m_label = 0;
    std::uint64_t m_visited = 0;
};

}  // namespace

bool insideAt(const io::Grid& input, double level, std::size_t i) {
    const auto channels = static_cast<std::size_t>(input.shape().channels),
               counted = std::min<std::size_t>(channels, 3);
    return io::withSampleType(input.type(), [&]<class T>(T) {
        const T* const values = input.as<T>() + i * channels;
        return std::all_of(values, values + counted, [level](T value) { return static_cast<double>(value) > level; });
    });
}

Labelled labelled(const io::Grid& input, const LabellingOptions& asked, const std::stop_token& stop) {
    return Filling(input, asked, stop).run();
}

Verification compareLabels(const io::Grid& output, const std::vector<std::uint32_t>& exact,
                           const std::stop_token& stop) {
    if (ReferenceWitness::of(output) == nullptr && std::memcmp(output.data(), exact.data(), output.bytes()) == 0)
        return {.checkedShare = 1, .firstMismatch = {}, .note = {}};
    const io::Shape& s = output.shape();
    ImageVerifier judge(output);
    std::size_t i = 0;
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y) {
            stopWhenAsked(stop);
            for (std::int64_t x = 0; x < s.width; ++x) judge.kept({x, y, z}, 0, exact[i++]);
        }
    return judge.result();
}

}  // namespace warplens::gpu::components
