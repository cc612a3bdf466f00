// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/image_verifier.hpp"
#include "gpu/core/record.hpp"
#include "gpu/families/sparse/unknowns.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gpu::sparse {

class Equations;

/// A v = b, where v is what an unknown lies above its guide: 0 (inpaint) or the
/// source's value (clone). So both are Laplace's equation for v: differences
/// between neighbours are the guide's, and v is known where pixels are.
class System {
public:
    /// Of so many first channels; another one is kept. The source may be null. Its first pixel lies on (x, y); every
    /// unknown lies on it.
    System(std::shared_ptr<const io::Grid> picture, int channels, std::shared_ptr<const io::Grid> source,
           std::int64_t x, std::int64_t y)
        : m_picture(std::move(picture)), m_source(std::move(source)), m_channels(channels), m_x(x), m_y(y) {}

    /// Whether the source, or with none anything, lies on a pixel.
    bool covers(std::int64_t pixel) const;
    /// b of every unknown, channel after channel. Throws Error(argument) where it
    /// is not finite.
    std::vector<float> rightSide(const Unknowns& unknowns) const;
    /// The picture with v above the guide in place of its unknowns, rounded and
    /// clamped to its type.
    std::shared_ptr<io::Grid> finish(const Unknowns& unknowns, const std::vector<float>& v) const;
    /// A picture's result against the equations, each by its residual, and where
    /// they are few against a solution in double. `residual`: what is left, as a
    /// part of b, by the variant's own account; `steps`: that it took.
    Verification verify(const io::Grid& result, const Unknowns& unknowns, double residual, std::int64_t steps,
                        const std::stop_token& stop) const;

private:
    friend class Equations;
    struct Claim;
    struct Left;
    void judge(ImageVerifier& judge, const Equations& equations, const Unknowns& unknowns, const Claim& claim,
               int channel, std::size_t i, Left& left) const;
    double pictureAt(std::int64_t pixel, int channel) const;
    double guideAt(std::int64_t pixel, int channel) const;
    double rightAt(const Unknowns& unknowns, std::int64_t pixel, int channel) const;

    std::shared_ptr<const io::Grid> m_picture, m_source;
    int m_channels;
    std::int64_t m_x, m_y;
};

/// Calls f(pixel) for the neighbours that a pixel has.
template <class F>
void forPixelsBeside(const io::Shape& s, std::int64_t pixel, F f) {
    const std::int64_t x = pixel % s.width, y = pixel / s.width % s.height, slice = s.width * s.height;
    if (pixel >= slice) f(pixel - slice);
    if (y > 0) f(pixel - s.width);
    if (x > 0) f(pixel - 1);
    if (x + 1 < s.width) f(pixel + 1);
    if (y + 1 < s.height) f(pixel + s.width);
    if (pixel + slice < s.pixels()) f(pixel + slice);
}

}  // namespace warplens::gpu::sparse
